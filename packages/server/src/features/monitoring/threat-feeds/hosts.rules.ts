// Who controls a host: one owner, one customer of a platform, or many. A shared host is never flagged as a
// whole, even if a feed lists it: one malicious file would flag the files of all its other customers.
import { createHash } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { parse } from 'tldts'
import { parseUrl } from '@zonereeve/platform'
import { SHARED_HOSTS } from './shared-hosts.ts'

export type HostKind =
  /** Local names and addresses, and names without a dot: feeds cannot mean them. */
  | 'local'
  | 'address'
  /** A public suffix, or a platform whose paths belong to different customers. */
  | 'shared'
  /**
   * A name that a platform assigns to one customer, below a suffix in the private section of the Public
   * Suffix List.
   */
  | 'customer'
  | 'own'

/** Hash of the list of shared hosts: if it changes, entries match differently and must be checked again. */
export const SHARED_HOSTS_SHA256 = createHash('sha256').update(JSON.stringify(SHARED_HOSTS)).digest('hex')

const PLATFORMS: ReadonlySet<string> = new Set(Object.values(SHARED_HOSTS).flat())

/** Names above platforms: flagging them with all subdomains would flag the platforms. */
const ABOVE_PLATFORMS: ReadonlySet<string> = new Set([...PLATFORMS].flatMap((host) => namesAbove(host)))

const LOCAL_SUFFIX = /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa)$/
const MAX_HOST_CHARACTERS = 253
const HOST = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/
const ENDS_IN_NUMBER = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/

/** Addresses that are meaningless or belong to private networks (RFC 6890). */
const OWN_NETWORKS = ownNetworks()

/**
 * Parses a host name or address: lower case, A-labels, no trailing dot.
 * @returns undefined if it is neither.
 */
export function readHost(text: string): string | undefined {
  const host = text.toLowerCase().replace(/\.$/, '')
  if (HOST.test(host) && !ENDS_IN_NUMBER.test(host) && !host.includes('xn--'))
    return host.length <= MAX_HOST_CHARACTERS ? host : undefined
  if (host === '' || /[\s/\\?#@[\]:%]/.test(host.replace(/^\[[0-9a-f:.]+\]$/, ''))) return undefined
  const read = parseUrl(`http://${host}/`)?.hostname.replace(/\.$/, '')
  if (read === undefined) return undefined
  return read.length <= MAX_HOST_CHARACTERS && (read.startsWith('[') || HOST.test(read)) ? read : undefined
}

export function kindOfHost(host: string): HostKind {
  const address = host.replace(/^\[|\]$/g, '')
  const family = isIP(address)
  if (family !== 0) return OWN_NETWORKS.check(address, family === 4 ? 'ipv4' : 'ipv6') ? 'local' : 'address'
  if (!host.includes('.') || LOCAL_SUFFIX.test(host)) return 'local'
  if (isPlatform(host) || ABOVE_PLATFORMS.has(host)) return 'shared'
  const { domain, isPrivate } = parse(host, PRIVATE_TOO)
  if (domain === null) return 'shared'
  return isPrivate === true ? 'customer' : 'own'
}

/**
 * The host and its parent names, up to the registered domain (or the name that a platform assigned to its
 * customer).
 */
export function namesOfOwner(host: string): readonly string[] {
  const { domain } = parse(host, PRIVATE_TOO)
  if (domain === null) return [host]
  return [host, ...namesAbove(host)].filter((name) => name === domain || name.endsWith(`.${domain}`))
}

const PRIVATE_TOO = { allowPrivateDomains: true, extractHostname: false, validateHostname: false } as const

const isPlatform = (host: string): boolean =>
  PLATFORMS.has(host) || namesAbove(host).some((name) => PLATFORMS.has(name))

function namesAbove(host: string): string[] {
  const labels = host.split('.')
  return labels.slice(1).map((_, index) => labels.slice(index + 1).join('.'))
}

function ownNetworks(): BlockList {
  const list = new BlockList()
  const networks = [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['224.0.0.0', 3],
  ] as const
  for (const [network, bits] of networks) list.addSubnet(network, bits, 'ipv4')
  for (const [network, bits] of [
    ['::', 127],
    ['fc00::', 7],
    ['fe80::', 10],
    ['ff00::', 8],
  ] as const)
    list.addSubnet(network, bits, 'ipv6')
  return list
}
