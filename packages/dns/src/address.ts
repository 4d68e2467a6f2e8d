// IP addresses as text: strict dotted quads (RFC 1123 §2.1), IPv6 in and out (RFC 4291 §2.2, RFC 5952).

import { byteAt, elementAt, uint16At } from './checked-reads.ts'

/** The four octets of a dotted quad without leading zeros; undefined for anything else. */
export function parseIpv4(text: string): Uint8Array | undefined {
  if (text.length < 7 || text.length > 15) return undefined
  const octets = new Uint8Array(4)
  let index = 0
  let digits = 0
  let octet = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === DOT) {
      if (digits === 0 || index === 3) return undefined
      octets[index++] = octet
      digits = octet = 0
    } else {
      const hasLeadingZero = digits > 0 && octet === 0
      if (code < ZERO || code > NINE || hasLeadingZero) return undefined
      octet = octet * 10 + code - ZERO
      digits += 1
      if (octet > 255) return undefined
    }
  }
  if (digits === 0 || index !== 3) return undefined
  octets[3] = octet
  return octets
}

const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39

/** The dotted quad of four octets. */
export function formatIpv4(octets: Uint8Array): string {
  return `${byteAt(octets, 0)}.${byteAt(octets, 1)}.${byteAt(octets, 2)}.${byteAt(octets, 3)}`
}

/** The sixteen octets of an IPv6 address in any form of RFC 4291 §2.2, no zone id; undefined for anything else. */
export function parseIpv6(text: string): Uint8Array | undefined {
  const gap = text.indexOf('::')
  const compressed = gap !== -1
  const head = parseGroups(compressed ? text.slice(0, gap) : text, !compressed)
  const tail = compressed ? parseGroups(text.slice(gap + 2), true) : []
  if (head === undefined || tail === undefined) return undefined
  const missing = 8 - head.length - tail.length
  if (compressed ? missing < 1 : missing !== 0) return undefined
  const octets = new Uint8Array(16)
  writeGroups(octets, 0, head)
  writeGroups(octets, 16 - 2 * tail.length, tail)
  return octets
}

function writeGroups(octets: Uint8Array, at: number, groups: readonly number[]): void {
  for (const group of groups) {
    octets[at++] = group >> 8
    octets[at++] = group & 0xff
  }
}

/** RFC 5952 text of sixteen octets: lower case, the longest run of zeros shortened, IPv4-mapped in mixed notation (§5). */
export function formatIpv6(octets: Uint8Array): string {
  const groups: number[] = []
  for (let at = 0; at < 16; at += 2) groups.push(uint16At(octets, at))
  const run = longestZeroRun(groups)
  const isShortened = run.length >= 2
  if (run.start === 0 && run.length === 5 && groups[5] === 0xffff)
    return `::ffff:${formatIpv4(octets.subarray(12, 16))}`
  let text = ''
  for (let i = 0; i < groups.length; i += 1) {
    if (isShortened && i === run.start) {
      text += '::'
      i += run.length - 1
    } else text += `${text === '' || text.endsWith(':') ? '' : ':'}${groups[i]?.toString(16)}`
  }
  return text
}

/** Groups of 16 bits; the last 32 may be a dotted quad when `last`. */
function parseGroups(text: string, last: boolean): number[] | undefined {
  if (text === '') return []
  const parts = text.split(':')
  const groups: number[] = []
  for (let i = 0; i < parts.length; i += 1) {
    const part = elementAt(parts, i)
    const isQuad = last && i === parts.length - 1 && part.includes('.')
    const quad = isQuad ? parseIpv4(part) : undefined
    if (quad !== undefined) groups.push(uint16At(quad, 0), uint16At(quad, 2))
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16))
    else return undefined
  }
  return groups
}

/** The first of the longest runs (RFC 5952 §4.2.3). */
function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  let length = 0
  for (let i = 0; i < groups.length; i += 1) {
    length = groups[i] === 0 ? length + 1 : 0
    if (length > best.length) best = { start: i - length + 1, length }
  }
  return best
}
