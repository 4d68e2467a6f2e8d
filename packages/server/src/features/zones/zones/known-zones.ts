// What is known of zones for some seconds, so that not every request reads the database. Of zones that change here or at
// another node, it is forgotten at once.
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
  let forgotten = 0
  return { findKnown, load, find, forget }

  /** @returns undefined if the zone has to be loaded. */
  function findKnown(zoneId: string): KnownZone<Found> | undefined {
    const found = zones.get(zoneId)
    return found !== undefined && found.until > clock.now() ? found : undefined
  }

  /** Reads the zone. That there is none is remembered, too: for callers that know the ID from us. */
  async function load(zoneId: string): Promise<Found | undefined> {
    const { zone, remember } = await read(zoneId)
    remember()
    return zone
  }

  /** The zone, read or remembered. Others are not remembered: every client can name any. */
  async function find(zoneId: string): Promise<Found | undefined> {
    const known = findKnown(zoneId)
    if (known !== undefined) return known.zone
    const { zone, remember } = await read(zoneId)
    if (zone !== undefined) remember()
    return zone
  }

  async function read(zoneId: string) {
    const forgottenBefore = forgotten
    const zone = await findZone(zoneId)
    const remember = (): void => {
      // A zone read before an invalidation must not be remembered after it.
      if (forgotten === forgottenBefore) zones.set(zoneId, { zone, until: clock.now() + rememberMillis })
    }
    return { zone, remember }
  }

  function forget(zoneId: string): void {
    forgotten += 1
    zones.delete(zoneId)
  }
}
