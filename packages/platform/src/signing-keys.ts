// Key pairs by the platform's cryptography: P-256 and Ed25519, private keys as PKCS #8.
import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
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
  const key = () => (parsed ??= createPrivateKey({ key: Buffer.from(secret), format: 'der', type: 'pkcs8' }))
  const isEdwards = algorithm === SIGNING_ALGORITHM.ED25519
  return {
    flags,
    algorithm,
    publicKey,
    keyTag: keyTag(dnskeyOf({ flags, algorithm, publicKey })),
    sign: (octets) =>
      isEdwards
        ? sign(null, octets, key())
        : sign('sha256', octets, { key: key(), dsaEncoding: 'ieee-p1363' }),
  }
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
