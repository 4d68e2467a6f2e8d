// How a zone's SOA, name servers and aliases are answered.
import { queryOptions } from '@tanstack/react-query'
import type { dnsSettings, DnsSettingsPatch, ownDnsSettings, OwnDnsSettingsPatch } from '@zonereeve/contract'
import { call } from './call.ts'
import { zoneKeys } from './zones.ts'

export type { DnsSettingsPatch, WireDnsSettings } from '@zonereeve/contract'

export const dnsSettingsOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'dns-settings'],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/zones/{zone_id}/dns_settings' } as const
      return (await call<typeof dnsSettings.get>(route, { params: { zone_id: zoneId } }, { signal })).result
    },
  })

export function changeDnsSettings(zoneId: string, body: DnsSettingsPatch) {
  const route = { method: 'PATCH', path: '/zones/{zone_id}/dns_settings' } as const
  return call<typeof dnsSettings.patch>(route, { params: { zone_id: zoneId }, body })
}

/** Settings that only this server has. */
export const ownDnsSettingsOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'own-dns-settings'],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/dns_settings' } as const
      return (await call<typeof ownDnsSettings.get>(route, { params: { zone_id: zoneId } }, { signal }))
        .result
    },
  })

export function changeOwnDnsSettings(zoneId: string, body: OwnDnsSettingsPatch) {
  const route = { method: 'PATCH', path: '/zonereeve/zones/{zone_id}/dns_settings' } as const
  return call<typeof ownDnsSettings.patch>(route, { params: { zone_id: zoneId }, body })
}
