// How many reports a zone would send in a day without sampling, estimated from those that come: each stands for as many as
// its address says. In memory alone, on this node; after a start, nothing is known and everything is asked for.
import type { Clock } from '../../platform/clock.ts'

const DAY_MILLIS = 86_400_000
/** Within it, reports are only added up: the estimate needs no more. */
const STEP_MILLIS = 60_000
/** The one that was noted first is forgotten for the next one. */
const MAX_ZONES = 10_000

export interface ReportTraffic {
  /** A report that the inventory took. */
  note(report: { readonly zoneId: string; readonly oneIn: number }): void
  /** 0 where nothing is known. */
  perDay(zoneId: string): number
}

export function createReportTraffic({ clock }: { readonly clock: Clock }): ReportTraffic {
  // A sum that loses its old parts as time goes by is, with steady traffic, that of one such time.
  const zones = new Map<string, { sum: number; at: number }>()
  const left = ({ sum, at }: { sum: number; at: number }, now: number): number =>
    sum * Math.exp((at - now) / DAY_MILLIS)

  return {
    note({ zoneId, oneIn }) {
      const now = clock.now()
      const known = zones.get(zoneId)
      if (known === undefined) {
        if (zones.size >= MAX_ZONES) zones.delete(zones.keys().next().value ?? '')
        zones.set(zoneId, { sum: oneIn, at: now })
        return
      }
      if (now - known.at >= STEP_MILLIS) {
        known.sum = left(known, now)
        known.at = now
      }
      known.sum += oneIn
    },
    perDay(zoneId) {
      const known = zones.get(zoneId)
      return known === undefined ? 0 : Math.round(left(known, clock.now()))
    },
  }
}
