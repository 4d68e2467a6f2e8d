// DNSSEC of a zone: its keys, rollovers, and what the parent publishes.
import { queryOptions } from '@tanstack/react-query'
import type { dnssec, DnssecPatch, dnssecKeys, DnssecRoll } from '@zonereeve/contract'
import { call } from './call.ts'
import { zoneKeys } from './zones.ts'

export type { WireDnssec, WireDnssecKeys } from '@zonereeve/contract'

export const signingKeys = (zoneId: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'dnssec', 'keys'],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/dnssec/keys' } as const
      return (await call<typeof dnssecKeys.list>(route, { params: { zone_id: zoneId } }, { signal })).result
    },
  })

export function changeSigning(zoneId: string, body: DnssecPatch) {
  const route = { method: 'PATCH', path: '/zones/{zone_id}/dnssec' } as const
  return call<typeof dnssec.patch>(route, { params: { zone_id: zoneId }, body })
}

export function rollKey(zoneId: string, body: DnssecRoll) {
  const route = { method: 'POST', path: '/zonereeve/zones/{zone_id}/dnssec/roll' } as const
  return call<typeof dnssecKeys.roll>(route, { params: { zone_id: zoneId }, body })
}

/** Asks the parent which DS it publishes. */
export function checkParent(zoneId: string) {
  const route = { method: 'POST', path: '/zonereeve/zones/{zone_id}/dnssec/parent_check' } as const
  return call<typeof dnssecKeys.parent>(route, { params: { zone_id: zoneId }, body: {} })
}
