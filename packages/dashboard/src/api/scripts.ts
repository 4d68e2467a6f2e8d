// One script: its content, the reasons for its scores, its authorization.
import { queryOptions } from '@tanstack/react-query'
import type {
  AuthorizationPut,
  pageShield,
  pageShieldAuthorizations,
  pageShieldExtensions,
  pageShieldSources,
  WireAuthorization,
  WireContents,
  WireExplanation,
  WireScript,
  WireScriptDiff,
} from '@zonereeve/contract'
import { ApiError, call } from './call.ts'
import { zoneKeys } from './zones.ts'

export type { WireAuthorization, WireContents, WireExplanation, WireScriptDiff } from '@zonereeve/contract'

const base = (zoneId: string, scriptId: string) =>
  [...zoneKeys.of(zoneId), 'monitoring', 'script', scriptId] as const
const paramsOf = (zoneId: string, scriptId: string) => ({ zone_id: zoneId, script_id: scriptId })

export const scriptOf = (zoneId: string, scriptId: string) =>
  queryOptions({
    queryKey: [...base(zoneId, scriptId), 'seen'],
    queryFn: async ({ signal }): Promise<WireScript> => {
      const route = { method: 'GET', path: '/zones/{zone_id}/page_shield/scripts/{script_id}' } as const
      const params = paramsOf(zoneId, scriptId)
      return (await call<typeof pageShield.getScript>(route, { params }, { signal })).result
    },
  })

export const explanationOf = (zoneId: string, scriptId: string) =>
  queryOptions({
    queryKey: [...base(zoneId, scriptId), 'explanation'],
    queryFn: async ({ signal }): Promise<WireExplanation> => {
      const route = {
        method: 'GET',
        path: '/zonereeve/zones/{zone_id}/page_shield/scripts/{script_id}/explanation',
      } as const
      const params = paramsOf(zoneId, scriptId)
      return (await call<typeof pageShieldExtensions.explanation>(route, { params }, { signal })).result
    },
  })

export const contentsOf = (zoneId: string, scriptId: string) =>
  queryOptions({
    queryKey: [...base(zoneId, scriptId), 'contents'],
    queryFn: async ({ signal }): Promise<WireContents> => {
      const route = {
        method: 'GET',
        path: '/zonereeve/zones/{zone_id}/page_shield/scripts/{script_id}/contents',
      } as const
      const params = paramsOf(zoneId, scriptId)
      return (await call<typeof pageShieldExtensions.contents>(route, { params }, { signal })).result
    },
  })

/** @param from The earlier content, by its SHA-256. */
export const diffOf = (zoneId: string, scriptId: string, from: string, to: string) =>
  queryOptions({
    queryKey: [...base(zoneId, scriptId), 'diff', from, to],
    queryFn: async ({ signal }): Promise<WireScriptDiff> => {
      const route = {
        method: 'GET',
        path: '/zonereeve/zones/{zone_id}/page_shield/scripts/{script_id}/diff',
      } as const
      const input = { params: paramsOf(zoneId, scriptId), query: { from, to } }
      return (await call<typeof pageShieldSources.diff>(route, input, { signal })).result
    },
    staleTime: Infinity, // contents are named by their hash
  })

/** Where a browser gets the source of a content, as a text file to save. */
export const sourcePath = (zoneId: string, scriptId: string, sha256: string): string =>
  `/client/v4/zonereeve/zones/${zoneId}/page_shield/scripts/${scriptId}/contents/${sha256}`

/** Authorizations of these scripts, by the script's ID. Those without one are missing. */
export const authorizationsOf = (zoneId: string, scriptIds: readonly string[]) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'monitoring', 'authorizations', scriptIds],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, WireAuthorization>> => {
      const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/page_shield/authorizations' } as const
      const query = { script_ids: scriptIds.join(','), per_page: scriptIds.length }
      const input = { params: { zone_id: zoneId }, query }
      const { result } = await call<typeof pageShieldAuthorizations.list>(route, input, { signal })
      return new Map(result.map((one) => [one.script_id, one]))
    },
    enabled: scriptIds.length > 0,
  })

const AUTHORIZATION = '/zonereeve/zones/{zone_id}/page_shield/scripts/{script_id}/authorization'

/** null if it is not authorized. */
export const authorizationOf = (zoneId: string, scriptId: string) =>
  queryOptions({
    queryKey: [...base(zoneId, scriptId), 'authorization'],
    queryFn: async ({ signal }): Promise<WireAuthorization | null> => {
      const route = { method: 'GET', path: AUTHORIZATION } as const
      const params = paramsOf(zoneId, scriptId)
      try {
        return (await call<typeof pageShieldAuthorizations.get>(route, { params }, { signal })).result
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })

export async function authorize(zoneId: string, scriptId: string, body: AuthorizationPut): Promise<void> {
  const route = { method: 'PUT', path: AUTHORIZATION } as const
  const params = paramsOf(zoneId, scriptId)
  await call<typeof pageShieldAuthorizations.put>(route, { params, body })
}

export async function withdrawAuthorization(zoneId: string, scriptId: string): Promise<void> {
  const route = { method: 'DELETE', path: AUTHORIZATION } as const
  const params = paramsOf(zoneId, scriptId)
  await call<typeof pageShieldAuthorizations.delete>(route, { params })
}

export async function fetchScript(zoneId: string, scriptId: string): Promise<void> {
  const route = {
    method: 'POST',
    path: '/zonereeve/zones/{zone_id}/page_shield/scripts/{script_id}/fetch',
  } as const
  const params = paramsOf(zoneId, scriptId)
  await call<typeof pageShieldExtensions.fetchNow>(route, { params, body: {} })
}
