// Settings of the zones that reports name, kept for some seconds.
import { BoundedMap } from '@zonereeve/cooperate'
import type { Clock } from '@zonereeve/platform'
import type { MonitoredZone } from '../page-shield/index.ts'

/** How long a zone's settings are cached before they are read again. */
const ZONE_MILLIS = 5_000
const ZONES_KNOWN = 10_000

interface KnownZone {
  readonly zone: MonitoredZone | undefined
  readonly until: number
}

export function createKnownZones(
  clock: Pick<Clock, 'now'>,
  findZone: (zoneId: string) => Promise<MonitoredZone | undefined>,
) {
  const zones = new BoundedMap<string, KnownZone>(ZONES_KNOWN)
  let forgotten = 0
  return { findKnown, load, hasBeacon, forget }

  /** @returns undefined if the zone has to be loaded. */
  function findKnown(zoneId: string): KnownZone | undefined {
    const found = zones.get(zoneId)
    return found !== undefined && found.until > clock.now() ? found : undefined
  }

  async function load(zoneId: string): Promise<MonitoredZone | undefined> {
    const forgottenBefore = forgotten
    const zone = await findZone(zoneId)
    // A zone read before an invalidation must not be cached after it.
    if (forgotten === forgottenBefore) zones.set(zoneId, { zone, until: clock.now() + ZONE_MILLIS })
    return zone
  }

  /** Whether pages of a zone may use the monitoring script. Other zones are not cached: every client can name any. */
  async function hasBeacon(zoneId: string): Promise<boolean> {
    const found = findKnown(zoneId)
    const zone = found === undefined ? await findZone(zoneId) : found.zone
    return zone?.hasBeacon === true
  }

  function forget(zoneId: string): void {
    forgotten += 1
    zones.delete(zoneId)
  }
}
