// Keys that sign dynamic updates (RFC 2136).
import { queryOptions } from '@tanstack/react-query'
import type { updateKeys, UpdateKeyDraft, userTokens } from '@zonereeve/contract'
import { call } from './call.ts'

export const UPDATE_KEYS = ['update-keys'] as const

export const updateKeyList = queryOptions({
  queryKey: UPDATE_KEYS,
  queryFn: async ({ signal }) => {
    const route = { method: 'GET', path: '/zonereeve/update_keys' } as const
    return (await call<typeof updateKeys.list>(route, { query: { per_page: 1_000 } }, { signal })).result
  },
})

/** Tokens that a key may belong to: the caller's own. */
export const ownTokens = queryOptions({
  queryKey: ['own-tokens'],
  queryFn: async ({ signal }) => {
    const route = { method: 'GET', path: '/user/tokens' } as const
    return (await call<typeof userTokens.list>(route, { query: { per_page: 50 } }, { signal })).result
  },
})

export function createUpdateKey(body: UpdateKeyDraft) {
  return call<typeof updateKeys.create>({ method: 'POST', path: '/zonereeve/update_keys' }, { body })
}

export function deleteUpdateKey(id: string) {
  const route = { method: 'DELETE', path: '/zonereeve/update_keys/{key_id}' } as const
  return call<typeof updateKeys.delete>(route, { params: { key_id: id } })
}
