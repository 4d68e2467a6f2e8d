// The history of a zone: its change sets, and undoing one.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ChangeListQuery, changes, WireChange, WireStateDiff } from '@zonereeve/contract'
import { call } from './call.ts'
import { zoneKeys } from './zones.ts'

const CHANGES_PER_PAGE = 50

export type ChangeFilter = Omit<ChangeListQuery, 'page' | 'per_page'>

/** Change sets that match, newest first. */
export const changeList = (zoneId: string, filter: ChangeFilter) =>
  infiniteQueryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'changes', 'list', filter],
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/changes' } as const
      const query = { ...filter, page: pageParam, per_page: CHANGES_PER_PAGE }
      return call<typeof changes.list>(route, { params: { zone_id: zoneId }, query }, { signal })
    },
    getNextPageParam: ({ info }) =>
      info !== undefined && info.page < info.total_pages ? info.page + 1 : undefined,
  })

export const changeNumbered = (zoneId: string, number: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'change', number],
    // A change set never changes.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<WireChange> => {
      const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/changes/{number}' } as const
      const params = { zone_id: zoneId, number }
      return (await call<typeof changes.get>(route, { params }, { signal })).result
    },
  })

/** What differs between the records after two change sets. */
export const stateDiff = (zoneId: string, from: string, to: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'diff', from, to],
    // Neither state ever changes.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<WireStateDiff> => {
      const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/diff' } as const
      const input = { params: { zone_id: zoneId }, query: { from, to } }
      return (await call<typeof changes.compare>(route, input, { signal })).result
    },
  })

/** Undoes one change set, or says what that would do. */
export function revertChange(zoneId: string, number: string, options: { readonly isRehearsal: boolean }) {
  const route = { method: 'POST', path: '/zonereeve/zones/{zone_id}/changes/{number}/revert' } as const
  return call<typeof changes.revert>(route, { params: { zone_id: zoneId, number }, body: {} }, options)
}

/** Brings all records back to their state after a change set, or says what that would do. */
export function restoreTo(zoneId: string, number: string, options: { readonly isRehearsal: boolean }) {
  const route = { method: 'POST', path: '/zonereeve/zones/{zone_id}/restore' } as const
  const input = { params: { zone_id: zoneId }, body: { number: Number(number) } }
  return call<typeof changes.restore>(route, input, options)
}
