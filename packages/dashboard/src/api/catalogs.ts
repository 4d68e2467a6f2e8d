// Catalog zones of an account: the one that it publishes, and those of other nameservers, as queries and writes.
import { queryOptions } from '@tanstack/react-query'
import type {
  CatalogDraft,
  catalogZone,
  SecondaryCatalogDraft,
  secondaryCatalogs,
  WireCatalog,
  WireCatalogMember,
  WireSecondaryCatalog,
  WireSecondaryCatalogMember,
} from '@zonereeve/contract'
import { call } from './call.ts'
import { ifFound } from './transfers.ts'

export type {
  SecondaryCatalogDraft,
  WireCatalog,
  WireCatalogMember,
  WireSecondaryCatalog,
  WireSecondaryCatalogMember,
} from '@zonereeve/contract'

const OWN = '/zonereeve/accounts/{account_id}/catalog_zone'
const SECONDARY = '/zonereeve/accounts/{account_id}/secondary_catalogs'
const ONE = `${SECONDARY}/{catalog_name}` as const
/** As many as an account can follow. */
const MAX_CATALOGS = 100
export const MEMBERS_PER_PAGE = 100
/** While something is still to be done. */
const BUSY_MILLIS = 2_000

export const catalogKeys = (accountId: string) => ['catalogs', accountId] as const

export interface MemberPage<Member> {
  readonly members: readonly Member[]
  readonly total: number
}

/** The catalog zone that the account publishes; null if it publishes none. */
export const ownCatalog = (accountId: string) =>
  queryOptions({
    queryKey: [...catalogKeys(accountId), 'own'],
    queryFn: ({ signal }): Promise<WireCatalog | null> =>
      ifFound(() =>
        call<typeof catalogZone.get>(
          { method: 'GET', path: OWN },
          { params: { account_id: accountId } },
          { signal },
        ),
      ),
  })

export const ownMembers = (accountId: string, page: number) =>
  queryOptions({
    queryKey: [...catalogKeys(accountId), 'own', 'members', page],
    queryFn: async ({ signal }): Promise<MemberPage<WireCatalogMember>> => {
      const input = { params: { account_id: accountId }, query: { page, per_page: MEMBERS_PER_PAGE } }
      const { result, info } = await call<typeof catalogZone.members>(
        { method: 'GET', path: `${OWN}/members` },
        input,
        { signal },
      )
      return { members: result, total: info?.total_count ?? result.length }
    },
  })

export function saveOwnCatalog(accountId: string, body: CatalogDraft) {
  return call<typeof catalogZone.put>(
    { method: 'PUT', path: OWN },
    { params: { account_id: accountId }, body },
  )
}

export function deleteOwnCatalog(accountId: string) {
  return call<typeof catalogZone.delete>(
    { method: 'DELETE', path: OWN },
    { params: { account_id: accountId } },
  )
}

export const secondaryCatalogList = (accountId: string) =>
  queryOptions({
    queryKey: [...catalogKeys(accountId), 'secondary'],
    queryFn: async ({ signal }): Promise<readonly WireSecondaryCatalog[]> => {
      const input = { params: { account_id: accountId }, query: { per_page: MAX_CATALOGS } }
      return (
        await call<typeof secondaryCatalogs.list>({ method: 'GET', path: SECONDARY }, input, { signal })
      ).result
    },
    refetchInterval: ({ state }) => (state.data?.some(isBusy) === true ? BUSY_MILLIS : false),
  })

/** Null if the account does not follow it. */
export const secondaryCatalog = (accountId: string, name: string) =>
  queryOptions({
    queryKey: [...catalogKeys(accountId), 'secondary', name],
    queryFn: ({ signal }): Promise<WireSecondaryCatalog | null> =>
      ifFound(() =>
        call<typeof secondaryCatalogs.get>(
          { method: 'GET', path: ONE },
          { params: { account_id: accountId, catalog_name: name } },
          { signal },
        ),
      ),
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data !== null && isBusy(state.data) ? BUSY_MILLIS : false,
  })

/** Whether its state changes without anybody doing anything. */
const isBusy = ({ state, problem, members }: WireSecondaryCatalog): boolean =>
  state === 'ending' || (state === 'waiting' && problem === null) || members.pending > 0

/** @param created how many there are: they are read again when that changes */
export const secondaryMembers = (
  {
    accountId,
    name,
    created,
  }: { readonly accountId: string; readonly name: string; readonly created: number },
  page: number,
) =>
  queryOptions({
    queryKey: [...catalogKeys(accountId), 'secondary', name, 'members', created, page],
    queryFn: async ({ signal }): Promise<MemberPage<WireSecondaryCatalogMember>> => {
      const params = { account_id: accountId, catalog_name: name }
      const { result, info } = await call<typeof secondaryCatalogs.members>(
        { method: 'GET', path: `${ONE}/members` },
        { params, query: { page, per_page: MEMBERS_PER_PAGE } },
        { signal },
      )
      return { members: result, total: info?.total_count ?? result.length }
    },
    refetchInterval: ({ state }) => (state.data?.members.some(isAwaited) === true ? BUSY_MILLIS : false),
  })

const isAwaited = ({ transfers }: WireSecondaryCatalogMember): boolean =>
  transfers?.state === 'waiting' && transfers.problem === null

export function saveSecondaryCatalog(accountId: string, name: string, body: SecondaryCatalogDraft) {
  const params = { account_id: accountId, catalog_name: name }
  return call<typeof secondaryCatalogs.put>({ method: 'PUT', path: ONE }, { params, body })
}

/** Applies the version with this serial, whatever it removes. */
export function confirmVersion(accountId: string, name: string, serial: number) {
  const params = { account_id: accountId, catalog_name: name }
  const route = { method: 'POST', path: `${ONE}/confirm` } as const
  return call<typeof secondaryCatalogs.confirm>(route, { params, body: { serial } })
}

/** Queries its primaries now. */
export function checkSecondaryCatalog(accountId: string, name: string) {
  const params = { account_id: accountId, catalog_name: name }
  const route = { method: 'POST', path: `${ONE}/check` } as const
  return call<typeof secondaryCatalogs.check>(route, { params, body: {} })
}

export function deleteSecondaryCatalog(accountId: string, name: string, members: 'keep' | 'delete') {
  const params = { account_id: accountId, catalog_name: name }
  return call<typeof secondaryCatalogs.delete>(
    { method: 'DELETE', path: ONE },
    { params, query: { members } },
  )
}
