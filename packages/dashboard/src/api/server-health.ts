// The state of the server, and the settings that it runs with.
import { queryOptions } from '@tanstack/react-query'
import type { serverHealth, WireHealth, WireServerSetting } from '@zonereeve/contract'
import { call } from './call.ts'

export type { WireHealth, WireServerSetting } from '@zonereeve/contract'

const POLL_MILLIS = 10_000

export const healthOfServer = queryOptions({
  queryKey: ['server', 'health'],
  queryFn: async ({ signal }): Promise<WireHealth> => {
    const route = { method: 'GET', path: '/zonereeve/health' } as const
    return (await call<typeof serverHealth.health>(route, {}, { signal })).result
  },
  refetchInterval: POLL_MILLIS,
})

export const serverSettings = queryOptions({
  queryKey: ['server', 'settings'],
  queryFn: async ({ signal }): Promise<readonly WireServerSetting[]> => {
    const route = { method: 'GET', path: '/zonereeve/settings' } as const
    return (await call<typeof serverHealth.settings>(route, {}, { signal })).result
  },
})
