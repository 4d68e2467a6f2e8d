// What browsers were seen to load on a zone's pages, and whether reports are collected.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  ConnectionQuery,
  CookieQuery,
  pageShield,
  pageShieldLoads,
  PageShieldPut,
  ScriptQuery,
  WireCode,
  WireConnection,
  WireCookie,
  WireLoad,
  WirePageShield,
  WireScript,
} from '@zonereeve/contract'
import { call, type Answer } from './call.ts'
import { zoneKeys } from './zones.ts'

export type {
  WireCode,
  WireConnection,
  WireCookie,
  WireLoad,
  WirePageShield,
  WireScript,
} from '@zonereeve/contract'

export const ITEMS_PER_PAGE = 100

export type ScriptFilter = Omit<Partial<ScriptQuery>, 'page' | 'per_page' | 'export'>
export type ConnectionFilter = Omit<Partial<ConnectionQuery>, 'page' | 'per_page' | 'export'>
export type CookieFilter = Omit<Partial<CookieQuery>, 'page' | 'per_page' | 'export'>
export type LoadKind = WireLoad['kind']
export interface CodeFilter {
  readonly kind?: WireCode['kind']
}

const base = (zoneId: string) => [...zoneKeys.of(zoneId), 'monitoring'] as const

export const monitoringOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...base(zoneId), 'settings'],
    queryFn: async ({ signal }): Promise<WirePageShield> => {
      const route = { method: 'GET', path: '/zones/{zone_id}/page_shield' } as const
      return (await call<typeof pageShield.get>(route, { params: { zone_id: zoneId } }, { signal })).result
    },
  })

export async function changeMonitoring(zoneId: string, body: PageShieldPut): Promise<void> {
  const route = { method: 'PUT', path: '/zones/{zone_id}/page_shield' } as const
  await call<typeof pageShield.put>(route, { params: { zone_id: zoneId }, body })
}

type Load<Item> = (
  input: { readonly page: string; readonly per_page: number },
  signal: AbortSignal,
) => Promise<Answer<readonly Item[]>>

/** A page of a list. The first one shows what was there before until another filter has its answer. */
export const listPage = <Item>(key: readonly unknown[], page: number, load: Load<Item>) =>
  queryOptions({
    queryKey: [...key, page],
    queryFn: ({ signal }) => load({ page: String(page), per_page: ITEMS_PER_PAGE }, signal),
    ...(page === 1 && { placeholderData: keepPreviousData }),
  })

export type ListPage<Item> = ReturnType<typeof listPage<Item>>

export const scriptsPage = (zoneId: string, filter: ScriptFilter, page: number) =>
  listPage<WireScript>([...base(zoneId), 'scripts', filter], page, (paging, signal) => {
    const route = { method: 'GET', path: '/zones/{zone_id}/page_shield/scripts' } as const
    const input = { params: { zone_id: zoneId }, query: { ...filter, ...paging } }
    return call<typeof pageShield.listScripts>(route, input, { signal })
  })

export const connectionsPage = (zoneId: string, filter: ConnectionFilter, page: number) =>
  listPage<WireConnection>([...base(zoneId), 'connections', filter], page, (paging, signal) => {
    const route = { method: 'GET', path: '/zones/{zone_id}/page_shield/connections' } as const
    const input = { params: { zone_id: zoneId }, query: { ...filter, ...paging } }
    return call<typeof pageShield.listConnections>(route, input, { signal })
  })

export const cookiesPage = (zoneId: string, filter: CookieFilter, page: number) =>
  listPage<WireCookie>([...base(zoneId), 'cookies', filter], page, (paging, signal) => {
    const route = { method: 'GET', path: '/zones/{zone_id}/page_shield/cookies' } as const
    const input = { params: { zone_id: zoneId }, query: { ...filter, ...paging } }
    return call<typeof pageShield.listCookies>(route, input, { signal })
  })

export const loadsPage = (zoneId: string, kind: LoadKind, filter: ConnectionFilter, page: number) =>
  listPage<WireLoad>([...base(zoneId), kind, filter], page, (paging, signal) => {
    const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/page_shield/loads' } as const
    const input = { params: { zone_id: zoneId }, query: { ...filter, ...paging, kind } }
    return call<typeof pageShieldLoads.listLoads>(route, input, { signal })
  })

export const codePage = (zoneId: string, filter: CodeFilter, page: number) =>
  listPage<WireCode>([...base(zoneId), 'code', filter], page, ({ per_page: perPage }, signal) => {
    const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/page_shield/code' } as const
    const input = { params: { zone_id: zoneId }, query: { ...filter, page, per_page: perPage } }
    return call<typeof pageShieldLoads.listCode>(route, input, { signal })
  })

export const connectionOf = (zoneId: string, id: string) =>
  queryOptions({
    queryKey: [...base(zoneId), 'connection', id],
    queryFn: async ({ signal }): Promise<WireConnection> => {
      const route = {
        method: 'GET',
        path: '/zones/{zone_id}/page_shield/connections/{connection_id}',
      } as const
      const params = { zone_id: zoneId, connection_id: id }
      return (await call<typeof pageShield.getConnection>(route, { params }, { signal })).result
    },
  })

export const cookieOf = (zoneId: string, id: string) =>
  queryOptions({
    queryKey: [...base(zoneId), 'cookie', id],
    queryFn: async ({ signal }): Promise<WireCookie> => {
      const route = { method: 'GET', path: '/zones/{zone_id}/page_shield/cookies/{cookie_id}' } as const
      const params = { zone_id: zoneId, cookie_id: id }
      return (await call<typeof pageShield.getCookie>(route, { params }, { signal })).result
    },
  })

/** Where a browser gets everything that passes a filter, as CSV. */
export function csvPath(
  zoneId: string,
  list: 'scripts' | 'connections' | 'cookies',
  filter: ScriptFilter | ConnectionFilter | CookieFilter,
): string {
  const search = new URLSearchParams({ export: 'csv' })
  for (const [name, value] of Object.entries(filter)) search.set(name, String(value))
  return `/client/v4/zones/${zoneId}/page_shield/${list}?${search.toString()}`
}
