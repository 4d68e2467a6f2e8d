// How many resources made room for new ones in a full inventory, from any source. In memory, on this node.
import { BoundedMap } from '@zonereeve/cooperate'

/** Zones that are counted apart. */
const MAX_ZONES = 10_000

export interface Evictions {
  note(zoneId: string, count: number): void
  ofZone(zoneId: string): number
}

/** @param observe called with each count, for metrics. */
export function createEvictions(observe: (count: number) => void): Evictions {
  const zones = new BoundedMap<string, number>(MAX_ZONES)
  const ofZone = (zoneId: string): number => zones.get(zoneId) ?? 0 // none yet
  return {
    note(zoneId, count) {
      observe(count)
      zones.set(zoneId, ofZone(zoneId) + count)
    },
    ofZone,
  }
}
