// Estimates how many reports a zone would send per day without sampling: each received report counts as often
// as the sampling factor in its address. Kept in memory, per node; after a start, nothing is known and all
// reports are requested.
import { BoundedMap } from '@zonereeve/cooperate'
import type { Clock } from '@zonereeve/platform'

const DAY_MILLIS = 86_400_000
/** Reports within this time are only summed; the estimate needs no finer resolution. */
const STEP_MILLIS = 60_000
const MAX_ZONES = 10_000

export interface ReportTraffic {
  /** A report recorded in the inventory. */
  note(report: { readonly zoneId: string; readonly oneIn: number }): void
  /** 0 if unknown. */
  perDay(zoneId: string): number
}

export function createReportTraffic({ clock }: { readonly clock: Clock }): ReportTraffic {
  // An exponentially decaying sum: with steady traffic it equals the traffic of one period.
  const zones = new BoundedMap<string, { sum: number; at: number }>(MAX_ZONES)
  const remainingAt = ({ sum, at }: { sum: number; at: number }, now: number): number =>
    sum * Math.exp((at - now) / DAY_MILLIS)

  return {
    note({ zoneId, oneIn }) {
      const now = clock.now()
      const known = zones.get(zoneId)
      if (known === undefined) {
        zones.set(zoneId, { sum: oneIn, at: now })
        return
      }
      if (now - known.at >= STEP_MILLIS) {
        known.sum = remainingAt(known, now)
        known.at = now
      }
      known.sum += oneIn
    },
    perDay(zoneId) {
      const known = zones.get(zoneId)
      return known === undefined ? 0 : Math.round(remainingAt(known, clock.now()))
    },
  }
}
