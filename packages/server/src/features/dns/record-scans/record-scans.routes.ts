// HTTP routes for scans of a zone's current nameservers.
import { recordScans as operations } from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import type { RecordScans } from './record-scans.service.ts'
import { rejectShadows, toReview, toReviewText } from './record-scans.wire.ts'

/** Page size shown in the reply; found records come in one page. */
const PER_PAGE = 1000

export function recordScanRoutes(scans: RecordScans): Route[] {
  return [
    route(operations.scan, async ({ params, actor }) => {
      const { added, found, refused, notices } = await scans.scan(params.zone_id, actor)
      return { result: { recs_added: added, total_records_parsed: found }, refused, notices }
    }),
    route(operations.trigger, async ({ params }) => {
      await scans.trigger(params.zone_id)
      return { result: null }
    }),
    route(operations.waiting, async ({ params, query }) => {
      rejectShadows(query)
      const { strings, notices } = await scans.waiting(params.zone_id)
      const { length: count } = strings
      return {
        items: strings.join(','),
        notices,
        page: 1,
        perPage: Math.max(PER_PAGE, count),
        count,
        totalCount: count,
      }
    }),
    route(operations.review, async ({ params, query, body, actor }) => {
      rejectShadows(query)
      const reviewed = await scans.review(params.zone_id, toReview(body), actor)
      return { text: toReviewText(reviewed), notices: reviewed.notices }
    }),
  ]
}
