// Watched pages at edges: which ones they observe, and what they have observed.
import type { PageHeaders, SeenPage } from '@zonereeve/edge'
import { ifReadable } from '@zonereeve/platform'
import type { Reader, Storage } from '@zonereeve/storage'
import type { Zone } from '../../zones/index.ts'
import type { PageObservations } from './page-observations.service.ts'
import { pagesOf } from './watched-pages.store.ts'

export interface EdgeObservationsDeps {
  readonly storage: Storage
  readonly pageObservations: Pick<PageObservations, 'save'>
  readonly isMonitored: (zoneId: string) => Promise<boolean>
}

export function createEdgeObservations({ storage, pageObservations, isMonitored }: EdgeObservationsDeps) {
  return { withWatched, record }

  /** Adds the watched pages to what edges do with pages; nothing while monitoring is off. */
  async function withWatched(
    db: Reader,
    zone: Zone,
    headers: PageHeaders | undefined,
  ): Promise<PageHeaders | undefined> {
    if (headers === undefined || headers.monitoring === null) return headers
    const watched = (await pagesOf(db, zone.id)).map(({ url }) => url)
    return { ...headers, monitoring: { ...headers.monitoring, watched } }
  }

  /** Stores what edges sent to visitors. Pages that are no longer watched, or not monitored, are skipped. */
  async function record(zoneId: string, seen: readonly SeenPage[]): Promise<void> {
    if (!(await isMonitored(zoneId))) return
    const pages = new Map((await pagesOf(storage, zoneId)).map((page) => [page.url, page]))
    for (const { url, headers } of seen) {
      const page = pages.get(url)
      if (page === undefined) continue
      const received = headers.map(({ name, value }) => [name, value] as const)
      const observed = { source: 'edge', finalUrl: url, headers: received, scripts: null } as const
      // An unreadable row is shown by /readyz; edges would repeat a failed request, and deliver nothing else.
      await ifReadable(pageObservations.save(page, observed))
    }
  }
}
