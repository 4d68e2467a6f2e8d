// The network that clients are rate-limited by.
import { formatIpv6, parseIpv6 } from '@zonereeve/dns'

const MAPPED = '::ffff:'
/** Prefix of IPv6 addresses, in bytes: a customer has at least a /64 and can use any address in it. */
const NETWORK_OCTETS = 8
/** What a customer has at most, with 65,536 networks of its own. */
const SITE_OCTETS = 6
const BITS = 8

/** The network of an address: the IPv4 address itself, even if mapped into IPv6; the /64 of an IPv6 address. */
export const networkOf = (address: string): string => prefixOf(address, NETWORK_OCTETS)

/** The same with the /48 of an IPv6 address, for counts that one customer must not spread over its networks. */
export const siteNetworkOf = (address: string): string => prefixOf(address, SITE_OCTETS)

function prefixOf(address: string, length: number): string {
  if (!address.includes(':')) return address
  const [plain = ''] = address.split('%', 1) // link-local addresses end with their interface
  const octets = parseIpv6(plain)
  if (octets === undefined) return address
  const text = formatIpv6(octets)
  if (text.startsWith(MAPPED)) return text.slice(MAPPED.length)
  return `${formatIpv6(octets.fill(0, length))}/${length * BITS}`
}
