// DNS settings between wire and domain form.
import type {
  AccountDnsSettingsPatch as WireAccountPatch,
  DnsSettingsPatch as WirePatch,
  OwnDnsSettingsPatch as OwnWirePatch,
  WireAccountDnsSettings,
  WireDnsSettings,
  WireOwnDnsSettings,
} from '@zonereeve/contract'
import {
  ACCOUNT_SOA_NAMES,
  STANDARD_NAME_SERVERS,
  ZONE_NAME_SERVERS,
  type AccountDnsSettings,
  type DnsSettings,
  type DnsSettingsPatch,
} from './dns-settings.rules.ts'
import type { AccountPatch, ZoneDnsSettings } from './dns-settings.service.ts'
import type { SoaNames } from './soa.rules.ts'

export function toWireSettings({
  zone,
  settings,
  soaNames,
  nameServerSet,
}: ZoneDnsSettings): WireDnsSettings {
  const type = zone.vanityNameServers.length > 0 ? ZONE_NAME_SERVERS : STANDARD_NAME_SERVERS
  return inOrder(settings, { type, ns_set: nameServerSet }, soaNames)
}

export function toWireAccountSettings(settings: AccountDnsSettings): WireAccountDnsSettings {
  return {
    zone_defaults: inOrder(settings.zoneDefaults, { type: STANDARD_NAME_SERVERS }, ACCOUNT_SOA_NAMES),
    enforce_dns_only: settings.enforceDnsOnly,
  }
}

/** @param defaults shown if no name is set. */
function inOrder(
  settings: DnsSettings,
  nameservers: WireDnsSettings['nameservers'],
  defaults: SoaNames,
): WireDnsSettings {
  const { soa } = settings
  return {
    flatten_all_cnames: settings.flattenAllCnames,
    foundation_dns: false,
    internal_dns: {},
    multi_provider: settings.multiProvider,
    nameservers,
    ns_ttl: settings.nsTtlSeconds,
    secondary_overrides: settings.secondaryOverrides,
    soa: {
      mname: soa.mname ?? defaults.mname,
      rname: soa.rname ?? defaults.rname,
      refresh: soa.refreshSeconds,
      retry: soa.retrySeconds,
      expire: soa.expireSeconds,
      min_ttl: soa.minimumTtlSeconds,
      ttl: soa.ttlSeconds,
    },
    zone_mode: settings.zoneMode,
  }
}

export function toPatch(patch: WirePatch): DnsSettingsPatch {
  const { soa = {} } = patch
  return {
    flattenAllCnames: patch.flatten_all_cnames,
    foundationDns: patch.foundation_dns,
    referenceZoneId: patch.internal_dns?.reference_zone_id ?? undefined,
    multiProvider: patch.multi_provider,
    nameServersType: patch.nameservers?.type,
    nameServerSet: patch.nameservers?.ns_set ?? undefined,
    nsTtlSeconds: patch.ns_ttl,
    secondaryOverrides: patch.secondary_overrides,
    zoneMode: patch.zone_mode,
    zoneDigest: undefined,
    soa: {
      mname: soa.mname,
      rname: soa.rname,
      refreshSeconds: soa.refresh,
      retrySeconds: soa.retry,
      expireSeconds: soa.expire,
      minimumTtlSeconds: soa.min_ttl,
      ttlSeconds: soa.ttl,
    },
  }
}

export const toOwnWireSettings = ({ settings }: ZoneDnsSettings): WireOwnDnsSettings => ({
  zone_digest: settings.zoneDigest,
})

export const toOwnPatch = ({ zone_digest: zoneDigest }: OwnWirePatch): DnsSettingsPatch => ({
  ...toPatch({}),
  zoneDigest,
})

export function toAccountPatch(patch: WireAccountPatch): AccountPatch {
  return { zoneDefaults: toPatch(patch.zone_defaults ?? {}), enforceDnsOnly: patch.enforce_dns_only }
}
