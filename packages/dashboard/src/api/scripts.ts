// One script: its content, the reasons for its scores, its authorization.
import { queryOptions } from '@tanstack/react-query'
import type {
  AuthorizationPut,
  pageShield,
  pageShieldExtensions,
  WireAuthorization,
  WireContents,
  WireExplanation,
  WireScript,
} from '@zonereeve/contract'
import { ApiError, call } from './call.ts'
import { zoneKeys } from './zones.ts'

export type { WireAuthorization, WireContents, WireExplanation } from '@zonereeve/contract'

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

const AUTHORIZATION = '/zonereeve/zones/{zone_id}/page_shield/scripts/{script_id}/authorization'

/** null if it is not authorized. */
export const authorizationOf = (zoneId: string, scriptId: string) =>
  queryOptions({
    queryKey: [...base(zoneId, scriptId), 'authorization'],
    queryFn: async ({ signal }): Promise<WireAuthorization | null> => {
      const route = { method: 'GET', path: AUTHORIZATION } as const
      const params = paramsOf(zoneId, scriptId)
      try {
        return (await call<typeof pageShieldExtensions.getAuthorization>(route, { params }, { signal }))
          .result
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })

export async function authorize(zoneId: string, scriptId: string, body: AuthorizationPut): Promise<void> {
  const route = { method: 'PUT', path: AUTHORIZATION } as const
  const params = paramsOf(zoneId, scriptId)
  await call<typeof pageShieldExtensions.putAuthorization>(route, { params, body })
}

export async function withdrawAuthorization(zoneId: string, scriptId: string): Promise<void> {
  const route = { method: 'DELETE', path: AUTHORIZATION } as const
  const params = paramsOf(zoneId, scriptId)
  await call<typeof pageShieldExtensions.deleteAuthorization>(route, { params })
}

export async function fetchScript(zoneId: string, scriptId: string): Promise<void> {
  const route = {
    method: 'POST',
    path: '/zonereeve/zones/{zone_id}/page_shield/scripts/{script_id}/fetch',
  } as const
  const params = paramsOf(zoneId, scriptId)
  await call<typeof pageShieldExtensions.fetchNow>(route, { params, body: {} })
}
