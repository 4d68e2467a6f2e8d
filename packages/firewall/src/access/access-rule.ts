// IP access rules: what a client may send for each target, and the rule of many that applies to a request.
import {
  addressBits,
  type Ip,
  ipText,
  networkAddress,
  parseIp,
  type RequestFacts,
  withoutMapping,
} from '@zonereeve/expr'
import type { Level } from '../rulesets/ruleset.ts'

export const ACCESS_TARGETS = ['ip', 'ip6', 'ip_range', 'asn', 'country'] as const
export type AccessTarget = (typeof ACCESS_TARGETS)[number]

export const ACCESS_MODES = ['block', 'challenge', 'whitelist', 'js_challenge', 'managed_challenge'] as const
export type AccessMode = (typeof ACCESS_MODES)[number]

export interface AccessRule {
  readonly id: string
  /** Rules of an account, and of all zones, have the level `account`. */
  readonly level: Level
  readonly target: AccessTarget
  /** As `readAccessValue` returns it. */
  readonly value: string
  readonly mode: AccessMode
  readonly notes: string
}

/** Prefixes of ranges, as the vendor has them. */
const RANGE_PREFIXES = { 4: [16, 24], 6: [32, 48, 64, 128] } as const
const MAX_ASN = 4_294_967_295

/** The value in the form in which two spellings of the same are equal; or what is wrong with it. */
export function readAccessValue(target: AccessTarget, sent: string): { value: string } | { problem: string } {
  switch (target) {
    case 'ip':
    case 'ip6': {
      const sentIp = parseIp(sent)
      // Addresses of clients are compared without it.
      const ip = sentIp && withoutMapping(sentIp)
      // Clients send IPv6 addresses with the target ip, too.
      return ip === undefined || (target === 'ip6' && ip.family === 4)
        ? { problem: `${sent} is not an IPv${target === 'ip' ? '4 or IPv6' : '6'} address` }
        : { value: ipText(ip) }
    }
    case 'ip_range':
      return readRange(sent)
    case 'asn': {
      const number = /^(?:AS)?(\d{1,10})$/i.exec(sent)?.[1]
      return number === undefined || Number(number) > MAX_ASN
        ? { problem: `${sent} is not the number of an autonomous system, such as AS64500` }
        : { value: `AS${Number(number)}` }
    }
    case 'country':
      if (sent.toUpperCase() === 'T1') return { problem: 'T1 (Tor) is not in databases of locations' }
      return /^[a-z]{2}$/i.test(sent)
        ? { value: sent.toUpperCase() }
        : { problem: `${sent} is not a country code of two letters, such as DE; XX is unknown` }
  }
}

/** Whether it is an IPv4 address in the form of IPv6, such as ::ffff:192.0.2.7. */
export const isMapped = (ip: Ip): boolean => withoutMapping(ip).family !== ip.family

/** Addresses of clients are compared without the mapping, so that such a range would match nothing. */
export const mappedRangeProblem = (sent: string): string =>
  `${sent} is a range of IPv4 addresses in the form of IPv6: send it as IPv4`

function readRange(sent: string): { value: string } | { problem: string } {
  const [address = '', prefix, ...rest] = sent.split('/')
  const ip = parseIp(address)
  if (ip === undefined || prefix === undefined || rest.length > 0)
    return { problem: `${sent} is not a network such as 192.0.2.0/24` }
  if (isMapped(ip)) return { problem: mappedRangeProblem(sent) }
  const prefixes: readonly number[] = RANGE_PREFIXES[ip.family]
  const length = Number(prefix)
  if (!/^\d{1,3}$/.test(prefix) || !prefixes.includes(length))
    return {
      problem: `the prefix of an IPv${ip.family} range must be ${prefixes.map((one) => `/${one}`).join(', ')}; got ${sent}`,
    }
  return { value: `${ipText(networkAddress(ip, length))}/${length}` }
}

/** The rule as an expression, to show it. */
export function accessExpression({ target, value }: Pick<AccessRule, 'target' | 'value'>): string {
  if (target === 'asn') return `ip.src.asnum eq ${value.slice(2)}`
  if (target === 'country') return `ip.src.country eq "${value}"`
  return target === 'ip_range' ? `ip.src in {${value}}` : `ip.src eq ${value}`
}

/** Finds the rule that applies to a request; undefined if there is none. */
export type AccessLookup = (facts: RequestFacts) => AccessRule | undefined

/**
 * The look-up of these rules: a request costs the same however many there are. A rule that lets pass wins over all others;
 * then the nearest target: an address, the smallest range, the system, the country. Of two rules for the same target, the
 * zone's wins.
 */
export function compileAccess(rules: readonly AccessRule[]): AccessLookup {
  const byKey = new Map<string, AccessRule[]>()
  const prefixes = { 4: new Set<number>(), 6: new Set<number>() }
  for (const rule of rules) {
    const key = keyOf(rule, prefixes)
    const known = byKey.get(key)
    if (known === undefined) byKey.set(key, [rule])
    else if (rule.level === 'zone') known.unshift(rule)
    else known.push(rule)
  }
  const longestFirst = {
    4: [...prefixes[4]].toSorted((a, b) => b - a),
    6: [...prefixes[6]].toSorted((a, b) => b - a),
  }
  const needsLocation = rules.some(({ target }) => target === 'asn' || target === 'country')
  return (facts) => {
    const ip = withoutMapping(facts.clientIp)
    const keys = longestFirst[ip.family].map((length) => networkKey(ip, length))
    const location = needsLocation ? facts.geo?.() : undefined
    if (location?.asnum !== undefined) keys.push(`AS${location.asnum}`)
    if (location?.strings.country !== undefined) keys.push(location.strings.country)
    const found = keys.flatMap((key) => byKey.get(key) ?? []) // most addresses have no rule
    return found.find(({ mode }) => mode === 'whitelist') ?? found[0]
  }
}

const networkKey = (ip: Ip, length: number): string => `${ipText(networkAddress(ip, length))}/${length}`

function keyOf({ id, target, value }: AccessRule, prefixes: Readonly<Record<4 | 6, Set<number>>>): string {
  if (target === 'asn' || target === 'country') return value
  const [address = '', prefix] = value.split('/')
  const stored = parseIp(address)
  if (stored === undefined) throw new Error(`the access rule ${id} has no address`)
  // A single address that was stored before mapped ones were converted. Mapped ranges are refused.
  const ip = prefix === undefined ? withoutMapping(stored) : stored
  const length = prefix === undefined ? addressBits(ip) : Number(prefix)
  prefixes[ip.family].add(length)
  return networkKey(ip, length)
}
