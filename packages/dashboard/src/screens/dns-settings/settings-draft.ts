// The DNS settings while they are edited: fields as text, and the patch of what changed.
import type { DnsSettingsPatch, WireDnsSettings } from '../../api/dns-settings.ts'
import { dnsSettingStrings } from '../../strings/dns-settings.ts'

export const SOA_NAMES = ['mname', 'rname'] as const
export const SOA_SECONDS = ['refresh', 'retry', 'expire', 'min_ttl', 'ttl'] as const
type SoaMember = (typeof SOA_NAMES)[number] | (typeof SOA_SECONDS)[number]

export interface SettingsDraft {
  readonly soa: Readonly<Record<SoaMember, string>>
  readonly nsTtl: string
  readonly mode: string
  readonly flattens: boolean
  readonly isMultiProvider: boolean
}

export function settingsDraft({ soa, ns_ttl, zone_mode, ...settings }: WireDnsSettings): SettingsDraft {
  return {
    soa: {
      mname: soa.mname,
      rname: soa.rname,
      refresh: String(soa.refresh),
      retry: String(soa.retry),
      expire: String(soa.expire),
      min_ttl: String(soa.min_ttl),
      ttl: String(soa.ttl),
    },
    nsTtl: String(ns_ttl),
    mode: zone_mode,
    flattens: settings.flatten_all_cnames,
    isMultiProvider: settings.multi_provider,
  }
}

/** What is wrong before the server is asked, by field; ranges are the server's to check. */
export function settingsErrors({ soa, nsTtl }: SettingsDraft): Readonly<Record<string, string>> {
  const seconds = [...SOA_SECONDS.map((member) => [member, soa[member]] as const), ['ns_ttl', nsTtl] as const]
  const wrong = seconds.filter(([, value]) => !/^\d+$/.test(value.trim()))
  return Object.fromEntries(wrong.map(([member]) => [member, dnsSettingStrings.notNumber]))
}

/** Only what changed; undefined if nothing did. */
export function settingsPatch(before: SettingsDraft, after: SettingsDraft): DnsSettingsPatch | undefined {
  const names = SOA_NAMES.filter((member) => before.soa[member] !== after.soa[member]).map(
    (member) => [member, after.soa[member].trim() === '' ? null : after.soa[member].trim()] as const,
  )
  const seconds = SOA_SECONDS.filter((member) => before.soa[member] !== after.soa[member]).map(
    (member) => [member, Number(after.soa[member])] as const,
  )
  const soa = Object.fromEntries([...names, ...seconds])
  const patch: DnsSettingsPatch = {
    ...(Object.keys(soa).length === 0 ? {} : { soa }),
    ...(before.nsTtl === after.nsTtl ? {} : { ns_ttl: Number(after.nsTtl) }),
    ...(before.mode === after.mode ? {} : { zone_mode: after.mode }),
    ...(before.flattens === after.flattens ? {} : { flatten_all_cnames: after.flattens }),
    ...(before.isMultiProvider === after.isMultiProvider ? {} : { multi_provider: after.isMultiProvider }),
  }
  return Object.keys(patch).length === 0 ? undefined : patch
}
