// HTTP routes for watched pages.
import { DEFAULT_CHECK_MINUTES, PAGES_PER_PAGE, pageShieldPages as operations } from '@zonereeve/contract'
import { pageOf, readPage, replyRemoved, route, type Route } from '../../../http/index.ts'
import type { WatchedPages } from './watched-pages.service.ts'
import type { RecordScan } from './scans.service.ts'
import {
  toPagePatch,
  toPageScan,
  toWireChangedSnapshot,
  toWireRecordedScan,
  toWireWatchedPage,
} from './watched-pages.wire.ts'

export function watchedPageRoutes(pages: WatchedPages, recordScan: RecordScan): Route[] {
  return [
    route(operations.list, async ({ params, query }) =>
      pageOf((await pages.list(params.zone_id)).map(toWireWatchedPage), query, PAGES_PER_PAGE),
    ),
    route(operations.create, async ({ params, body, actor }) => {
      const { url, interval_minutes: intervalMinutes = DEFAULT_CHECK_MINUTES, scan: isScanned = false } = body
      const page = await pages.create(params.zone_id, { url, intervalMinutes, isScanned }, actor)
      return { result: toWireWatchedPage(page) }
    }),
    route(operations.get, async ({ params }) => ({
      result: toWireWatchedPage(await pages.get(params.zone_id, params.page_id)),
    })),
    route(operations.edit, async ({ params, body, actor }) => {
      const patch = toPagePatch(body)
      return { result: toWireWatchedPage(await pages.edit(params.zone_id, params.page_id, patch, actor)) }
    }),
    route(operations.recordScan, async ({ params, body }) => ({
      result: toWireRecordedScan(await recordScan(params.zone_id, body.url, toPageScan(body))),
    })),
    route(operations.check, async ({ params }) => ({
      result: toWireWatchedPage(await pages.check(params.zone_id, params.page_id)),
    })),
    route(operations.history, async ({ params, query }) => {
      return readPage(query, PAGES_PER_PAGE, async (range) => {
        const { items, totalCount } = await pages.history(params.zone_id, params.page_id, range)
        return { items: items.map(toWireChangedSnapshot), totalCount }
      })
    }),
    route(operations.delete, ({ params, actor }) =>
      replyRemoved(params.page_id, pages.remove(params.zone_id, params.page_id, actor)),
    ),
  ]
}
