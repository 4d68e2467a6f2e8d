// Rules for fields that must name a host. The DNS carries any octets (RFC 2181 §11); their readers do not.

import { parseIpv4, parseIpv6 } from '../address.ts'
import { isHostname } from '../hostname.ts'
import type { Name } from '../name.ts'

/** Whether a name that must be a host's is not one. Underscores are tolerated, as the live API does; so is an address, which has its own rule. */
export function isNoHost(name: Name): boolean {
  return !isAddress(name) && !isHostname(name, { underscore: true })
}

/** Whether the name is an IP address that was put where a name belongs. */
export function isAddress(name: Name): boolean {
  return parseIpv4(name) !== undefined || parseIpv6(name) !== undefined
}
