// HTTP route for summaries of zones.
import { zoneSummaries as operations, type WireZoneSummary } from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import type { ZoneSummaries } from './zone-summaries.service.ts'

export function zoneSummaryRoutes(summaries: ZoneSummaries): Route[] {
  return [
    route(operations.list, async ({ caller, query }) => {
      const found = await summaries.list(caller, query.ids.split(','))
      return {
        result: found.map((zone) => ({
          id: zone.id,
          serial: zone.serial,
          records: zone.records,
          dnssec: zone.dnssec === undefined ? 'disabled' : (zone.dnssec as WireZoneSummary['dnssec']), // as stored
          changed_on: zone.changedOn === undefined ? null : zone.changedOn,
        })),
      }
    }),
  ]
}
