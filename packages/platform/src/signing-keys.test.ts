// Signatures in the form that DNS has them, verified by the platform's cryptography.
import { createPublicKey, generateKeyPairSync, sign, verify, createPrivateKey } from 'node:crypto'
import * as fc from 'fast-check'
import { SIGNING_ALGORITHM } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import { joinedHalves, makeKeyPair, openKeys } from './signing-keys.ts'

/** An integer in DER (X.690 §8.3): as short as possible, with a zero where its first bit would mean a sign. */
function integer(value: Uint8Array): number[] {
  const first = value.findIndex((octet) => octet !== 0)
  const short = first === -1 ? [0] : [...value.subarray(first)]
  const content = (short[0] ?? 0) > 127 ? [0, ...short] : short
  return [2, content.length, ...content]
}

function der(joined: Uint8Array): Uint8Array {
  const content = [...integer(joined.subarray(0, 32)), ...integer(joined.subarray(32))]
  return Uint8Array.of(0x30, content.length, ...content)
}

const octets = (first: readonly number[], last: number): Uint8Array => {
  const half = new Uint8Array(32)
  half.set(first)
  half[31] = last
  return half
}

test('a signature of a larger curve is refused', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  expect(() => joinedHalves(sign('sha256', Buffer.from('www.example.com'), privateKey))).toThrow(RangeError)
})

describe('a signature in DER has its halves in 32 octets each', () => {
  const CASES: readonly (readonly [title: string, first: Uint8Array, second: Uint8Array])[] = [
    ['both of full length', octets([1], 2), octets([127], 3)],
    ['with a first bit that is set', octets([128], 2), octets([255], 3)],
    ['with one short half', octets([0, 0, 5], 2), octets([1], 3)],
    ['with one octet each', octets([], 1), octets([], 255)],
    ['of zeros', octets([], 0), octets([], 0)],
  ]
  test.each(CASES)('%s', (_, first, second) => {
    const joined = Uint8Array.of(...first, ...second)
    expect(joinedHalves(der(joined))).toEqual(joined)
  })

  test('whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), (joined) => {
        expect(joinedHalves(der(joined))).toEqual(joined)
      }),
    )
  })

  test('as the platform makes it', () => {
    const { secret } = makeKeyPair(SIGNING_ALGORITHM.ECDSAP256SHA256)
    const key = createPrivateKey({ key: Buffer.from(secret), format: 'der', type: 'pkcs8' })
    const data = Buffer.from('www.example.com')
    // Some 1 of 128 has a short half.
    for (let turn = 0; turn < 500; turn += 1) {
      const signature = joinedHalves(sign('sha256', data, key))
      expect(
        verify('sha256', data, { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' }, signature),
      ).toBe(true)
    }
  })
})

test.each(Object.entries(SIGNING_ALGORITHM))('a key of %s signs', (_, algorithm) => {
  const pair = makeKeyPair(algorithm)
  const { keys } = openKeys({
    keys: [{ ...pair, flags: 256 }],
    unpublished: [],
    dnskeys: [],
    cds: [],
    cdnskeys: [],
    multiSigner: false,
    denial: 'nsec',
  })
  const key = createPublicKey(
    createPrivateKey({ key: Buffer.from(pair.secret), format: 'der', type: 'pkcs8' }),
  )
  const data = Buffer.from('www.example.com')
  const signature = keys[0]?.sign(data) ?? new Uint8Array(0)
  expect(signature).toHaveLength(64)
  const hash = algorithm === SIGNING_ALGORITHM.ED25519 ? null : 'sha256'
  expect(verify(hash, data, { key, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true)
  expect(verify(hash, Buffer.from('other.example.com'), { key, dsaEncoding: 'ieee-p1363' }, signature)).toBe(
    false,
  )
})
