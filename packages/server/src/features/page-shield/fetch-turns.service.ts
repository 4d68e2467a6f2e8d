// Whose script is fetched next: zones take turns, and within a zone the sites that its scripts come from, so that however
// much one of them has, the others wait for one fetch of it at most. Every other turn of a zone is of the script that most
// page views had: whoever invents sites by the thousand has no visitors for each.
import type { Reader } from '../../storage/index.ts'
import { firstWaiting, mostViewedWaiting, waitingSiteAfter, waitingZoneAfter } from './fetch-turns.store.ts'
import { findResource, type StoredResource } from './resources.store.ts'

/** Zones that are looked at for one script, where all that wait come from busy sites. */
const ZONES_AT_ONCE = 64
/** Zones whose last site is known; the others begin with their first one. */
const ZONES_KNOWN = 10_000
/** Scripts with the most page views that are looked at, where sites are busy. */
const MOST_VIEWED = 16

export interface FetchTurns {
  /**
   * The script whose turn it is, which then is another's.
   *
   * @param busySites sites that have a fetch already.
   * @returns undefined where none waits that could be fetched now.
   */
  next(db: Reader, busySites: ReadonlySet<string>): Promise<StoredResource | undefined>
}

export function createFetchTurns(): FetchTurns {
  let lastZone = ''
  const lastSites = new Map<string, string>()
  /** Zones whose last turn went by page views. */
  const viewedLast = new Set<string>()

  return { next }

  async function next(db: Reader, busySites: ReadonlySet<string>): Promise<StoredResource | undefined> {
    let first: string | undefined
    for (let looked = 0; looked < ZONES_AT_ONCE; looked += 1) {
      const zoneId = (await waitingZoneAfter(db, lastZone)) ?? (await waitingZoneAfter(db, ''))
      if (zoneId === undefined || zoneId === first) return undefined
      first ??= zoneId
      lastZone = zoneId
      const script = (await byViews(db, zoneId, busySites)) ?? (await bySite(db, zoneId, busySites))
      if (script !== undefined) return script
    }
    return undefined
  }

  async function byViews(
    db: Reader,
    zoneId: string,
    busySites: ReadonlySet<string>,
  ): Promise<StoredResource | undefined> {
    if (viewedLast.delete(zoneId)) return undefined
    const waiting = await mostViewedWaiting(db, zoneId, MOST_VIEWED)
    const script = waiting.find(({ site }) => !busySites.has(site))
    if (script === undefined) return undefined
    if (viewedLast.size >= ZONES_KNOWN) viewedLast.clear()
    viewedLast.add(zoneId)
    return findResource(db, zoneId, script.id)
  }

  async function bySite(
    db: Reader,
    zoneId: string,
    busySites: ReadonlySet<string>,
  ): Promise<StoredResource | undefined> {
    const site = await nextSite(db, zoneId, busySites)
    if (site === undefined) return undefined
    if (lastSites.size >= ZONES_KNOWN) lastSites.clear()
    lastSites.set(zoneId, site)
    return firstWaiting(db, zoneId, site)
  }

  async function nextSite(
    db: Reader,
    zoneId: string,
    busySites: ReadonlySet<string>,
  ): Promise<string | undefined> {
    const last = lastSites.get(zoneId) ?? ''
    let site = await waitingSiteAfter(db, zoneId, last)
    while (site !== undefined && busySites.has(site)) site = await waitingSiteAfter(db, zoneId, site)
    if (site !== undefined) return site
    site = await waitingSiteAfter(db, zoneId, '')
    while (site !== undefined && site <= last && busySites.has(site))
      site = await waitingSiteAfter(db, zoneId, site)
    return site !== undefined && site <= last ? site : undefined
  }
}
