// Keys for tests: generated in each run by the platform's cryptography.
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { Name } from '../name.ts'
import { nameToWire } from '../name.ts'
import { signRrset } from './rrsig.ts'
import type { RrsetToSign, SignatureWindow } from './rrsig.ts'
import { isSignedByEntryPoint } from './sign-zone.ts'
import { dnskeyOf, keyTag, SIGNING_ALGORITHM } from './signing-key.ts'
import type { SigningKey } from './signing-key.ts'

export const sha1 = (octets: Uint8Array): Uint8Array => createHash('sha1').update(octets).digest()

export function newKey(flags: number, algorithm: number): SigningKey {
  const isEdwards = algorithm === SIGNING_ALGORITHM.ED25519
  const { privateKey, publicKey: halves } = isEdwards
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = halves.export({ format: 'jwk' })
  const publicKey = Uint8Array.from([...Buffer.from(x, 'base64url'), ...Buffer.from(y, 'base64url')])
  const key = { flags, algorithm, publicKey }
  return {
    ...key,
    keyTag: keyTag(dnskeyOf(key)),
    sign: (octets) =>
      isEdwards
        ? sign(null, octets, privateKey)
        : sign('sha256', octets, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  }
}

/** Signs with the keys for the type. */
export function signWith(apex: Name, keys: readonly SigningKey[], window: SignatureWindow) {
  const zone = nameToWire(apex)
  return (rrset: RrsetToSign): Uint8Array[] =>
    keys
      .filter(({ flags }) => (flags === 257) === isSignedByEntryPoint(rrset.type))
      .map((key) => signRrset(rrset, zone, key, window))
}
