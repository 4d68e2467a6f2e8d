// Rules of DNS settings: a patch over what is set becomes settings that cannot be wrong, or every broken rule is told.
import type { Issue } from '../../platform/domain-error.ts'
import type { Reason } from '../../platform/reasons.ts'
import { USUAL_SERVING_SETTINGS, type ServingSettings, type SoaSettings } from '../zones/index.ts'
import { patchSoa, rangeIssues, type SoaBounds, type SoaPatch } from './soa.rules.ts'

/** What is stored: of a zone, and for the zones that an account will make. */
export interface DnsSettings {
  readonly flattenAllCnames: boolean
  readonly multiProvider: boolean
  readonly nsTtlSeconds: number
  readonly secondaryOverrides: boolean
  readonly zoneMode: ZoneMode
  readonly soa: SoaSettings
}

export interface AccountDnsSettings {
  readonly zoneDefaults: DnsSettings
  /** Every proxied record of the account is answered as if it were not. */
  readonly enforceDnsOnly: boolean
}

type ZoneMode = ServingSettings['zoneMode']

/** What a caller asks for; undefined = not said. */
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
  readonly soa: SoaPatch
}

/** Whose settings they are to be. */
export interface Surroundings {
  readonly soaBounds: SoaBounds
  /** JSON pointer to the settings within the body: empty, or `/zone_defaults`. */
  readonly at: string
  /** Why SOA values may not be changed; undefined where they may. */
  readonly soaRefusal: Issue | undefined
  /** Undefined for an account's defaults. */
  readonly zone: ZoneSurroundings | undefined
}

interface ZoneSurroundings {
  readonly type: string
  readonly hasVanityNameServers: boolean
  /** The mailbox that no rname stands for. */
  readonly usualRname: string
}

/** Name servers are not stored here: the type only tells which of the two a zone has. */
export const STANDARD_NAME_SERVERS = 'cloudflare.standard'
export const ZONE_NAME_SERVERS = 'custom.zone'
export const ONLY_SET = 1
/** The plan (of zones) and type (of accounts) that SOA values can be changed in (specification §2.2 rule 7). */
export const SOA_PLAN = 'enterprise'

export const NS_TTL_BOUNDS = { minimum: 30, maximum: 86_400 }
const ZONE_MODES: readonly string[] = ['standard', 'cdn_only', 'dns_only'] satisfies ZoneMode[]
const SECONDARY = 'secondary'

export const USUAL_DNS_SETTINGS: DnsSettings = {
  flattenAllCnames: USUAL_SERVING_SETTINGS.flattenAllCnames,
  multiProvider: USUAL_SERVING_SETTINGS.multiProvider,
  nsTtlSeconds: USUAL_SERVING_SETTINGS.nsTtlSeconds,
  secondaryOverrides: false,
  zoneMode: USUAL_SERVING_SETTINGS.zoneMode,
  soa: USUAL_SERVING_SETTINGS.soa,
}

export const USUAL_ACCOUNT_DNS_SETTINGS: AccountDnsSettings = {
  zoneDefaults: USUAL_DNS_SETTINGS,
  enforceDnsOnly: false,
}

/** Lays a patch over settings. @returns the settings after it, and every rule that it breaks. */
export function patchSettings(
  before: DnsSettings,
  patch: DnsSettingsPatch,
  where: Surroundings,
): { readonly settings: DnsSettings; readonly issues: readonly Issue[] } {
  const { soa, issues } = patchSoa(before.soa, patch.soa, {
    bounds: where.soaBounds,
    at: `${where.at}/soa`,
    usualRname: where.zone?.usualRname,
  })
  // Who may not change the SOA at all need not learn what is wrong with it.
  if (where.soaRefusal !== undefined && (issues.length > 0 || !sameMembers({ ...soa }, { ...before.soa }))) {
    return { settings: before, issues: [where.soaRefusal] }
  }
  const settings: DnsSettings = {
    flattenAllCnames: patch.flattenAllCnames ?? before.flattenAllCnames,
    multiProvider: patch.multiProvider ?? before.multiProvider,
    nsTtlSeconds: patch.nsTtlSeconds ?? before.nsTtlSeconds,
    secondaryOverrides: patch.secondaryOverrides ?? before.secondaryOverrides,
    zoneMode: isZoneMode(patch.zoneMode) ? patch.zoneMode : before.zoneMode,
    soa,
  }
  return { settings, issues: [...offerIssues(patch, where), ...issues] }
}

/** What a new zone takes of its account's defaults. */
export function adoptedSettings(
  { zoneDefaults }: AccountDnsSettings,
  zone: { readonly plan: string; readonly type: string },
): DnsSettings {
  return {
    ...zoneDefaults,
    soa: zone.plan === SOA_PLAN ? zoneDefaults.soa : USUAL_DNS_SETTINGS.soa,
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

/** What is asked for and not offered, in the order of the reply's members. */
function offerIssues(patch: DnsSettingsPatch, { at, zone }: Surroundings): Issue[] {
  const issues: Issue[] = []
  const refuse = (reason: Reason, member: string, values: Issue['values'] = {}) =>
    issues.push({ reason, pointer: at + member, values })
  if (patch.foundationDns === true) refuse('dns_settings.foundation_dns', '/foundation_dns')
  if (patch.referenceZoneId !== undefined) {
    refuse('dns_settings.internal_dns', '/internal_dns/reference_zone_id')
  }
  const value = patch.nameServersType ?? usualNameServers(zone)
  const problem = nameServersProblem(value, zone)
  if (problem !== undefined) refuse('dns_settings.name_servers', '/nameservers/type', { value, problem })
  if (patch.nameServerSet !== undefined && patch.nameServerSet !== ONLY_SET) {
    refuse('dns_settings.ns_set', '/nameservers/ns_set', { value: patch.nameServerSet })
  }
  issues.push(...rangeIssues(patch.nsTtlSeconds, NS_TTL_BOUNDS, at, 'ns_ttl'))
  // Zones of any type may be made with an account's defaults.
  if (patch.secondaryOverrides === true && zone !== undefined && zone.type !== SECONDARY) {
    refuse('dns_settings.secondary_overrides', '/secondary_overrides', { type: zone.type })
  }
  if (patch.zoneMode !== undefined && !isZoneMode(patch.zoneMode)) {
    refuse('dns_settings.zone_mode', '/zone_mode')
  }
  return issues
}

function nameServersProblem(type: string, zone: ZoneSurroundings | undefined): string | undefined {
  const usual = usualNameServers(zone)
  if (type === usual) return undefined
  if (type === STANDARD_NAME_SERVERS) {
    return 'the zone has name servers of its own; edit the zone, with vanity_name_servers [], to go back.'
  }
  if (type === ZONE_NAME_SERVERS && zone !== undefined) {
    return 'edit the zone first, with the names as its vanity_name_servers.'
  }
  return `use ${usual}.`
}

const usualNameServers = (zone: ZoneSurroundings | undefined): string =>
  zone?.hasVanityNameServers === true ? ZONE_NAME_SERVERS : STANDARD_NAME_SERVERS
