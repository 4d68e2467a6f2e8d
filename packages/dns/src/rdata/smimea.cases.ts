import { digest, someOctets, u8 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { octetsFromHex } from '../octets.ts'
import type { Smimea } from './smimea.ts'
import type { TypeCases } from './type-cases.cases.ts'

const about = (usage: number, selector: number, matchingType: number, certificate: string): Smimea => ({
  usage,
  selector,
  matchingType,
  certificate: octetsFromHex(certificate) ?? new Uint8Array(),
})

export const smimeaCases: TypeCases<Smimea> = {
  valid: [
    [
      'an end entity key',
      '3 1 1 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      '030101d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    [
      'an authority',
      '2 0 1 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      '020001d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    [
      'PKIX constraints',
      '0 0 1 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      '000001d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    [
      'a PKIX certificate',
      '1 0 1 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      '010001d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    [
      'SHA-512',
      '1 1 2 92003ba34942dc74152e2f2c408d29eca5a520e7f2e06bb944f4dca346baf63c1b177615d466f6c4b71c216a50292bd58c9ebdd2f74e38fe51ffd48c43326cbc',
      '01010292003ba34942dc74152e2f2c408d29eca5a520e7f2e06bb944f4dca346baf63c1b177615d466f6c4b71c216a50292bd58c9ebdd2f74e38fe51ffd48c43326cbc',
    ],
    ['a whole certificate', '3 0 0 30820307308201efa0030201020201', '03000030820307308201efa0030201020201'],
    [
      'the other case',
      '3 1 1 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
      '030101d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      '3 1 1 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    [
      'whitespace in the data',
      '3 1 1 d4b7d520e7bb5f0f67674a0cceb1e3e0 614b93c4f9e99b8383f6a1e4469da50a',
      '030101d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      '3 1 1 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    [
      'parentheses',
      '3 1 1 (\n  d4b7d520e7bb5f0f67674a0cceb1e3e0\n  614b93c4f9e99b8383f6a1e4469da50a )',
      '030101d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      '3 1 1 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    ],
    ['private use', '255 255 255 ab', 'ffffffab'],
    ['one octet', '3 1 0 00', '03010000'],
  ],
  values: [
    [
      '3 1 1 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
      about(3, 1, 1, 'd4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a'),
    ],
    ['255 0 0 ff', about(255, 0, 0, 'ff')],
  ],
  badText: [
    ['no data', '3 1 1', 'text.missing', 5],
    ['half an octet', '3 1 1 123', 'text.hex', 6],
    ['no hexadecimal', '3 1 1 xy', 'text.hex', 6],
    ['base64', '3 1 1 AQID/w==', 'text.hex', 6],
    ['a usage over 255', '256 1 1 12', 'smimea.usage', 0],
    ['a usage by name', 'DANE-EE 1 1 12', 'text.number', 0],
    ['a selector over 255', '3 256 1 12', 'smimea.selector', 2],
    ['a matching type over 255', '3 1 256 12', 'smimea.matchingType', 4],
  ],
  badValue: [
    [
      'SHA-256 with 31 octets',
      about(3, 1, 1, 'b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a'),
      ['smimea.certificate-length'],
    ],
    [
      'SHA-256 with 64 octets',
      about(
        3,
        1,
        1,
        '92003ba34942dc74152e2f2c408d29eca5a520e7f2e06bb944f4dca346baf63c1b177615d466f6c4b71c216a50292bd58c9ebdd2f74e38fe51ffd48c43326cbc',
      ),
      ['smimea.certificate-length'],
    ],
    [
      'SHA-512 with 32 octets',
      about(3, 1, 2, 'd4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a'),
      ['smimea.certificate-length'],
    ],
    ['no data', about(3, 1, 0, ''), ['smimea.certificate']],
    [
      'all numbers out of range',
      about(-1, 256, 1.5, ''),
      ['smimea.usage', 'smimea.selector', 'smimea.matchingType', 'smimea.certificate'],
    ],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['no matching type', '0301', 'wire.truncated'],
    ['no data', '030101', 'wire.truncated'],
  ],
  any: fc.record({ usage: u8, selector: u8, matchingType: u8, certificate: someOctets }),
  plain: fc
    .tuple(u8, u8, digest({ 1: 32, 2: 64, 77: 5 }))
    .map(([usage, selector, [matchingType, certificate]]) => ({
      usage,
      selector,
      matchingType,
      certificate,
    })),
}
