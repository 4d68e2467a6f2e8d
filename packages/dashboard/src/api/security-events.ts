// The security events of a zone: pages of the list, counts, one event, and the address of the export.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  securityEvents,
  StaticOf,
  WireSecurityEvent,
  WireSecurityEventSummary,
} from '@zonereeve/contract'
import { call } from './call.ts'
import { zoneKeys } from './zones.ts'

export type { WireSecurityEvent, WireSecurityEventSummary } from '@zonereeve/contract'

export type EventQuery = Readonly<StaticOf<(typeof securityEvents.export)['query']>>

/** A range that ends now is asked for again as it is then. */
export interface EventRange {
  readonly query: EventQuery
  /** The range reaches back so far from now. */
  readonly sinceMillis: number | undefined
}

const EVENTS_PER_PAGE = 100
const FOLLOWING_MILLIS = 5_000

const keysOf = (zoneId: string) => [...zoneKeys.of(zoneId), 'security events'] as const

export const queryOf = ({ query, sinceMillis }: EventRange): EventQuery =>
  sinceMillis === undefined ? query : { ...query, since: new Date(Date.now() - sinceMillis).toISOString() }

/** Newest first. */
export const eventPages = (zoneId: string, range: EventRange, isFollowing: boolean) =>
  infiniteQueryOptions({
    queryKey: [...keysOf(zoneId), 'list', range],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    refetchInterval: isFollowing ? FOLLOWING_MILLIS : false,
    queryFn: async ({ pageParam, signal }) => {
      const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/security/events' } as const
      const after = pageParam === '' ? {} : { cursor: pageParam }
      const query = { ...queryOf(range), per_page: EVENTS_PER_PAGE, ...after }
      return call<typeof securityEvents.list>(route, { params: { zone_id: zoneId }, query }, { signal })
    },
    getNextPageParam: ({ after }) => after,
  })

export const eventSummary = (zoneId: string, range: EventRange, isFollowing: boolean) =>
  queryOptions({
    queryKey: [...keysOf(zoneId), 'summary', range],
    placeholderData: keepPreviousData,
    refetchInterval: isFollowing ? FOLLOWING_MILLIS : false,
    queryFn: async ({ signal }): Promise<WireSecurityEventSummary> => {
      const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/security/events/summary' } as const
      const input = { params: { zone_id: zoneId }, query: queryOf(range) }
      return (await call<typeof securityEvents.summary>(route, input, { signal })).result
    },
  })

/** null if it is not kept. */
export const eventWithRay = (zoneId: string, ray: string) =>
  queryOptions({
    queryKey: [...keysOf(zoneId), 'ray', ray],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<WireSecurityEvent | null> => {
      const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/security/events' } as const
      const input = { params: { zone_id: zoneId }, query: { ray_id: ray, per_page: 1 } }
      const { result } = await call<typeof securityEvents.list>(route, input, { signal })
      return result[0] ?? null
    },
  })

/** The same events as a file. */
export function exportPath(zoneId: string, range: EventRange): string {
  const search = new URLSearchParams(Object.entries(queryOf(range)).map(([name, value]) => [name, value]))
  return `/client/v4/zonereeve/zones/${zoneId}/security/events/export?${search.toString()}`
}
