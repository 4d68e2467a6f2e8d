import { Buffer } from 'node:buffer'
import { digest, someOctets, u8 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { octetsFromHex } from '../octets.ts'
import type { Tlsa } from './tlsa.ts'
import type { TypeCases } from './type-cases.cases.ts'

const about = (usage: number, selector: number, matchingType: number, certificate: string): Tlsa => ({
  usage,
  selector,
  matchingType,
  certificate: octetsFromHex(certificate) ?? new Uint8Array(),
})

export const tlsaCases: TypeCases<Tlsa> = {
  valid: [
    [
      'an end entity key',
      '3 1 1 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
      '030101d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    [
      'an authority',
      '2 0 1 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
      '020001d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    [
      'PKIX constraints',
      '0 0 1 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
      '000001d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    [
      'a PKIX certificate',
      '1 0 1 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
      '010001d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    [
      'SHA-512',
      '1 1 2 92003BA34942DC74152E2F2C408D29ECA5A520E7F2E06BB944F4DCA346BAF63C1B177615D466F6C4B71C216A50292BD58C9EBDD2F74E38FE51FFD48C43326CBC',
      '01010292003ba34942dc74152e2f2c408d29eca5a520e7f2e06bb944f4dca346baf63c1b177615d466f6c4b71c216a50292bd58c9ebdd2f74e38fe51ffd48c43326cbc',
    ],
    ['a whole certificate', '3 0 0 30820307308201EFA0030201020201', '03000030820307308201efa0030201020201'],
    [
      'the other case',
      '3 1 1 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      '030101d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      '3 1 1 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
    ],
    [
      'whitespace in the data',
      '3 1 1 D4B7D520E7BB5F0F67674A0CCEB1E3E0 614B93C4F9E99B8383F6A1E4469DA50A',
      '030101d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      '3 1 1 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
    ],
    [
      'parentheses',
      '3 1 1 (\n  D4B7D520E7BB5F0F67674A0CCEB1E3E0\n  614B93C4F9E99B8383F6A1E4469DA50A )',
      '030101d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      '3 1 1 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
    ],
    ['private use', '255 255 255 AB', 'ffffffab'],
    ['one octet', '3 1 0 00', '03010000'],
  ],
  values: [
    [
      '3 1 1 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
      about(3, 1, 1, 'd4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a'),
    ],
    ['255 0 0 FF', about(255, 0, 0, 'ff')],
  ],
  badText: [
    ['no data', '3 1 1', 'text.missing', 5],
    ['half an octet', '3 1 1 123', 'text.hex', 6],
    ['no hexadecimal', '3 1 1 xy', 'text.hex', 6],
    ['base64', '3 1 1 AQID/w==', 'text.hex', 6],
    ['a usage over 255', '256 1 1 12', 'tlsa.usage', 0],
    ['a usage by name', 'DANE-EE 1 1 12', 'text.number', 0],
    ['a selector over 255', '3 256 1 12', 'tlsa.selector', 2],
    ['a matching type over 255', '3 1 256 12', 'tlsa.matchingType', 4],
  ],
  badValue: [
    [
      'SHA-256 with 31 octets',
      about(3, 1, 1, 'b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a'),
      ['tlsa.certificate-length'],
    ],
    [
      'SHA-256 with 64 octets',
      about(
        3,
        1,
        1,
        '92003ba34942dc74152e2f2c408d29eca5a520e7f2e06bb944f4dca346baf63c1b177615d466f6c4b71c216a50292bd58c9ebdd2f74e38fe51ffd48c43326cbc',
      ),
      ['tlsa.certificate-length'],
    ],
    [
      'SHA-512 with 32 octets',
      about(3, 1, 2, 'd4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a'),
      ['tlsa.certificate-length'],
    ],
    ['no data', about(3, 1, 0, ''), ['tlsa.certificate']],
    [
      'all numbers out of range',
      about(-1, 256, 1.5, ''),
      ['tlsa.usage', 'tlsa.selector', 'tlsa.matchingType', 'tlsa.certificate'],
    ],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['no matching type', '0301', 'wire.truncated'],
    ['no data', '030101', 'wire.truncated'],
  ],
  any: fc.record({ usage: u8, selector: u8, matchingType: u8, certificate: someOctets }),
  oracle: {
    plain: fc
      .tuple(u8, u8, digest({ 1: 32, 2: 64, 77: 5 }))
      .map(([usage, selector, [matchingType, certificate]]) => ({
        usage,
        selector,
        matchingType,
        certificate,
      })),
    toData: ({ certificate, ...d }) => ({ ...d, certificate: Buffer.from(certificate) }),
  },
}
