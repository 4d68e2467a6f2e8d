// Signatures over rrsets (RFC 4034 §3, canonical form: §6).

import { putUint16, putUint32 } from '../checked-reads.ts'
import { concatOctets, signedLabels } from './octet-strings.ts'
import type { SigningKey } from './signing-key.ts'

/** Type number of RRSIG. */
export const RRSIG = 46

/** Octets of an RRSIG before the signer's name. */
const FIXED_OCTETS = 18
/** Octets of a record between its owner and its rdata. */
const HEAD_OCTETS = 10
const CLASS_IN = 1

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

/**
 * Rdata of the RRSIG of an rrset.
 *
 * @param zone name of the apex, uncompressed and in lower case
 */
export function signRrset(
  rrset: RrsetToSign,
  zone: Uint8Array,
  key: Pick<SigningKey, 'algorithm' | 'keyTag' | 'sign'>,
  window: SignatureWindow,
): Uint8Array {
  const unsigned = rrsigPrefix(rrset, zone, key, window)
  return concatOctets([unsigned, key.sign(signingInput(unsigned, rrset))])
}

// Without a DataView, which takes longer to make than it saves.

/** The octets that are signed (RFC 4034 §3.1.8.1): the RRSIG without its signature, then the records in canonical form. */
export function signingInput(unsigned: Uint8Array, { owner, type, ttl, rdatas }: RrsetToSign): Uint8Array {
  let octets = unsigned.length
  for (const rdata of rdatas) octets += owner.length + HEAD_OCTETS + rdata.length
  const input = new Uint8Array(octets)
  input.set(unsigned)
  let at = unsigned.length
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

/** An RRSIG up to its signature. */
function rrsigPrefix(
  { owner, type, ttl }: RrsetToSign,
  zone: Uint8Array,
  { algorithm, keyTag }: Pick<SigningKey, 'algorithm' | 'keyTag'>,
  { inception, expiration }: SignatureWindow,
): Uint8Array {
  const rdata = new Uint8Array(FIXED_OCTETS + zone.length)
  putUint16(rdata, 0, type)
  rdata[2] = algorithm
  rdata[3] = signedLabels(owner)
  putUint32(rdata, 4, ttl)
  putUint32(rdata, 8, expiration)
  putUint32(rdata, 12, inception)
  putUint16(rdata, 16, keyTag)
  rdata.set(zone, FIXED_OCTETS)
  return rdata
}
