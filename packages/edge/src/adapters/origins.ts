// Where the embedded proxy forwards a request: to a proxied record of the zone, and never into the edge's own networks
// unless that is allowed.
import { lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { EdgeZone } from '../zone-table.ts'

export interface OriginOptions {
  /** One origin for all hosts, instead of the proxied records. It may be private: the operator has named it. */
  readonly origin?: { readonly host: string; readonly port: number } | undefined
  readonly scheme: 'http' | 'https'
  /** Default: that of the scheme. */
  readonly port?: number | undefined
  readonly isPrivateAllowed: boolean
}

/** A target of requests, as a URL without a path, and the name for TLS. */
export interface OriginTarget {
  readonly url: string
  readonly isChecked: boolean
}

/** Networks that the Internet does not route to, or in which an edge may stand (RFC 6890). */
const NOT_PUBLIC: readonly (readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['::ffff:0:0', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]

const BLOCKED = new BlockList()
for (const [network, prefix, family] of NOT_PUBLIC) BLOCKED.addSubnet(network, prefix, family)

/** Whether an address is in a public network. Addresses that embed an IPv4 one are not. */
export const isPublic = (address: string): boolean =>
  isIP(address) !== 0 && !BLOCKED.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** @returns undefined if no proxied record has the host, or its address is not allowed. */
export function originOf(
  zone: EdgeZone,
  host: string,
  options: OriginOptions,
  random: () => number = Math.random,
): OriginTarget | undefined {
  const { origin, scheme, port, isPrivateAllowed } = options
  if (origin !== undefined) return { url: urlOf(scheme, origin.host, origin.port), isChecked: false }
  const records = recordsOf(zone, host)
  const record = records?.[Math.floor(random() * records.length)]
  if (record === undefined) return undefined
  const name = record.content.replace(/\.$/, '')
  if (record.type !== 'CNAME' && !isPrivateAllowed && !isPublic(name)) return undefined
  return { url: urlOf(scheme, name, port), isChecked: !isPrivateAllowed }
}

/** The records of the host, else those of the wildcard nearest to it. */
function recordsOf({ origins, name: apex }: EdgeZone, host: string) {
  const own = origins.get(host)
  if (own !== undefined) return own
  for (let name = host; name !== apex && name.includes('.');) {
    name = name.slice(name.indexOf('.') + 1)
    const wildcard = origins.get(`*.${name}`)
    if (wildcard !== undefined) return wildcard
  }
  return undefined
}

function urlOf(scheme: string, host: string, port: number | undefined): string {
  const name = isIP(host) === 6 ? `[${host}]` : host
  return `${scheme}://${name}${port === undefined ? '' : `:${port}`}`
}

/** Resolves names like the system, and fails if one of the addresses is not public. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, [])
    const bad = addresses.find(({ address }) => !isPublic(address))
    if (bad !== undefined)
      return callback(new Error(`${hostname} has the address ${bad.address}, which is not public`), [])
    if (options.all === true) return callback(null, addresses)
    const [first] = addresses
    if (first === undefined) return callback(new Error(`${hostname} has no address`), [])
    return callback(null, first.address, first.family)
  })
}
