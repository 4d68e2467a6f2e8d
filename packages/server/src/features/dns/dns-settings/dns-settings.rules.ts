// Rules of DNS settings: a patch merged into the settings gives valid settings, or every broken rule is reported.
import type { ErrorCode, Issue } from '@zonereeve/platform'
import {
  DEFAULT_PUBLICATION_SETTINGS,
  type PublicationSettings,
  type SoaSettings,
} from '../../zones/index.ts'
import { patchSoa, rangeIssues, type SoaBounds, type SoaNames, type SoaPatch } from './soa.rules.ts'

/** The stored settings of a zone, or an account's defaults for new zones. */
export interface DnsSettings {
  readonly flattenAllCnames: boolean
  readonly multiProvider: boolean
  readonly nsTtlSeconds: number
  readonly secondaryOverrides: boolean
  readonly zoneMode: ZoneMode
  readonly zoneDigest: boolean
  readonly soa: SoaSettings
}

export interface AccountDnsSettings {
  readonly zoneDefaults: DnsSettings
  /** Every proxied record of the account is answered as if it were not proxied. */
  readonly enforceDnsOnly: boolean
}

type ZoneMode = PublicationSettings['zoneMode']

/** The client's changes; undefined = not given. */
export interface DnsSettingsPatch {
  readonly flattenAllCnames: boolean | undefined
  readonly foundationDns: boolean | undefined
  readonly referenceZoneId: string | undefined
  readonly multiProvider: boolean | undefined
  readonly nameServersType: string | undefined
  readonly nameServerSet: number | undefined
  readonly nsTtlSeconds: number | undefined
  readonly secondaryOverrides: boolean | undefined
  readonly zoneMode: string | undefined
  readonly zoneDigest: boolean | undefined
  readonly soa: SoaPatch
}

/** The zone or account that the settings belong to. */
export interface SettingsContext {
  readonly soaBounds: SoaBounds
  /** JSON pointer to the settings within the body: empty, or `/zone_defaults`. */
  readonly at: string
  /** Why SOA values may not be changed; undefined if they may. */
  readonly soaRefusal: Issue | undefined
  /** Undefined for an account's defaults. */
  readonly zone: ZoneContext | undefined
  /** The numbers of the sets of name servers that can be chosen. */
  readonly openSets: readonly number[]
}

interface ZoneContext {
  readonly type: string
  readonly hasVanityNameServers: boolean
  /** The default names of the SOA. */
  readonly soaNames: SoaNames
}

/** Name servers are not stored here: the type only says which of the two kinds a zone has. */
export const STANDARD_NAME_SERVERS = 'cloudflare.standard'
export const ZONE_NAME_SERVERS = 'custom.zone'
/** The plan (of zones) and type (of accounts) that allows changing SOA values (specification §2.2 rule 7). */
export const SOA_PLAN = 'enterprise'

/** An account has no names to show, because they differ by zone. Strict clients require strings. */
export const ACCOUNT_SOA_NAMES: SoaNames = { mname: '', rname: '' }

export const NS_TTL_BOUNDS = { minimum: 30, maximum: 86_400 }
const ZONE_MODES: readonly string[] = ['standard', 'cdn_only', 'dns_only'] satisfies ZoneMode[]
const SECONDARY = 'secondary'

export const DEFAULT_DNS_SETTINGS: DnsSettings = {
  flattenAllCnames: DEFAULT_PUBLICATION_SETTINGS.flattenAllCnames,
  multiProvider: DEFAULT_PUBLICATION_SETTINGS.multiProvider,
  nsTtlSeconds: DEFAULT_PUBLICATION_SETTINGS.nsTtlSeconds,
  secondaryOverrides: false,
  zoneMode: DEFAULT_PUBLICATION_SETTINGS.zoneMode,
  zoneDigest: DEFAULT_PUBLICATION_SETTINGS.zoneDigest,
  soa: DEFAULT_PUBLICATION_SETTINGS.soa,
}

export const DEFAULT_ACCOUNT_DNS_SETTINGS: AccountDnsSettings = {
  zoneDefaults: DEFAULT_DNS_SETTINGS,
  enforceDnsOnly: false,
}

