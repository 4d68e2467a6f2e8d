// Counts what happened to reports, by outcome, per zone and in total.

/** Why a report was not recorded in the inventory. */
export const DROPS = [
  'rate',
  'too_large',
  'unsigned',
  'expired',
  'malformed',
  'unrecognized',
  'over_limit',
  'unknown_zone',
  'disabled',
  'foreign_page',
  'extension',
  'injected',
  'not_fetched',
  'policy_mismatch',
  'no_hash',
  'unknown_resource',
  'duplicate',
  'overload',
  'budget',
  'capacity',
  'failed',
] as const
export type Drop = (typeof DROPS)[number]
export type Outcome = Drop | 'recorded' | 'violation' | 'hash'

/** Of reports by their outcome. */
export type Counts = Readonly<Partial<Record<Outcome, number>>>

/** Zones that are counted separately. */
const MAX_ZONES = 10_000

export interface Counters {
  /** @param zoneId undefined if unknown or not trustworthy. */
  count(outcome: Outcome, zoneId: string | undefined, by?: number): void
  ofZone(zoneId: string): Counts
}

/** @param observe called for every count, for metrics. */
export function createCounters(observe: (outcome: Outcome, by: number) => void): Counters {
  const zones = new Map<string, Partial<Record<keyof Counts, number>>>()
  const add = (name: keyof Counts, zoneId: string, by: number): void => {
    let own = zones.get(zoneId)
    if (own === undefined) {
      if (zones.size >= MAX_ZONES) return
      own = {}
      zones.set(zoneId, own)
    }
    const before = own[name]
    own[name] = before === undefined ? by : before + by
  }
  return {
    count(outcome, zoneId, by = 1) {
      if (by === 0) return
      observe(outcome, by)
      if (zoneId !== undefined) add(outcome, zoneId, by)
    },
    ofZone: (zoneId) => zones.get(zoneId) ?? {},
  }
}
