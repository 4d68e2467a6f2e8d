// The addresses of verified bots, from lists that the operator supplies: as operators of bots publish them, or plain text.
import { readFileSync } from 'node:fs'
import {
  addressBits,
  compileIpSet,
  type IpRange,
  lastAddress,
  networkAddress,
  parseIp,
  sameIp,
  withoutMapping,
} from '@zonereeve/expr'
import { installVerifiedBots, type VerifiedBots } from '@zonereeve/firewall'
import type { EdgeLog } from './edge-log.ts'
import { useSuppliedFiles } from './supplied-files.ts'

/**
 * Uses lists for all decisions of the process, and their newer versions when the files change. What cannot be used is
 * logged, and what was there before stays.
 *
 * @returns a function that stops looking.
 */
export const useVerifiedBots = (paths: readonly string[], log: EdgeLog, lookMillis?: number): (() => void) =>
  useSuppliedFiles(
    paths,
    { name: 'verified bots', open: openVerifiedBots, install: installVerifiedBots },
    log,
    lookMillis,
  )

/** @throws Error naming the file, and the line or member, that is no address or network; or a file without any. */
export function openVerifiedBots(paths: readonly string[]): VerifiedBots {
  const contains = compileIpSet(paths.flatMap(readRanges))
  return { isOne: (ip) => contains(withoutMapping(ip)) }
}

function readRanges(path: string): readonly IpRange[] {
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  const entries = text.trimStart().startsWith('{') ? publishedEntries(path, text) : lineEntries(text)
  if (entries.length === 0) throw new Error(`${path} has no addresses`)
  return entries.map(({ place, network }) => rangeOf(network) ?? rejectEntry(path, place, network))
}

function rejectEntry(path: string, place: string, network: string): never {
  const advice = 'is not an address or a network such as 192.0.2.0/24 or 2001:db8::/32'
  throw new Error(`${path}, ${place}: ${network.slice(0, 100)} ${advice}`)
}

interface Entry {
  /** For messages. */
  readonly place: string
  readonly network: string
}

/** One on each line; the rest of a line after `#` is a comment. */
const lineEntries = (text: string): readonly Entry[] =>
  text
    .split('\n')
    .map((line, index) => ({ place: `line ${index + 1}`, network: line.replace(/#.*/, '').trim() }))
    .filter(({ network }) => network !== '')

/** The format of published ranges: `{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}, {"ipv6Prefix": "2001:db8::/32"}]}`. */
function publishedEntries(path: string, text: string): readonly Entry[] {
  const { prefixes } = readJson(path, text) as { readonly prefixes?: unknown } // it begins like an object
  if (!Array.isArray(prefixes)) throw new Error(`${path}: /prefixes must be a list`)
  return prefixes.map((entry: unknown, index) => {
    const { ipv4Prefix, ipv6Prefix } = (entry ?? {}) as Readonly<Record<string, unknown>> // null has no members either
    const network = ipv4Prefix ?? ipv6Prefix
    if (typeof network !== 'string')
      throw new Error(`${path}, /prefixes/${index}: it must have ipv4Prefix or ipv6Prefix`)
    return { place: `/prefixes/${index}`, network }
  })
}

function readJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${path}: ${String(error)}`, { cause: error })
  }
}

/** Addresses of clients are compared without a mapping to IPv6, so that a mapped network would contain nothing. */
function rangeOf(network: string): IpRange | undefined {
  const [address = '', prefix, ...rest] = network.split('/')
  const ip = parseIp(address)
  if (ip === undefined || rest.length > 0) return undefined
  if (prefix === undefined) return { first: withoutMapping(ip), last: withoutMapping(ip) }
  const length = Number(prefix)
  if (!/^\d{1,3}$/.test(prefix) || length > addressBits(ip) || withoutMapping(ip).family !== ip.family)
    return undefined
  return sameIp(networkAddress(ip, length), ip) ? { first: ip, last: lastAddress(ip, length) } : undefined
}
