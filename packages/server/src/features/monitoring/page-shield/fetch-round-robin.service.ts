// Chooses the next script to fetch. Zones take turns, and within a zone the sites of its scripts, so a site
// with many scripts delays the others by at most one fetch. Every other turn of a zone goes to the script
// with the most page views: somebody who invents thousands of sites has no visitors for each.
import { BoundedMap } from '@zonereeve/cooperate'
import type { Reader } from '@zonereeve/storage'
import {
  firstWaiting,
  mostViewedWaiting,
  waitingSiteAfter,
  waitingZoneAfter,
} from './fetch-round-robin.store.ts'
import { findResource, type StoredResource } from './resources.store.ts'

/** Zones tried for one script when all waiting scripts come from busy sites. */
const MAX_ZONES_TRIED = 64
/** Zones whose last site is remembered; other zones start with their first site. */
const ZONES_KNOWN = 10_000
/** Most-viewed scripts tried when sites are busy. */
const MOST_VIEWED = 16

export interface FetchRoundRobin {
  /**
   * Returns the next script and advances the turn.
   * @param busySites sites with a fetch in progress.
   * @returns undefined if no waiting script can be fetched now.
   */
  next(db: Reader, busySites: ReadonlySet<string>): Promise<StoredResource | undefined>
}

export function createFetchRoundRobin(): FetchRoundRobin {
  let lastZone = ''
  const lastSites = new BoundedMap<string, string>(ZONES_KNOWN)
  /** Zones whose last turn was by page views. */
  const viewedLast = new BoundedMap<string, true>(ZONES_KNOWN)

  return { next }

  async function next(db: Reader, busySites: ReadonlySet<string>): Promise<StoredResource | undefined> {
    let first: string | undefined
    for (let looked = 0; looked < MAX_ZONES_TRIED; looked += 1) {
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
    viewedLast.set(zoneId, true)
    return findResource(db, zoneId, script.id)
  }

  async function bySite(
    db: Reader,
    zoneId: string,
    busySites: ReadonlySet<string>,
  ): Promise<StoredResource | undefined> {
    const site = await nextSite(db, zoneId, busySites)
    if (site === undefined) return undefined
    lastSites.set(zoneId, site)
    return firstWaiting(db, zoneId, site)
  }

  async function nextSite(
    db: Reader,
    zoneId: string,
    busySites: ReadonlySet<string>,
  ): Promise<string | undefined> {
    const last = lastSites.get(zoneId) ?? '' // before the first site
    let site = await waitingSiteAfter(db, zoneId, last)
    while (site !== undefined && busySites.has(site)) site = await waitingSiteAfter(db, zoneId, site)
    if (site !== undefined) return site
    site = await waitingSiteAfter(db, zoneId, '')
    while (site !== undefined && site <= last && busySites.has(site))
      site = await waitingSiteAfter(db, zoneId, site)
    return site !== undefined && site <= last ? site : undefined
  }
}
