// Key pairs by the platform's cryptography: P-256 and Ed25519, private keys as PKCS #8.
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { dnskeyOf, keyTag, SIGNING_ALGORITHM, type SigningKey } from '@zonereeve/dns'

export interface KeyPair {
  readonly algorithm: number
  readonly publicKey: Uint8Array
  /** PKCS #8, DER. */
  readonly secret: Uint8Array
}

/** Generates a key pair for one of SIGNING_ALGORITHM. */
export function makeKeyPair(algorithm: number): KeyPair {
  const { privateKey, publicKey } =
    algorithm === SIGNING_ALGORITHM.ED25519
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  // The coordinates are concatenated (RFC 6605 §4); Ed25519 has only one (RFC 8080 §3).
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const halves = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  return {
    algorithm,
    publicKey: Buffer.concat(halves),
    secret: privateKey.export({ format: 'der', type: 'pkcs8' }),
  }
}

/** A signing key. The private key is parsed on first use: many zones are never queried for signatures. */
export function signingKey({ algorithm, publicKey, secret }: KeyPair, flags: number): SigningKey {
  let parsed: KeyObject | undefined
  const open = (): KeyObject => createPrivateKey({ key: Buffer.from(secret), format: 'der', type: 'pkcs8' })
  const signWith =
    algorithm === SIGNING_ALGORITHM.ED25519
      ? (octets: Uint8Array, key: KeyObject) => sign(null, octets, key)
      : (octets: Uint8Array, key: KeyObject) => joinedHalves(sign('sha256', octets, key))
  return {
    flags,
    algorithm,
    publicKey,
    keyTag: keyTag(dnskeyOf({ flags, algorithm, publicKey })),
    sign: (octets) => signWith(octets, (parsed ??= open())),
  }
}

const HALF_OCTETS = 32

/**
 * The two integers of an ECDSA signature, each in 32 octets (RFC 6605 §4). Made here from DER (RFC 3279 §2.2.3): Node 24
 * takes another 50 µs to make the same with `dsaEncoding`.
 */
export function joinedHalves(der: Uint8Array): Uint8Array {
  const joined = new Uint8Array(2 * HALF_OCTETS)
  // Both lengths are below 128, so each has one octet. Integers are as short as possible, or have a zero before their sign bit.
  let at = 2
  for (const end of [HALF_OCTETS, 2 * HALF_OCTETS]) {
    const octets = der[at + 1] ?? 0 // there, as above
    if (octets > HALF_OCTETS + 1) throw new RangeError(`half a signature of ${octets} octets`)
    const value = der.subarray(at + 2 + Math.max(0, octets - HALF_OCTETS), at + 2 + octets)
    joined.set(value, end - value.length)
    at += 2 + octets
  }
  return joined
}

/** A key with its secret, and the flags of its DNSKEY record. */
export interface FlaggedKey extends KeyPair {
  readonly flags: number
}

/** The keys of a signed zone and what is derived from them, as plain data that another thread can receive. */
export interface SealedKeys {
  readonly keys: readonly FlaggedKey[]
  readonly unpublished: readonly FlaggedKey[]
  readonly dnskeys: readonly Uint8Array[]
  readonly cds: readonly Uint8Array[]
  readonly cdnskeys: readonly Uint8Array[]
  readonly multiSigner: boolean
  readonly denial: 'nsec' | 'nsec3'
}

/** The same with keys that sign. */
export function openKeys(sealed: SealedKeys) {
  const open = (key: FlaggedKey): SigningKey => signingKey(key, key.flags)
  return { ...sealed, keys: sealed.keys.map(open), unpublished: sealed.unpublished.map(open), sealed }
}
