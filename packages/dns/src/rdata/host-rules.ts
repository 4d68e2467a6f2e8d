// Rules for fields that must name a host. The DNS itself allows any octets (RFC 2181 §11).

import { parseIpv4, parseIpv6 } from '../address.ts'
import { isHostLabel, isHostname } from '../hostname.ts'
import { isAtOrBelow, labelsOf } from '../name-tree.ts'
import { parseName, type Name } from '../name.ts'
import type { Rule } from './define.ts'

/**
 * Whether a name cannot be a host name. Underscores are tolerated, as in the live API; so are addresses, which have
 * their own rule.
 */
export function isNoHost(name: Name): boolean {
  return !isAddress(name) && !isHostname(name, { underscore: true })
}

/**
 * Whether a name cannot be the target of an alias: allowed are hosts, names with underscores, and names of a
 * classless delegation in the reverse zone, `1.0/25.2.0.192.in-addr.arpa` (RFC 2317 §4).
 */
export function isNoAliasTarget(name: Name): boolean {
  const isReverse = isAtOrBelow(name, REVERSE_ZONE)
  return !isAddress(name) && !labelsOf(name).every((label) => isHost(label) || (isReverse && isRange(label)))
}

/**
 * Whether the name is a service instance, whose first label is any text: `My\\032Printer._ipp._tcp.example.com` (RFC
 * 6763 §4.1).
 */
export function isServiceInstance(name: Name): boolean {
  const [, service = '', protocol = '', ...domain] = labelsOf(name)
  return /^_[a-z0-9-]+$/.test(service) && /^_(?:tcp|udp)$/.test(protocol) && domain.every(isHost)
}

const REVERSE_ZONE = parseName('in-addr.arpa')
const isHost = (label: string): boolean => isHostLabel(label, { underscore: true })
const isRange = (label: string): boolean => /^\d{1,3}[/-]\d{1,3}$/.test(label)

/** Whether the name is an IP address used where a name belongs. */
export function isAddress(name: Name): boolean {
  return parseIpv4(name) !== undefined || parseIpv6(name) !== undefined
}

/** The rule of a field that holds a name: no IP address. */
export function noAddress<K extends string>(
  rule: string,
  field: K,
  source: string,
): Rule<Readonly<Record<K, Name>>> {
  return {
    rule,
    field,
    source,
    message: 'must be a name, not an IP address',
    broken: (value) => isAddress(value[field]),
  }
}
