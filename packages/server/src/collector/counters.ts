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
  'impossible',
  'no_hash',
  'unknown_script',
  'duplicate',
  'overload',
  'no_room',
  'failed',
] as const
export type Drop = (typeof DROPS)[number]
export type Outcome = Drop | 'recorded' | 'violation' | 'hash'

/** Of reports by their outcome; `displaced` counts resources that made room for new ones. */
export type Counts = Readonly<Partial<Record<Outcome | 'displaced', number>>>

/** Zones that are counted apart. */
const MAX_ZONES = 10_000

export interface Counters {
  /** @param zoneId undefined where it cannot be told, or not be believed. */
  count(outcome: Outcome, zoneId: string | undefined, by?: number): void
  /** No report: the metrics count it apart. */
  noteDisplaced(zoneId: string, by: number): void
  ofZone(zoneId: string): Counts
}

/** @param observe told of everything, for metrics. */
export function createCounters(observe: (outcome: Outcome, by: number) => void): Counters {
  const zones = new Map<string, Partial<Record<keyof Counts, number>>>()
  const add = (name: keyof Counts, zoneId: string, by: number): void => {
    let own = zones.get(zoneId)
    if (own === undefined) {
      if (zones.size >= MAX_ZONES) return
      own = {}
      zones.set(zoneId, own)
    }
    own[name] = (own[name] ?? 0) + by
  }
  return {
    count(outcome, zoneId, by = 1) {
      if (by === 0) return
      observe(outcome, by)
      if (zoneId !== undefined) add(outcome, zoneId, by)
    },
    noteDisplaced: (zoneId, by) => add('displaced', zoneId, by),
    ofZone: (zoneId) => zones.get(zoneId) ?? {},
  }
}
