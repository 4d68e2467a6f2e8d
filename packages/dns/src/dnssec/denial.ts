// Authenticated denial of existence: NSEC (RFC 4034 §4), NSEC3 (RFC 5155), and the records that online signers make up for
// one answer (compact denial, RFC 9824). Names are whole, uncompressed and in lower case.

import { MAX_LABEL_OCTETS, MAX_NAME_OCTETS } from '../name.ts'
import { octetsFromLatin1 } from '../octets.ts'
import type { Hash } from './ds.ts'
import { concatOctets } from './octet-strings.ts'
import { typeBitmaps } from './type-bitmaps.ts'

/** Type numbers of the records of denial. */
export const NSEC = 47
export const NSEC3 = 50
export const NSEC3PARAM = 51
/** No type of any record: in a bitmap it says that the name does not exist (RFC 9824 §2). */
export const NXNAME = 128

/** SHA-1, the only hash of NSEC3 (RFC 5155 §11). */
const NSEC3_SHA1 = 1

/** How names are hashed. No salt and no extra iterations are what RFC 9276 §3.1 asks for. */
export interface Nsec3Parameters {
  /** At most 255 octets. */
  readonly salt: Uint8Array
  /** Additional iterations, 0..65535. */
  readonly iterations: number
}

/** No salt, no additional iterations (RFC 9276 §3.1). */
export const USUAL_NSEC3: Nsec3Parameters = { salt: new Uint8Array(), iterations: 0 }

/** Rdata of an NSEC: the next name, and the types at this one. */
export function nsecRdata(next: Uint8Array, types: Iterable<number>): Uint8Array {
  return concatOctets([next, typeBitmaps(types)])
}

/** Rdata of an NSEC3: no opt-out. */
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

/** The name that an NSEC3 stands at: the hash in base32hex below the apex (RFC 5155 §3). */
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

/** The hash that follows in the order of hashes; the last one's is the first. */
export function nextHash(hash: Uint8Array): Uint8Array {
  const next = Uint8Array.from(hash) // not slice: that of a Buffer shares its octets
  for (let at = next.length - 1; at >= 0; at -= 1) {
    next[at] = ((next[at] ?? 0) + 1) & 0xff
    if (next[at] !== 0) break
  }
  return next
}

/**
 * The name that follows in the canonical order of all names at or below the apex, so that nothing but `name` is denied
 * anything: `\000.name` where there is room for it (RFC 9824 §3.1), else as RFC 4471 §3.1.2 has it. The apex after the
 * last of all names.
 */
export function nextName(name: Uint8Array, apex: Uint8Array): Uint8Array {
  if (name.length + 2 <= MAX_NAME_OCTETS) return concatOctets([Uint8Array.of(1, 0), name])
  for (let at = 0; name.length - at > apex.length; at += 1 + (name[at] ?? 0)) {
    const octets = name[at] ?? 0
    const label = name.subarray(at + 1, at + 1 + octets)
    const rest = name.subarray(at + 1 + octets)
    if (octets < MAX_LABEL_OCTETS && octets + 2 + rest.length <= MAX_NAME_OCTETS)
      return concatOctets([Uint8Array.of(octets + 1), label, Uint8Array.of(0), rest])
    const last = label.findLastIndex((octet) => octet !== 0xff)
    if (last === -1) continue
    const greater = Uint8Array.from(label.subarray(0, last + 1))
    // Upper case has no place of its own in the order.
    greater[last] = greater[last] === 0x40 ? 0x5b : (greater[last] ?? 0) + 1
    return concatOctets([Uint8Array.of(greater.length), greater, rest])
  }
  return apex
}
