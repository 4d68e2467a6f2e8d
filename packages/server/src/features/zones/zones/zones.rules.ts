// Valid zone names, the plans, and how a zone becomes active.
import { domainToASCII, domainToUnicode } from 'node:url'
import {
  isAtOrBelow,
  isHostname,
  NameError,
  nextSerial,
  parseName,
  ROOT,
  serialAfter,
  type Name,
} from '@zonereeve/dns'
import type { Issue } from '@zonereeve/platform'

export type Plan = 'free' | 'pro' | 'business' | 'enterprise'
/** A `secondary` zone is transferred from a primary elsewhere. */
export type ZoneType = 'full' | 'secondary'
export type ZoneStatus = 'initializing' | 'pending' | 'active' | 'moved'

/** A self-hosted zone has every feature, unless its owner wants to test the limits of a smaller plan. */
export const DEFAULT_PLAN: Plan = 'enterprise'

/** Legacy managed rules were never part of the free plan. */
export const hasLegacyWaf = (plan: Plan): boolean => plan !== 'free'

/** Maximum number of page rules by plan. */
export const PAGE_RULE_QUOTAS: Readonly<Record<Plan, number>> = {
  free: 3,
  pro: 20,
  business: 50,
  enterprise: 125,
}

export interface ZoneName {
  /** In A-labels, canonical. */
  readonly name: Name
  /** For display, in U-labels. */
  readonly displayName: string
}

/** Parses a zone's name: any valid domain name except the root, including private and reserved suffixes. */
export function readZoneName(text: string): ZoneName | Issue {
  const invalid = (problem: string): Issue => ({ reason: 'zone.name', pointer: '/name', values: { problem } })
  try {
    const name = parseName(toAscii(text.trim()))
    if (name === ROOT) return invalid('the root cannot be a zone here')
    if (!isHostname(name, { underscore: true })) {
      return invalid(
        'labels are letters, digits, hyphens and underscores, and neither begin nor end with a hyphen',
      )
    }
    return { name, displayName: toUnicode(name) }
  } catch (error) {
    if (error instanceof NameError) return invalid(error.message)
    throw error
  }
}

/** As many as fit into a small referral; the root has as many. */
export const MAX_VANITY_NAME_SERVERS = 13

/** Parses the vanity name servers of a zone: host names below its apex, each once. */
export function readVanityNameServers(
  strings: readonly string[],
  apex: Name,
): { readonly names: readonly Name[]; readonly issues: readonly Issue[] } {
  const invalid = (index: number | undefined, problem: string): Issue => ({
    reason: 'zone.vanity_name_servers',
    pointer: index === undefined ? '/vanity_name_servers' : `/vanity_name_servers/${index}`,
    values: { problem },
  })
  if (strings.length > MAX_VANITY_NAME_SERVERS)
    return { names: [], issues: [invalid(undefined, `at most ${MAX_VANITY_NAME_SERVERS} of them`)] }
  const names: Name[] = []
  const issues: Issue[] = []
  for (const [index, text] of strings.entries()) {
    const name = readHostName(text)
    if (name === undefined) issues.push(invalid(index, `"${text}" is not a host name`))
    else if (name === apex || !isAtOrBelow(name, apex))
      issues.push(invalid(index, `${name} is not below ${apex}`))
    else if (names.includes(name)) issues.push(invalid(index, `${name} is listed twice`))
    else names.push(name)
  }
  return { names, issues }
}

/** Parses a host name to its canonical form; accepts U-labels. Undefined if it is invalid. */
export function readHostName(text: string): Name | undefined {
  try {
    const name = parseName(toAscii(text))
    return isHostname(name, { underscore: true }) ? name : undefined
  } catch (error) {
    if (error instanceof NameError) return undefined
    throw error
  }
}

/** The host names at the zone's apex. */
export function servedNameServers(zone: {
  readonly nameServers: readonly string[]
  readonly vanityNameServers: readonly string[]
}): readonly string[] {
  return zone.vanityNameServers.length > 0 ? zone.vanityNameServers : zone.nameServers
}

/**
 * Converts U-labels to A-labels. ASCII names are returned unchanged: the URL rules would parse `1.2` as an address.
 */
export function toAscii(text: string): string {
  if (/^[\p{ASCII}]*$/u.test(text)) return text
  return domainToASCII(text)
}

const toUnicode = (name: string): string => (name.includes('xn--') ? domainToUnicode(name) || name : name)

/**
 * A new zone's first serial: the time in seconds, or the successor of `last`, the last serial of a deleted zone of
 * the same name, if that is later (RFC 1982), so that a recreated zone does not go back.
 */
export function firstSerial(nowMillis: number, last?: number): number {
  const now = Math.floor(nowMillis / 1000) >>> 0
  if (last === undefined) return now
  const next = nextSerial(last)
  return serialAfter(now, next) ? now : next
}

/** A zone becomes active with its first address record, and stays active. */
export function statusAfter(status: ZoneStatus, addressCount: number): ZoneStatus {
  return status === 'pending' && addressCount > 0 ? 'active' : status
}