/** Merges a patch into settings. @returns the new settings, and every rule that they break. */
export function patchSettings(
  before: DnsSettings,
  patch: DnsSettingsPatch,
  where: SettingsContext,
): { readonly settings: DnsSettings; readonly issues: readonly Issue[] } {
  const { soa, issues } = patchSoa(before.soa, patch.soa, {
    bounds: where.soaBounds,
    at: `${where.at}/soa`,
    defaults: where.zone?.soaNames ?? ACCOUNT_SOA_NAMES,
  })
  // If the SOA may not be changed at all, errors within it are not reported.
  if (where.soaRefusal !== undefined && (issues.length > 0 || !sameMembers({ ...soa }, { ...before.soa }))) {
    return { settings: before, issues: [where.soaRefusal] }
  }
  const settings: DnsSettings = {
    flattenAllCnames: patch.flattenAllCnames ?? before.flattenAllCnames,
    multiProvider: patch.multiProvider ?? before.multiProvider,
    nsTtlSeconds: patch.nsTtlSeconds ?? before.nsTtlSeconds,
    secondaryOverrides: patch.secondaryOverrides ?? before.secondaryOverrides,
    zoneMode: isZoneMode(patch.zoneMode) ? patch.zoneMode : before.zoneMode,
    zoneDigest: patch.zoneDigest ?? before.zoneDigest,
    soa,
  }
  return { settings, issues: [...offerIssues(patch, where), ...issues] }
}

/** The settings that a new zone takes from its account's defaults. */
export function adoptedSettings(
  { zoneDefaults }: AccountDnsSettings,
  zone: { readonly plan: string; readonly type: string },
): DnsSettings {
  return {
    ...zoneDefaults,
    soa: zone.plan === SOA_PLAN ? zoneDefaults.soa : DEFAULT_DNS_SETTINGS.soa,
    secondaryOverrides: zone.type === SECONDARY && zoneDefaults.secondaryOverrides,
  }
}

export function sameSettings({ soa: soaA, ...a }: DnsSettings, { soa: soaB, ...b }: DnsSettings): boolean {
  return sameMembers(a, b) && sameMembers({ ...soaA }, { ...soaB })
}

function sameMembers(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(a).every((member) => a[member] === b[member])
}

const isZoneMode = (text: string | undefined): text is ZoneMode =>
  text !== undefined && ZONE_MODES.includes(text)

/** Unsupported values in the patch, in the order of the reply's members. */
function offerIssues(patch: DnsSettingsPatch, { at, zone, openSets }: SettingsContext): Issue[] {
  const issues: Issue[] = []
  const reject = (reason: ErrorCode, member: string, values: Issue['values'] = {}) =>
    issues.push({ reason, pointer: at + member, values })
  if (patch.foundationDns === true) reject('dns_settings.foundation_dns', '/foundation_dns')
  if (patch.referenceZoneId !== undefined) {
    reject('dns_settings.internal_dns', '/internal_dns/reference_zone_id')
  }
  const value = patch.nameServersType ?? defaultNameServers(zone)
  const problem = nameServersProblem(value, zone)
  if (problem !== undefined) reject('dns_settings.name_servers', '/nameservers/type', { value, problem })
  const { nameServerSet: set } = patch
  if (set !== undefined && !openSets.includes(set))
    reject('dns_settings.ns_set', '/nameservers/ns_set', { value: set, allowed: openSets.join(' or ') })
  issues.push(...rangeIssues(patch.nsTtlSeconds, NS_TTL_BOUNDS, at, 'ns_ttl'))
  // An account's defaults apply to zones of any type.
  if (patch.secondaryOverrides === true && zone !== undefined && zone.type !== SECONDARY) {
    reject('dns_settings.secondary_overrides', '/secondary_overrides', { type: zone.type })
  }
  if (patch.zoneMode !== undefined && !isZoneMode(patch.zoneMode)) {
    reject('dns_settings.zone_mode', '/zone_mode')
  }
  return issues
}

function nameServersProblem(type: string, zone: ZoneContext | undefined): string | undefined {
  const fallback = defaultNameServers(zone)
  if (type === fallback) return undefined
  if (type === STANDARD_NAME_SERVERS) {
    return 'the zone has custom name servers; edit the zone, with vanity_name_servers [], to go back.'
  }
  if (type === ZONE_NAME_SERVERS && zone !== undefined) {
    return 'edit the zone first, with the names as its vanity_name_servers.'
  }
  return `use ${fallback}.`
}

const defaultNameServers = (zone: ZoneContext | undefined): string =>
  zone?.hasVanityNameServers === true ? ZONE_NAME_SERVERS : STANDARD_NAME_SERVERS
