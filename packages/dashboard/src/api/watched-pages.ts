// Watched pages of a zone: headers and scripts of each, and what they were.
import { queryOptions } from '@tanstack/react-query'
import type {
  pageShieldPages,
  WatchedPagePost,
  WireChangedSnapshot,
  WireWatchedPage,
} from '@zonereeve/contract'
import { call } from './call.ts'
import { zoneKeys } from './zones.ts'

export type {
  WireChangedSnapshot,
  WireServedScript,
  WireSnapshot,
  WireWatchedPage,
} from '@zonereeve/contract'

const ROOT = '/zonereeve/zones/{zone_id}/page_shield/pages'
const ONE = `${ROOT}/{page_id}` as const
const MAX_PAGES = 100
export const MAX_OBSERVATIONS = 100

const base = (zoneId: string) => [...zoneKeys.of(zoneId), 'monitoring', 'watched pages'] as const

export const watchedPagesOf = (zoneId: string) =>
  queryOptions({
    queryKey: base(zoneId),
    queryFn: async ({ signal }): Promise<readonly WireWatchedPage[]> => {
      const route = { method: 'GET', path: ROOT } as const
      const input = { params: { zone_id: zoneId }, query: { per_page: MAX_PAGES } }
      return (await call<typeof pageShieldPages.list>(route, input, { signal })).result
    },
  })

export const watchedPageOf = (zoneId: string, pageId: string) =>
  queryOptions({
    queryKey: [...base(zoneId), pageId],
    queryFn: async ({ signal }): Promise<WireWatchedPage> => {
      const route = { method: 'GET', path: ONE } as const
      const params = { zone_id: zoneId, page_id: pageId }
      return (await call<typeof pageShieldPages.get>(route, { params }, { signal })).result
    },
  })

export const pageHistoryOf = (zoneId: string, pageId: string) =>
  queryOptions({
    queryKey: [...base(zoneId), pageId, 'history'],
    queryFn: async ({ signal }): Promise<readonly WireChangedSnapshot[]> => {
      const route = { method: 'GET', path: `${ONE}/history` } as const
      const input = { params: { zone_id: zoneId, page_id: pageId }, query: { per_page: MAX_OBSERVATIONS } }
      return (await call<typeof pageShieldPages.history>(route, input, { signal })).result
    },
  })

export async function watchPage(zoneId: string, body: WatchedPagePost): Promise<WireWatchedPage> {
  const route = { method: 'POST', path: ROOT } as const
  return (await call<typeof pageShieldPages.create>(route, { params: { zone_id: zoneId }, body })).result
}

export async function changeInterval(zoneId: string, pageId: string, minutes: number): Promise<void> {
  const route = { method: 'PATCH', path: ONE } as const
  const input = { params: { zone_id: zoneId, page_id: pageId }, body: { interval_minutes: minutes } }
  await call<typeof pageShieldPages.edit>(route, input)
}

export async function checkPage(zoneId: string, pageId: string): Promise<void> {
  const route = { method: 'POST', path: `${ONE}/check` } as const
  await call<typeof pageShieldPages.check>(route, { params: { zone_id: zoneId, page_id: pageId }, body: {} })
}

export async function stopWatching(zoneId: string, pageId: string): Promise<void> {
  const route = { method: 'DELETE', path: ONE } as const
  await call<typeof pageShieldPages.delete>(route, { params: { zone_id: zoneId, page_id: pageId } })
}
