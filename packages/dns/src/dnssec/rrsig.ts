// Signatures over rrsets (RFC 4034 §3, canonical form: §6).

import { putUint16, putUint32 } from '../checked-reads.ts'
import { signedLabels } from './octet-strings.ts'
import type { SigningKey } from './signing-key.ts'

/** Type number of RRSIG. */
export const RRSIG = 46

/** Octets of an RRSIG before the signer's name. */
const FIXED_OCTETS = 18
/** Octets of a record between its owner and its rdata. */
const HEAD_OCTETS = 10
const CLASS_IN = 1
/** Octets of a signature of either algorithm (RFC 6605 §4, RFC 8080 §4). */
const SIGNATURE_OCTETS = 64

/** An rrset of class IN to sign. */
export interface RrsetToSign {
  /** The whole name, uncompressed and in lower case; for a wildcard its own name. */
  readonly owner: Uint8Array
  readonly type: number
  /** The original TTL, which the signature covers even when caches count it down. */
  readonly ttl: number
  /** Canonical rdata (see canonicalRdata), each once, in the order of compareOctets (RFC 4034 §6.3). */
  readonly rdatas: readonly Uint8Array[]
}

/** Validity of a signature in seconds since 1970; only the lower 32 bits are signed (RFC 4034 §3.1.5). */
export interface SignatureWindow {
  readonly inception: number
  readonly expiration: number
}

type Signer = Pick<SigningKey, 'algorithm' | 'keyTag' | 'sign'>

/** Octets of the rdata of an RRSIG in a zone of this name. */
export const rrsigOctets = (zone: Uint8Array): number => FIXED_OCTETS + zone.length + SIGNATURE_OCTETS

/** Rdata of the RRSIG of an rrset: see writeRrsig. */
export function signRrset(
  rrset: RrsetToSign,
  zone: Uint8Array,
  key: Signer,
  window: SignatureWindow,
): Uint8Array {
  const rdata = new Uint8Array(rrsigOctets(zone))
  writeRrsig(rdata, 0, rrset, zone, key, window)
  return rdata
}

/** Longer inputs are not kept after their signature. */
const MAX_REUSED_OCTETS = 65_536
/** What is signed. Reused: small arrays that V8 allocates apart from the heap cost more than writing to them. */
let reused = new Uint8Array(512)

/**
 * Writes the rdata of the RRSIG of an rrset from `at` on: rrsigOctets.
 *
 * @param zone name of the apex, uncompressed and in lower case
 */
export function writeRrsig(
  out: Uint8Array,
  at: number,
  rrset: RrsetToSign,
  zone: Uint8Array,
  key: Signer,
  window: SignatureWindow,
): void {
  const input = inputOf(rrset, zone, key, window)
  const prefixOctets = FIXED_OCTETS + zone.length
  const signature = key.sign(input)
  if (signature.length !== SIGNATURE_OCTETS) throw new RangeError(`a signature of ${signature.length} octets`)
  out.set(input.subarray(0, prefixOctets), at)
  out.set(signature, at + prefixOctets)
}

// Without a DataView, which takes longer to make than it saves.

/** The octets that are signed (RFC 4034 §3.1.8.1): the RRSIG without its signature, then the records in canonical form. */
function inputOf(
  { owner, type, ttl, rdatas }: RrsetToSign,
  zone: Uint8Array,
  { algorithm, keyTag }: Signer,
  { inception, expiration }: SignatureWindow,
): Uint8Array {
  let octets = FIXED_OCTETS + zone.length
  for (const rdata of rdatas) octets += owner.length + HEAD_OCTETS + rdata.length
  const input = arrayFor(octets)
  putUint16(input, 0, type)
  input[2] = algorithm
  input[3] = signedLabels(owner)
  putUint32(input, 4, ttl)
  putUint32(input, 8, expiration)
  putUint32(input, 12, inception)
  putUint16(input, 16, keyTag)
  input.set(zone, FIXED_OCTETS)
  let at = FIXED_OCTETS + zone.length
  for (const rdata of rdatas) {
    input.set(owner, at)
    at += owner.length
    putUint16(input, at, type)
    putUint16(input, at + 2, CLASS_IN)
    putUint32(input, at + 4, ttl)
    putUint16(input, at + 8, rdata.length)
    input.set(rdata, at + HEAD_OCTETS)
    at += HEAD_OCTETS + rdata.length
  }
  return input
}

function arrayFor(octets: number): Uint8Array {
  if (octets > MAX_REUSED_OCTETS) return new Uint8Array(octets)
  if (octets > reused.length) reused = new Uint8Array(Math.min(2 * octets, MAX_REUSED_OCTETS))
  return reused.subarray(0, octets)
}
