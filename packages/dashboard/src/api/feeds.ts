// Threat feeds of the server.
import { queryOptions } from '@tanstack/react-query'
import type { ThreatFeedPatch, ThreatFeedPost, threatFeeds, WireThreatFeed } from '@zonereeve/contract'
import { call } from './call.ts'

export type { ThreatFeedPost, WireThreatFeed } from '@zonereeve/contract'

const FEEDS = '/zonereeve/threat_feeds'
const ONE = `${FEEDS}/{threat_feed_id}` as const
const MAX_FEEDS = 100
/** While a feed is fetched, its state is asked for again. */
const POLL_MILLIS = 2_000

const paramsOf = (id: string) => ({ params: { threat_feed_id: id } })

const isFetched = ({ enabled, url, status }: WireThreatFeed): boolean =>
  enabled && url !== null && status.attempted_at === null

export const feedList = queryOptions({
  queryKey: ['feeds'],
  queryFn: async ({ signal }) => {
    const route = { method: 'GET', path: FEEDS } as const
    return (await call<typeof threatFeeds.list>(route, { query: { per_page: MAX_FEEDS } }, { signal })).result
  },
  refetchInterval: ({ state }) => (state.data?.some(isFetched) === true ? POLL_MILLIS : false),
})

export const feedMatches = (url: string) =>
  queryOptions({
    queryKey: ['feeds', 'matches', url],
    enabled: url !== '',
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: `${FEEDS}/matches` } as const
      return (await call<typeof threatFeeds.matches>(route, { query: { url } }, { signal })).result
    },
  })

export const addFeed = (body: ThreatFeedPost) =>
  call<typeof threatFeeds.create>({ method: 'POST', path: FEEDS }, { body })

export const changeFeed = (id: string, body: ThreatFeedPatch) =>
  call<typeof threatFeeds.edit>({ method: 'PATCH', path: ONE }, { ...paramsOf(id), body })

export const fetchFeed = (id: string) =>
  call<typeof threatFeeds.refresh>({ method: 'POST', path: `${ONE}/refresh` }, { ...paramsOf(id), body: {} })

export const acceptFeed = (id: string) =>
  call<typeof threatFeeds.accept>({ method: 'POST', path: `${ONE}/accept` }, { ...paramsOf(id), body: {} })

export const deleteFeed = (id: string) =>
  call<typeof threatFeeds.delete>({ method: 'DELETE', path: ONE }, paramsOf(id))

/** Replaces all entries of a feed without URL. */
export const uploadEntries = async (id: string, file: File) =>
  call<typeof threatFeeds.upload>({ method: 'PUT', path: `${ONE}/entries` }, paramsOf(id), {
    upload: { type: 'application/octet-stream', text: file },
  })
