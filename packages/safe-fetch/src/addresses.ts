// Decides which addresses an external URL may lead to: the public internet, and networks that the operator
// allows.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/**
 * Not part of the public internet, or embedding another address: IANA's registries of special-purpose
 * addresses (RFC 6890 and its updates), multicast, and the mechanisms that carry an IPv4 address in an IPv6
 * one.
 */
const SPECIAL: readonly Network[] = [
  '0.0.0.0/8', // this network (RFC 791 §3.2)
  '10.0.0.0/8', // private (RFC 1918)
  '100.64.0.0/10', // behind carriers' NAT (RFC 6598)
  '127.0.0.0/8', // loopback (RFC 1122 §3.2.1.3)
  '169.254.0.0/16', // link-local (RFC 3927), and the metadata services of clouds
  '172.16.0.0/12', // private (RFC 1918)
  '192.0.0.0/24', // protocol assignments (RFC 6890 §2.1)
  '192.0.2.0/24', // documentation (RFC 5737)
  '192.31.196.0/24', // AS112 (RFC 7535)
  '192.52.193.0/24', // AMT (RFC 7450)
  '192.88.99.0/24', // 6to4 relays (RFC 7526)
  '192.168.0.0/16', // private (RFC 1918)
  '192.175.48.0/24', // AS112 (RFC 7534)
  '198.18.0.0/15', // benchmarks (RFC 2544)
  '198.51.100.0/24', // documentation (RFC 5737)
  '203.0.113.0/24', // documentation (RFC 5737)
  '168.63.129.16/32', // a cloud's metadata service on a public address
  '224.0.0.0/4', // multicast (RFC 1112 §4)
  '240.0.0.0/4', // reserved (RFC 1112 §4), and broadcast (RFC 919)
  '2001::/23', // protocol assignments (RFC 2928): Teredo, benchmarks, ORCHID and more
  '2001:db8::/32', // documentation (RFC 3849)
  '2002::/16', // 6to4 (RFC 3056): embeds an IPv4 address
  '2620:4f:8000::/48', // AS112 (RFC 7534)
  '3fff::/20', // documentation (RFC 9637)
].map((text) => ipaddr.parseCIDR(text))

/**
 * All globally allocated IPv6 (RFC 4291 §2.4). This excludes loopback, IPv4-mapped and -compatible, NAT64
 * (64:ff9b::/96 and 64:ff9b:1::/48), unique local, link-local, site-local and multicast.
 */
const GLOBAL_IPV6: Network = ipaddr.parseCIDR('2000::/3')

/** Whether an address may be connected to. Anything that is not a plain IP address may not. */
export type MayConnect = (address: string) => boolean

/** @param allowedNetworks addresses and networks (CIDR) that are allowed although they are not public. */
export function createAddressGuard(allowedNetworks: readonly string[]): MayConnect {
  const allowed = allowedNetworks.map(parseNetwork)
  return (address) => {
    // Scoped addresses are rejected: `fe80::1%eth0` is meaningful on this machine only.
    if (isIP(address) === 0 || address.includes('%')) return false
    const parsed = ipaddr.parse(address)
    return isIn(parsed, allowed) || isPublic(parsed)
  }
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.kind() === 'ipv6' && !isIn(address, [GLOBAL_IPV6])) return false
  return !isIn(address, SPECIAL)
}

const isIn = (address: ipaddr.IPv4 | ipaddr.IPv6, networks: readonly Network[]): boolean =>
  networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))

function parseNetwork(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
