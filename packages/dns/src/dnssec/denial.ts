// Authenticated denial of existence: NSEC (RFC 4034 §4), NSEC3 (RFC 5155), and the records that online signers make up for
// one answer (compact denial, RFC 9824). Names are whole, uncompressed and in lower case.

import { byteAt } from '../checked-reads.ts'
import { MAX_LABEL_OCTETS, MAX_NAME_OCTETS } from '../name.ts'
import { octetsFromLatin1 } from '../octets.ts'
import type { Hash } from './ds.ts'
import { concatOctets } from './octet-strings.ts'
import { typeBitmaps } from './type-bitmaps.ts'

/** Type numbers of the denial records. */
export const NSEC = 47
export const NSEC3 = 50
export const NSEC3PARAM = 51
/** Not a type of any record: in a bitmap it means that the name does not exist (RFC 9824 §2). */
export const NXNAME = 128

/** SHA-1, the only hash of NSEC3 (RFC 5155 §11). */
const NSEC3_SHA1 = 1

/** Parameters of the name hash. RFC 9276 §3.1 requires no salt and no extra iterations. */
export interface Nsec3Parameters {
  /** At most 255 octets. */
  readonly salt: Uint8Array
  /** Additional iterations, 0..65535. */
  readonly iterations: number
}

/** No salt, no additional iterations (RFC 9276 §3.1). */
export const DEFAULT_NSEC3: Nsec3Parameters = { salt: new Uint8Array(), iterations: 0 }

/** Rdata of an NSEC record: the next name, and the types at this one. */
export function nsecRdata(next: Uint8Array, types: Iterable<number>): Uint8Array {
  return concatOctets([next, typeBitmaps(types)])
}

/** Rdata of an NSEC3 record without opt-out. */
export function nsec3Rdata(
  { salt, iterations }: Nsec3Parameters,
  nextHash: Uint8Array,
  types: Iterable<number>,
): Uint8Array {
  const head = Uint8Array.of(NSEC3_SHA1, 0, iterations >> 8, iterations & 0xff, salt.length)
  return concatOctets([head, salt, Uint8Array.of(nextHash.length), nextHash, typeBitmaps(types)])
}

/** Rdata of the NSEC3PARAM at the apex (RFC 5155 §4). */
export function nsec3ParamRdata({ salt, iterations }: Nsec3Parameters): Uint8Array {
  return concatOctets([Uint8Array.of(NSEC3_SHA1, 0, iterations >> 8, iterations & 0xff, salt.length), salt])
}

/** The hash of a name (RFC 5155 §5). `sha1` must be SHA-1. */
export function nsec3Hash(name: Uint8Array, { salt, iterations }: Nsec3Parameters, sha1: Hash): Uint8Array {
  let hash = sha1(concatOctets([name, salt]))
  for (let i = 0; i < iterations; i += 1) hash = sha1(concatOctets([hash, salt]))
  return hash
}

/** The owner name of an NSEC3 record: the hash in base32hex below the apex (RFC 5155 §3). */
export function nsec3Owner(hash: Uint8Array, apex: Uint8Array): Uint8Array {
  const label = octetsFromLatin1(base32Hex(hash))
  return concatOctets([Uint8Array.of(label.length), label, apex])
}

/** Base32 with the extended hexadecimal alphabet in lower case, without padding (RFC 4648 §7, RFC 5155 §3.3). */
export function base32Hex(octets: Uint8Array): string {
  let text = ''
  let bits = 0
  let count = 0
  for (const octet of octets) {
    bits = ((bits << 8) | octet) & 0xfff
    count += 8
    while (count >= 5) {
      count -= 5
      text += ((bits >> count) & 31).toString(32)
    }
  }
  return count === 0 ? text : text + ((bits << (5 - count)) & 31).toString(32)
}

/** The next hash in order; the last one is followed by the first. */
export function nextHash(hash: Uint8Array): Uint8Array {
  const next = Uint8Array.from(hash) // not slice: on a Buffer it would share the octets
  for (let at = next.length - 1; at >= 0; at -= 1) {
    next[at] = (byteAt(next, at) + 1) & 0xff
    if (next[at] !== 0) break
  }
  return next
}

/**
 * The next name in the canonical order of all names at or below the apex, so that only `name` is denied: `\000.name`
 * if it fits (RFC 9824 §3.1), otherwise as in RFC 4471 §3.1.2. The last of all names is followed by the apex.
 */
export function nextName(name: Uint8Array, apex: Uint8Array): Uint8Array {
  if (name.length + 2 <= MAX_NAME_OCTETS) return concatOctets([Uint8Array.of(1, 0), name])
  for (let at = 0; name.length - at > apex.length; at += 1 + byteAt(name, at)) {
    const octets = byteAt(name, at)
    const label = name.subarray(at + 1, at + 1 + octets)
    const rest = name.subarray(at + 1 + octets)
    if (octets < MAX_LABEL_OCTETS && octets + 2 + rest.length <= MAX_NAME_OCTETS)
      return concatOctets([Uint8Array.of(octets + 1), label, Uint8Array.of(0), rest])
    const last = label.findLastIndex((octet) => octet !== 0xff)
    if (last === -1) continue
    const greater = Uint8Array.from(label.subarray(0, last + 1))
    // Upper case letters have no position of their own in the order.
    greater[last] = greater[last] === 0x40 ? 0x5b : byteAt(greater, last) + 1
    return concatOctets([Uint8Array.of(greater.length), greater, rest])
  }
  return apex
}
