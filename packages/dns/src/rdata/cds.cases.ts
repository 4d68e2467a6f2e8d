import { digest, someOctets, u16, u8 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { octetsFromHex } from '../octets.ts'
import type { Cds } from './cds.ts'
import type { TypeCases } from './type-cases.cases.ts'

const octets = (hex: string): Uint8Array => octetsFromHex(hex) ?? new Uint8Array()
const ds = (keyTag: number, algorithm: number, digestType: number, digest: string): Cds => ({
  keyTag,
  algorithm,
  digestType,
  digest: octets(digest),
})

export const cdsCases: TypeCases<Cds> = {
  valid: [
    [
      'the example of RFC 4034 §5.4',
      '60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118',
      'ec4505012bb183af5f22588179a53b0a98631fad1a292118',
    ],
    [
      'SHA-256',
      '60485 5 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
      'ec450502d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    [
      'SHA-384',
      '10771 14 4 72D7B62976CE06438E9C0BF319013CF801F09ECC84B8D7E9495F27E305C6A9B0563A9B5F4D288405C3008A946DF983D6',
      '2a130e0472d7b62976ce06438e9c0bf319013cf801f09ecc84b8d7e9495f27e305c6a9b0563a9b5f4d288405c3008a946df983d6',
    ],
    [
      'lower case',
      '60485 5 1 2bb183af5f22588179a53b0a98631fad1a292118',
      'ec4505012bb183af5f22588179a53b0a98631fad1a292118',
      '60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118',
    ],
    [
      'whitespace in the digest',
      '60485 5 1 2bb183af5f22588179a5 3b0a98631fad1a292118',
      'ec4505012bb183af5f22588179a53b0a98631fad1a292118',
      '60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118',
    ],
    [
      'parentheses',
      '60485 5 1 ( 2BB183AF5F22588179A53B0A98631FAD1A292118 )',
      'ec4505012bb183af5f22588179a53b0a98631fad1a292118',
      '60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118',
    ],
    [
      'an algorithm by name',
      '60485 RSASHA1 1 2BB183AF5F22588179A53B0A98631FAD1A292118',
      'ec4505012bb183af5f22588179a53b0a98631fad1a292118',
      '60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118',
    ],
    [
      'an algorithm by name in lower case',
      '1 ecdsap256sha256 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
      '00010d02d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      '1 13 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
    ],
    [
      'the lowest numbers',
      '0 1 1 2BB183AF5F22588179A53B0A98631FAD1A292118',
      '000001012bb183af5f22588179a53b0a98631fad1a292118',
    ],
    ['the highest numbers', '65535 255 255 FF00', 'ffffffffff00'],
    [
      'SM3',
      '1 13 6 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
      '00010d06d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    [
      'a private algorithm',
      '5 254 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
      '0005fe02d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    ['the delete request', '0 0 0 00', '0000000000'],
  ],
  values: [
    [
      '60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118',
      ds(60_485, 5, 1, '2bb183af5f22588179a53b0a98631fad1a292118'),
    ],
    ['1 13 200 FF', ds(1, 13, 200, 'ff')],
  ],
  badText: [
    ['no digest', '60485 5 1', 'text.missing'],
    ['half an octet', '60485 5 2 ABC', 'text.hex', 10],
    ['no hexadecimal', '60485 5 1 XY', 'text.hex', 10],
    ['a key tag over 65535', '65536 5 1 AB', 'cds.keyTag', 0],
    ['an algorithm over 255', '1 256 1 AB', 'cds.algorithm', 2],
    ['an unknown algorithm name', '1 RSASHA3 1 AB', 'text.number', 2],
    ['a digest type by name', '1 5 SHA-1 AB', 'text.number', 4],
    ['a digest type over 255', '1 5 256 AB', 'cds.digestType', 4],
  ],
  badValue: [
    ['deletion with a key tag', ds(1, 0, 0, '00'), ['cds.delete']],
    ['deletion with two octets', ds(0, 0, 0, '0000'), ['cds.delete']],
    ['deletion with a digest type', ds(0, 0, 5, '00'), ['cds.delete', 'cds.digest-length']],
    ['digest type 0', ds(1, 5, 0, '00'), ['cds.digest-type-reserved']],
    ['SHA-1 with 19 octets', ds(1, 5, 1, 'b183af5f22588179a53b0a98631fad1a292118'), ['cds.digest-length']],
    [
      'SHA-256 with 20 octets',
      ds(1, 5, 2, '2bb183af5f22588179a53b0a98631fad1a292118'),
      ['cds.digest-length'],
    ],
    [
      'SHA-384 with 32 octets',
      ds(1, 5, 4, 'd4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a'),
      ['cds.digest-length'],
    ],
    [
      'GOST with 33 octets',
      ds(1, 5, 5, 'd4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a00'),
      ['cds.digest-length'],
    ],
    ['no digest', ds(1, 5, 1, ''), ['cds.digest']],
    [
      'all numbers out of range',
      ds(-1, 256, 1.5, ''),
      ['cds.keyTag', 'cds.algorithm', 'cds.digestType', 'cds.digest'],
    ],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['no digest', '00010501', 'wire.truncated'],
    ['no digest type', '000105', 'wire.truncated'],
  ],
  any: fc.record({ keyTag: u16, algorithm: u8, digestType: u8, digest: someOctets }),
  plain: fc
    .tuple(u16, fc.integer({ min: 1, max: 255 }), digest({ 1: 20, 2: 32, 4: 48 }))
    .map(([keyTag, algorithm, [digestType, octets]]) => ({ keyTag, algorithm, digestType, digest: octets })),
}
