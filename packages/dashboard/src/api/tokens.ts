// Tokens of the user of the session.
import { queryOptions } from '@tanstack/react-query'
import type { TokenDraft, userTokens, WireToken, WireZone, zones } from '@zonereeve/contract'
import { call } from './call.ts'

export type { TokenDraft, WireToken } from '@zonereeve/contract'

const TOKENS = '/user/tokens'
const ONE = `${TOKENS}/{token_id}` as const
const ALL = 1000

export const tokenList = queryOptions({
  queryKey: ['tokens'],
  queryFn: async ({ signal }) => {
    const route = { method: 'GET', path: TOKENS } as const
    return (await call<typeof userTokens.list>(route, { query: { per_page: ALL } }, { signal })).result
  },
})

/** Ids of permission groups, by their name. */
export const permissionGroupIds = queryOptions({
  queryKey: ['permission-groups'],
  staleTime: Infinity,
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
    const route = { method: 'GET', path: `${TOKENS}/permission_groups` } as const
    const { result } = await call<typeof userTokens.permissionGroups>(route, {}, { signal })
    return new Map(result.map(({ id, name }) => [name, id]))
  },
})

/** @returns the token with its value, which is shown only here. */
export const createToken = async (body: TokenDraft): Promise<WireToken> =>
  (await call<typeof userTokens.create>({ method: 'POST', path: TOKENS }, { body })).result

const paramsOf = ({ id }: WireToken) => ({ params: { token_id: id } })

/** @returns the new value. */
export const rollToken = async (token: WireToken): Promise<string> => {
  const route = { method: 'PUT', path: `${ONE}/value` } as const
  return (await call<typeof userTokens.roll>(route, { ...paramsOf(token), body: {} })).result
}

export const switchToken = (token: WireToken, isOn: boolean) => {
  const { name, policies, condition, not_before, expires_on } = token
  const body: TokenDraft = {
    name,
    policies,
    status: isOn ? 'active' : 'disabled',
    ...(condition === undefined ? {} : { condition }),
    ...(not_before === undefined ? {} : { not_before }),
    ...(expires_on === undefined ? {} : { expires_on }),
  }
  return call<typeof userTokens.update>({ method: 'PUT', path: ONE }, { ...paramsOf(token), body })
}

export const revokeToken = (token: WireToken) =>
  call<typeof userTokens.delete>({ method: 'DELETE', path: ONE }, paramsOf(token))

/** The zone with this id; null if the caller may not see it. */
export const zoneWithId = (id: string) =>
  queryOptions({
    queryKey: ['zone', id, 'name'],
    staleTime: 60_000,
    retry: false,
    queryFn: async ({ signal }): Promise<WireZone | null> => {
      const route = { method: 'GET', path: '/zones/{zone_id}' } as const
      try {
        return (await call<typeof zones.get>(route, { params: { zone_id: id } }, { signal })).result
      } catch {
        return null // a zone that was deleted, or of others: its id is shown
      }
    },
  })
