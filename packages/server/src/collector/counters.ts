// What became of reports: counted by outcome, for each zone and for all.

/** Why a report is not in the inventory. */
export const DROPS = [
  'rate',
  'too_large',
  'unsigned',
  'expired',
  'malformed',
  'strange',
  'surplus',
  'unknown_zone',
  'disabled',
  'foreign_page',
  'extension',
  'injected',
  'not_fetched',
  'other_directive',
  'impossible',
  'duplicate',
  'overload',
  'no_room',
  'failed',
] as const
export type Drop = (typeof DROPS)[number]
export type Outcome = Drop | 'recorded' | 'violation'

export type Counts = Readonly<Partial<Record<Outcome, number>>>

/** Zones that are counted apart. */
const MAX_ZONES = 10_000

export interface Counters {
  /** @param zoneId undefined where it cannot be told, or not be believed. */
  count(outcome: Outcome, zoneId: string | undefined, by?: number): void
  ofZone(zoneId: string): Counts
}

/** @param observe told of everything, for metrics. */
export function createCounters(observe: (outcome: Outcome, by: number) => void): Counters {
  const zones = new Map<string, Partial<Record<Outcome, number>>>()
  return {
    count(outcome, zoneId, by = 1) {
      if (by === 0) return
      observe(outcome, by)
      if (zoneId === undefined) return
      let own = zones.get(zoneId)
      if (own === undefined) {
        if (zones.size >= MAX_ZONES) return
        own = {}
        zones.set(zoneId, own)
      }
      own[outcome] = (own[outcome] ?? 0) + by
    },
    ofZone: (zoneId) => zones.get(zoneId) ?? {},
  }
}
