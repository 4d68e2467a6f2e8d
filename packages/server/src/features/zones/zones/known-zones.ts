// What is known of zones for some seconds, so that not every request reads the database. Of zones that change here or at
// another node, it is forgotten with the event.
import { BoundedMap } from '@zonereeve/cooperate'
import type { Clock } from '@zonereeve/platform'

const ZONES_KNOWN = 10_000

interface KnownZone<Found> {
  readonly zone: Found | undefined
  readonly until: number
}

export interface KnownZonesDeps<Found> {
  readonly clock: Pick<Clock, 'now'>
  readonly findZone: (zoneId: string) => Promise<Found | undefined>
  /** How long until a zone is read again: another process may write the database. */
  readonly rememberMillis: number
}

export type KnownZones<Found> = ReturnType<typeof createKnownZones<Found>>

export function createKnownZones<Found>({ clock, findZone, rememberMillis }: KnownZonesDeps<Found>) {
  const zones = new BoundedMap<string, KnownZone<Found>>(ZONES_KNOWN)
  const reads = new Map<string, Promise<Found | undefined>>()
  return { findKnown, load, find, forget }

  /** @returns undefined if the zone has to be loaded. */
  function findKnown(zoneId: string): KnownZone<Found> | undefined {
    const found = zones.get(zoneId)
    return found !== undefined && found.until > clock.now() ? found : undefined
  }

  /** Reads the zone. That there is none is remembered, too: for callers that know the ID from us. */
  function load(zoneId: string): Promise<Found | undefined> {
    return read(zoneId, true)
  }

  /** The zone, read or remembered. That there is none is not remembered: every client can invent IDs. */
  async function find(zoneId: string): Promise<Found | undefined> {
    const known = findKnown(zoneId)
    return known === undefined ? read(zoneId, false) : known.zone
  }

  /** Callers that need the same zone share a read. */
  function read(zoneId: string, remembersNone: boolean): Promise<Found | undefined> {
    const current = reads.get(zoneId)
    if (current !== undefined) return current
    const reading = findZone(zoneId)
      .then((zone) => {
        // A zone that was read before it changed must not be remembered after that.
        if (isCurrent() && (zone !== undefined || remembersNone))
          zones.set(zoneId, { zone, until: clock.now() + rememberMillis })
        return zone
      })
      .finally(() => {
        if (isCurrent()) reads.delete(zoneId)
      })
    const isCurrent = (): boolean => reads.get(zoneId) === reading
    reads.set(zoneId, reading)
    return reading
  }

  function forget(zoneId: string): void {
    reads.delete(zoneId)
    zones.delete(zoneId)
  }
}
