// Signatures over rrsets (RFC 4034 §3, canonical form: §6).

import { concatOctets, signedLabels } from './octet-strings.ts'
import type { SigningKey } from './signing-key.ts'

/** Type number of RRSIG. */
export const RRSIG = 46

/** Octets of an RRSIG before the signer's name. */
const FIXED_OCTETS = 18

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

/** The octets that are signed (RFC 4034 §3.1.8.1): the RRSIG without its signature, then the records in canonical form. */
export function signingInput(unsigned: Uint8Array, { owner, type, ttl, rdatas }: RrsetToSign): Uint8Array {
  const head = new Uint8Array(owner.length + 10)
  head.set(owner, 0)
  const view = new DataView(head.buffer)
  view.setUint16(owner.length, type)
  view.setUint16(owner.length + 2, 1) // class IN
  view.setUint32(owner.length + 4, ttl)
  const parts = [unsigned]
  for (const rdata of rdatas) {
    const own = head.slice()
    own[owner.length + 8] = rdata.length >> 8
    own[owner.length + 9] = rdata.length & 0xff
    parts.push(own, rdata)
  }
  return concatOctets(parts)
}

/** An RRSIG up to its signature. */
function rrsigPrefix(
  { owner, type, ttl }: RrsetToSign,
  zone: Uint8Array,
  { algorithm, keyTag }: Pick<SigningKey, 'algorithm' | 'keyTag'>,
  { inception, expiration }: SignatureWindow,
): Uint8Array {
  const rdata = new Uint8Array(FIXED_OCTETS + zone.length)
  const view = new DataView(rdata.buffer)
  view.setUint16(0, type)
  view.setUint8(2, algorithm)
  view.setUint8(3, signedLabels(owner))
  view.setUint32(4, ttl)
  view.setUint32(8, expiration)
  view.setUint32(12, inception)
  view.setUint16(16, keyTag)
  rdata.set(zone, FIXED_OCTETS)
  return rdata
}
