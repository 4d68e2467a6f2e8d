import { digest, someOctets, u8 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { hexFromOctets, octetsFromHex } from '../octets.ts'
import type { Sshfp } from './sshfp.ts'
import type { TypeCases } from './type-cases.cases.ts'

const print = (algorithm: number, type: number, fingerprint: string): Sshfp => ({
  algorithm,
  type,
  fingerprint: octetsFromHex(fingerprint) ?? new Uint8Array(),
})

export const sshfpCases: TypeCases<Sshfp> = {
  valid: [
    [
      'the example of RFC 4255 §3.2',
      '2 1 123456789abcdef67890123456789abcdef67890',
      '0201123456789abcdef67890123456789abcdef67890',
    ],
    [
      'RSA and SHA-256',
      '1 2 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      '0102d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    [
      'ECDSA and SHA-256',
      '3 2 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      '0302d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    [
      'Ed25519 and SHA-256',
      '4 2 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      '0402d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    [
      'Ed448 and SHA-256',
      '6 2 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      '0602d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    [
      'upper case',
      '1 1 123456789ABCDEF67890123456789ABCDEF67890',
      '0101123456789abcdef67890123456789abcdef67890',
      '1 1 123456789abcdef67890123456789abcdef67890',
    ],
    [
      'whitespace in the fingerprint',
      '1 1 12345678 9abcdef67890123456789abcdef67890',
      '0101123456789abcdef67890123456789abcdef67890',
      '1 1 123456789abcdef67890123456789abcdef67890',
    ],
    [
      'parentheses',
      '1 1 (\n 123456789abcdef67890123456789abcdef67890 )',
      '0101123456789abcdef67890123456789abcdef67890',
      '1 1 123456789abcdef67890123456789abcdef67890',
    ],
    [
      'an unknown algorithm',
      '255 1 123456789abcdef67890123456789abcdef67890',
      'ff01123456789abcdef67890123456789abcdef67890',
    ],
    ['an unknown type', '1 255 00', '01ff00'],
    [
      'ECDSA and SHA-1',
      '3 1 123456789abcdef67890123456789abcdef67890',
      '0301123456789abcdef67890123456789abcdef67890',
    ],
  ],
  values: [
    ['2 1 123456789abcdef67890123456789abcdef67890', print(2, 1, '123456789abcdef67890123456789abcdef67890')],
    ['1 9 ff', print(1, 9, 'ff')],
  ],
  badText: [
    ['no fingerprint', '1 1', 'text.missing', 3],
    ['half an octet', '1 1 123', 'text.hex', 4],
    ['colons', '1 1 12:34', 'text.hex', 4],
    ['an algorithm over 255', '256 1 12', 'sshfp.algorithm', 0],
    ['an algorithm by name', 'RSA 1 12', 'text.number', 0],
    ['a type over 255', '1 256 12', 'sshfp.type', 2],
  ],
  badValue: [
    ['algorithm 0', print(0, 1, '123456789abcdef67890123456789abcdef67890'), ['sshfp.algorithm-reserved']],
    ['type 0', print(1, 0, '123456789abcdef67890123456789abcdef67890'), ['sshfp.type-reserved']],
    [
      'SHA-1 with 19 octets',
      print(1, 1, '3456789abcdef67890123456789abcdef67890'),
      ['sshfp.fingerprint-length'],
    ],
    [
      'SHA-1 with 32 octets',
      print(1, 1, 'd4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a'),
      ['sshfp.fingerprint-length'],
    ],
    [
      'SHA-256 with 20 octets',
      print(4, 2, '123456789abcdef67890123456789abcdef67890'),
      ['sshfp.fingerprint-length'],
    ],
    ['both numbers reserved', print(0, 0, '00'), ['sshfp.algorithm-reserved', 'sshfp.type-reserved']],
    ['no fingerprint', print(1, 1, ''), ['sshfp.fingerprint']],
    ['numbers out of range', print(-1, 256, '00'), ['sshfp.algorithm', 'sshfp.type']],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['no type', '01', 'wire.truncated'],
    ['no fingerprint', '0101', 'wire.truncated'],
  ],
  any: fc.record({ algorithm: u8, type: u8, fingerprint: someOctets }),
  oracle: {
    plain: fc
      .tuple(fc.integer({ min: 1, max: 4 }), digest({ 1: 20, 2: 32 }))
      .map(([algorithm, [type, fingerprint]]) => ({ algorithm, type, fingerprint })),
    toData: ({ algorithm, type, fingerprint }) => ({
      algorithm,
      hash: type,
      fingerprint: hexFromOctets(fingerprint).toUpperCase(),
    }),
  },
}
