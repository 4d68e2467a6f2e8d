// Finds the nameservers that a zone is currently delegated to, through the resolver.
import { DATA_TYPE, decodeRdata, formatIpv4, formatIpv6, type Name } from '@zonereeve/dns'
import ipaddr from 'ipaddr.js'
import type { Resolver, Server } from '@zonereeve/resolver'

const { NS, A, AAAA } = DATA_TYPE
const DNS_PORT = 53
/** Maximum number of nameservers that are looked up. */
const MAX_NAMES = 8

/**
 * Ranges that cannot contain a nameserver of a delegation; private networks stay allowed, because zones may be
 * private.
 */
const IMPOSSIBLE = new Set(['unspecified', 'broadcast', 'multicast', 'linkLocal', 'loopback'])

/** @returns an empty list if the name is not delegated, or its nameservers have no addresses; never rejects. */
export async function findNameservers(
  zone: Name,
  resolver: Pick<Resolver, 'lookUp'>,
  maxServers: number,
): Promise<readonly Server[]> {
  const delegation = await resolver.lookUp(zone, NS)
  if (delegation.kind !== 'answer') return []
  const names = delegation.rdatas
    .filter(({ length }) => length > 0)
    .slice(0, MAX_NAMES)
    .map((rdata) => decodeRdata('NS', rdata).target)
  const addresses = await Promise.all(names.map((name) => addressesOf(name, resolver)))
  const hosts = [...new Set(interleave(addresses))].filter(mayBeAsked)
  return hosts.slice(0, maxServers).map((host) => ({ host, port: DNS_PORT }))
}

async function addressesOf(name: Name, resolver: Pick<Resolver, 'lookUp'>): Promise<string[]> {
  const [ipv4, ipv6] = await Promise.all([resolver.lookUp(name, A), resolver.lookUp(name, AAAA)])
  return [
    ...(ipv4.kind === 'answer' ? ipv4.rdatas.filter(({ length }) => length === 4).map(formatIpv4) : []),
    ...(ipv6.kind === 'answer' ? ipv6.rdatas.filter(({ length }) => length === 16).map(formatIpv6) : []),
  ]
}

/** One address of each nameserver before the second of any, so that no nameserver fills the list alone. */
function interleave(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat()
}

const mayBeAsked = (address: string): boolean => !IMPOSSIBLE.has(ipaddr.process(address).range())
