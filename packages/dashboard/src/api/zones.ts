// Zones, as queries and writes.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  accounts,
  changes,
  dnsRecords,
  dnssec,
  query as nameserver,
  WireZone,
  WireZoneNeedingAttention,
  zoneAttention,
  ZoneDraft,
  ZoneListQuery,
  zones,
  zoneSummaries,
} from '@zonereeve/contract'
import { call, type Answer } from './call.ts'

export type { WireZone, WireZoneSummary } from '@zonereeve/contract'

export const ZONES_PER_PAGE = 100

/** A zone in a list of those that need attention has the reasons. */
export type ListedZone = WireZone & Partial<Pick<WireZoneNeedingAttention, 'reasons'>>

export type ZoneFilter = Pick<ZoneListQuery, 'name' | 'status' | 'order' | 'direction'> & {
  /** Only zones that need attention, by name. It stands alone. */
  readonly needsAttention?: true
}

export const zoneKeys = {
  all: ['zones'] as const,
  list: (filter: ZoneFilter) => ['zones', 'list', filter] as const,
  named: (name: string) => ['zones', 'named', name] as const,
  of: (zoneId: string) => ['zone', zoneId] as const,
  /** What each zone has. */
  ofEach: ['zone'] as const,
}

export const zonesPage = (filter: ZoneFilter, page: number) =>
  queryOptions({
    queryKey: [...zoneKeys.list(filter), page],
    queryFn: async ({ signal }): Promise<Answer<readonly ListedZone[]>> => {
      const { needsAttention, ...asked } = filter
      const range = { page, per_page: ZONES_PER_PAGE }
      if (needsAttention === true) return zonesNeedingAttention(range, signal)
      return call<typeof zones.list>(
        { method: 'GET', path: '/zones' },
        { query: { ...asked, ...range } },
        { signal },
      )
    },
  })

async function zonesNeedingAttention(
  range: { readonly page?: number; readonly per_page: number },
  signal: AbortSignal,
): Promise<Answer<readonly ListedZone[]>> {
  const route = { method: 'GET', path: '/zonereeve/zone_attention' } as const
  const answer = await call<typeof zoneAttention.list>(route, { query: range }, { signal })
  return { ...answer, result: answer.result.map(({ zone, reasons }) => ({ ...zone, reasons })) }
}

const ATTENTION_MILLIS = 60_000

/** How many zones need attention, of those that the reader may see. */
export const attentionCount = queryOptions({
  queryKey: [...zoneKeys.all, 'attention'],
  refetchInterval: ATTENTION_MILLIS,
  queryFn: async ({ signal }) => {
    const { info } = await zonesNeedingAttention({ per_page: 1 }, signal)
    return { count: info?.total_count, isComplete: info?.is_complete !== false }
  },
})

/** How many zones the reader may see. */
export const zoneCount = queryOptions({
  queryKey: [...zoneKeys.all, 'count'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const route = { method: 'GET', path: '/zones' } as const
    return (await call<typeof zones.list>(route, { query: { per_page: 1 } }, { signal })).info?.total_count
  },
})

/** The first page keeps what was shown before until a new filter has its answer. */
export const firstZonesPage = (filter: ZoneFilter) =>
  queryOptions({ ...zonesPage(filter, 1), placeholderData: keepPreviousData })

const summarize = async (ids: readonly string[], signal: AbortSignal) => {
  const route = { method: 'GET', path: '/zonereeve/zone_summaries' } as const
  const query = { ids: ids.join(',') }
  return (await call<typeof zoneSummaries.list>(route, { query }, { signal })).result
}

/** What the navigation and the tabs of one zone count. */
export const zoneSummary = (zoneId: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'summary'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => (await summarize([zoneId], signal))[0] ?? null,
  })

/** What the list says of these zones, by id. */
export const summariesOf = (ids: readonly string[]) =>
  queryOptions({
    // One text: a key is serialized at each render, member by member.
    queryKey: [...zoneKeys.all, 'summaries', ids.join()],
    enabled: ids.length > 0,
    queryFn: async ({ signal }) =>
      new Map((await summarize(ids, signal)).map((summary) => [summary.id, summary])),
  })

/** The zone of this name; null if there is none that the caller may see. */
export const zoneNamed = (name: string) =>
  queryOptions({
    queryKey: zoneKeys.named(name),
    staleTime: 60_000,
    queryFn: ({ signal }) => findZone(name, signal),
  })

/** @returns null if there is none that the reader may see */
export async function findZone(name: string, signal: AbortSignal): Promise<WireZone | null> {
  const query = { name, per_page: 1 }
  const { result } = await call<typeof zones.list>({ method: 'GET', path: '/zones' }, { query }, { signal })
  return result[0] ?? null
}

const MATCHES_SHOWN = 8

/** Some zones with these words in their name, for the palette. */
export const zonesMatching = (words: string) =>
  queryOptions({
    queryKey: ['zones', 'matching', words],
    queryFn: async ({ signal }) => {
      const query = { name: `contains:${words}`, per_page: MATCHES_SHOWN }
      return (await call<typeof zones.list>({ method: 'GET', path: '/zones' }, { query }, { signal })).result
    },
  })

export async function createZone(draft: ZoneDraft): Promise<WireZone> {
  const { result } = await call<typeof zones.create>({ method: 'POST', path: '/zones' }, { body: draft })
  return result
}

export const recordUsage = (zoneId: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'usage'],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/zones/{zone_id}/dns_records/usage' } as const
      const { result } = await call<typeof dnsRecords.usage>(
        route,
        { params: { zone_id: zoneId } },
        { signal },
      )
      return result.record_usage
    },
  })

/** The serial that DNS answers with now; null while the zone does not answer. */
export const zoneSerial = (zoneId: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'serial'],
    queryFn: async ({ signal }): Promise<number | null> => {
      const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/query' } as const
      const input = { params: { zone_id: zoneId }, query: { name: '@', type: 'SOA' } }
      const { result } = await call<typeof nameserver.ask>(route, input, { signal })
      const line = result.answer.find((text) => / SOA /.test(text))
      const serial = / SOA \S+ \S+ (\d+) /.exec(line ?? 'none')?.[1] // absent while the zone does not answer
      return serial === undefined ? null : Number(serial)
    },
  })

export const dnssecOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'dnssec'],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/zones/{zone_id}/dnssec' } as const
      const { result } = await call<typeof dnssec.get>(route, { params: { zone_id: zoneId } }, { signal })
      return result
    },
  })

export const MAX_LISTED_ACCOUNTS = 50

export const accountList = queryOptions({
  queryKey: ['accounts'],
  staleTime: 300_000,
  queryFn: async ({ signal }) => {
    const route = { method: 'GET', path: '/accounts' } as const
    const { result } = await call<typeof accounts.list>(
      route,
      { query: { per_page: MAX_LISTED_ACCOUNTS } },
      { signal },
    )
    return result
  },
})

/** The newest change sets of a zone, which are its history's first lines. */
export const lastChanges = (zoneId: string, count: number) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'changes', 'last', count],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/changes' } as const
      const input = { params: { zone_id: zoneId }, query: { per_page: count } }
      return call<typeof changes.list>(route, input, { signal })
    },
  })
