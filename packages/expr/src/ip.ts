// IP addresses: text to numbers and back, order, networks. IPv4 and IPv6 are never equal and not ordered.

import { elementAt } from './checked-reads.ts'

/** An address as four 32-bit words, most significant first; IPv4 uses the last word only. */
export type Ip = {
  readonly family: 4 | 6
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
}

/** Inclusive bounds, both of one family. */
export type IpRange = { readonly first: Ip; readonly last: Ip }

export const ipv4 = (value: number): Ip => ({ family: 4, a: 0, b: 0, c: 0, d: value >>> 0 })

export const ipv6 = (a: number, b: number, c: number, d: number): Ip => ({
  family: 6,
  a: a >>> 0,
  b: b >>> 0,
  c: c >>> 0,
  d: d >>> 0,
})

/** Negative, zero or positive if `x` sorts before, with or after `y`. Only meaningful within one family. */
export function compareIp(x: Ip, y: Ip): number {
  return x.a - y.a || x.b - y.b || x.c - y.c || x.d - y.d
}

/** The same address of the same family. */
export const sameIp = (x: Ip, y: Ip): boolean =>
  x.d === y.d && x.c === y.c && x.b === y.b && x.a === y.a && x.family === y.family

/** An address in full form: four decimal octets without leading zeros, or RFC 4291 §2.2 text. */
export function parseIp(text: string): Ip | undefined {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text, isPlainOctet, 4)
}

/**
 * The address of 4 or 16 octets in network order, as protocols have it (RFC 791 §3.1, RFC 8200 §3); undefined for another
 * number of octets.
 */
export function ipFromOctets(octets: Uint8Array): Ip | undefined {
  if (octets.length !== 4 && octets.length !== 16) return undefined
  const octet = (at: number): number => octets[at] ?? 0 // there are as many
  const word = (at: number): number =>
    (octet(at) << 24) | (octet(at + 1) << 16) | (octet(at + 2) << 8) | octet(at + 3)
  return octets.length === 4 ? ipv4(word(0)) : ipv6(word(0), word(4), word(8), word(12))
}

/**
 * As `parseIp`, and also the forms that networks may have: leading zeros (`192.0.02.10`) and fewer than four octets
 * (`10` is 10.0.0.0).
 */
export function parseLooseIp(text: string): Ip | undefined {
  return parseIp(text) ?? parseIpv4(text, isLooseOctet, 1)
}

const isPlainOctet = (text: string): boolean =>
  isDigits(text) && text.length <= 3 && (text === '0' || text[0] !== '0')
const isLooseOctet = (text: string): boolean => isDigits(text)

/** The IPv4 address of an IPv4-mapped one (RFC 4291 §2.5.5.2); any other address unchanged. */
export const withoutMapping = (ip: Ip): Ip =>
  ip.family === 6 && ip.a === 0 && ip.b === 0 && ip.c === 0xffff ? ipv4(ip.d) : ip

function isDigits(text: string): boolean {
  for (const c of text) if (c < '0' || c > '9') return false
  return text !== ''
}

function parseIpv4(text: string, isOctet: (text: string) => boolean, minOctets: number): Ip | undefined {
  const parts = text.split('.')
  if (parts.length < minOctets || parts.length > 4) return undefined
  let value = 0
  for (let i = 0; i < 4; i += 1) {
    const part = parts[i] ?? '0'
    const octet = Number(part)
    if (!isOctet(part) || octet > 255) return undefined
    value = value * 256 + octet
  }
  return ipv4(value)
}

function parseIpv6(text: string): Ip | undefined {
  const gap = text.indexOf('::')
  const hasGap = gap !== -1
  const before = readGroups(hasGap ? text.slice(0, gap) : text, !hasGap)
  const after = hasGap ? readGroups(text.slice(gap + 2), true) : []
  if (before === undefined || after === undefined) return undefined
  const missing = 8 - before.length - after.length
  if (hasGap ? missing < 1 : missing !== 0) return undefined
  const groups = [...before, ...Array.from({ length: missing }, () => 0), ...after]
  const word = (i: number): number => elementAt(groups, i) * 65536 + elementAt(groups, i + 1)
  return ipv6(word(0), word(2), word(4), word(6))
}

/** 16-bit groups of one half; only the last part of an address may be dotted IPv4. */
function readGroups(text: string, isLastHalf: boolean): number[] | undefined {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [i, part] of parts.entries()) {
    if (isLastHalf && i === parts.length - 1 && part.includes('.')) {
      const v4 = parseIpv4(part, isPlainOctet, 4)
      if (v4 === undefined) return undefined
      groups.push(v4.d >>> 16, v4.d & 0xffff)
    } else {
      if (!isHexGroup(part)) return undefined
      groups.push(Number.parseInt(part, 16))
    }
  }
  return groups
}

function isHexGroup(text: string): boolean {
  if (text.length < 1 || text.length > 4) return false
  for (const c of text.toLowerCase()) if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false
  return true
}

/** Bits of an address of this family. */
export const addressBits = (ip: Ip): 32 | 128 => (ip.family === 4 ? 32 : 128)

/** The first address of the network of `prefixLength` bits around the address. */
export function networkAddress(ip: Ip, prefixLength: number): Ip {
  const word = (value: number, start: number): number => (value & wordMask(prefixLength - start)) >>> 0
  if (ip.family === 4) return ipv4(word(ip.d, 0))
  return ipv6(word(ip.a, 0), word(ip.b, 32), word(ip.c, 64), word(ip.d, 96))
}

/** The last address of that network. */
export function lastAddress(ip: Ip, prefixLength: number): Ip {
  const word = (value: number, start: number): number => (value | ~wordMask(prefixLength - start)) >>> 0
  if (ip.family === 4) return ipv4(word(ip.d, 0))
  return ipv6(word(ip.a, 0), word(ip.b, 32), word(ip.c, 64), word(ip.d, 96))
}

function wordMask(bits: number): number {
  if (bits <= 0) return 0
  return bits >= 32 ? -1 : -1 << (32 - bits)
}

/** The prefix length if the range is exactly one network, otherwise undefined. */
export function prefixOf({ first, last }: IpRange): number | undefined {
  for (let bits = addressBits(first); bits >= 0; bits -= 1) {
    if (sameIp(networkAddress(first, bits), first) && sameIp(lastAddress(first, bits), last)) return bits
  }
  return undefined
}

/** Canonical text: dotted octets, or RFC 5952 for IPv6 (mapped addresses keep their dotted part). */
export function ipText(ip: Ip): string {
  const dotted = [ip.d >>> 24, (ip.d >>> 16) & 255, (ip.d >>> 8) & 255, ip.d & 255].join('.')
  if (ip.family === 4) return dotted
  if (ip.a === 0 && ip.b === 0 && ip.c === 0xffff) return `::ffff:${dotted}`
  const groups = [ip.a, ip.b, ip.c, ip.d].flatMap((word) => [word >>> 16, word & 0xffff])
  const { start, length } = longestZeroRun(groups)
  const hex = groups.map((group) => group.toString(16))
  if (length < 2) return hex.join(':')
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  let start = 0
  for (let i = 0; i <= groups.length; i += 1) {
    if (groups[i] === 0) continue
    if (i - start > best.length) best = { start, length: i - start }
    start = i + 1
  }
  return best
}
