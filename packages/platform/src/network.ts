// The network that clients are rate-limited by.
import { formatIpv6, parseIpv6 } from '@zonereeve/dns'

const MAPPED = '::ffff:'
/** Prefix of IPv6 addresses, in bytes: a customer has at least a /64 and can use any address in it. */
const NETWORK_OCTETS = 8

/** The network of an address: the IPv4 address itself, even if mapped into IPv6; the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [plain = ''] = address.split('%', 1) // link-local addresses end with their interface
  const octets = parseIpv6(plain)
  if (octets === undefined) return address
  const text = formatIpv6(octets)
  if (text.startsWith(MAPPED)) return text.slice(MAPPED.length)
  return `${formatIpv6(octets.fill(0, NETWORK_OCTETS))}/64`
}
