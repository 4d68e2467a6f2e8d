import { someOctets, u16, u8 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { octetsFromHex } from '../octets.ts'
import type { Cdnskey } from './cdnskey.ts'
import type { TypeCases } from './type-cases.cases.ts'

const key = (flags: number, protocol: number, algorithm: number, publicKey: string): Cdnskey => ({
  flags,
  protocol,
  algorithm,
  publicKey: octetsFromHex(publicKey) ?? new Uint8Array(),
})

export const cdnskeyCases: TypeCases<Cdnskey> = {
  valid: [
    [
      'a zone key',
      '256 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==',
      '0100030d99db2cc14cabdc33d6d77da63a2f15f71112584f234e8d1dc428e39e8a4a97e1aa271a555dc90701e17e2a4c4b6f120b7c32d44f4ac02bd894cf2d4be7778a19',
    ],
    [
      'an entry point',
      '257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==',
      '0101030d99db2cc14cabdc33d6d77da63a2f15f71112584f234e8d1dc428e39e8a4a97e1aa271a555dc90701e17e2a4c4b6f120b7c32d44f4ac02bd894cf2d4be7778a19',
    ],
    [
      'a revoked entry point',
      '385 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==',
      '0181030d99db2cc14cabdc33d6d77da63a2f15f71112584f234e8d1dc428e39e8a4a97e1aa271a555dc90701e17e2a4c4b6f120b7c32d44f4ac02bd894cf2d4be7778a19',
    ],
    [
      'a revoked zone key',
      '384 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==',
      '0180030d99db2cc14cabdc33d6d77da63a2f15f71112584f234e8d1dc428e39e8a4a97e1aa271a555dc90701e17e2a4c4b6f120b7c32d44f4ac02bd894cf2d4be7778a19',
    ],
    [
      'a key that is not for zones',
      '0 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==',
      '0000030d99db2cc14cabdc33d6d77da63a2f15f71112584f234e8d1dc428e39e8a4a97e1aa271a555dc90701e17e2a4c4b6f120b7c32d44f4ac02bd894cf2d4be7778a19',
    ],
    [
      'Ed25519',
      '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
      '0101030f974d96a22d224bc01adb915091477d44ccd91c9a41a11430010117d52c59240e',
    ],
    [
      'RSA',
      '256 3 8 AwEAAdDECajHaTjfSoNTY58WcBah1BxPKVIHBz4IfLjfqMvium4lgKtKZLe97DgJ5/NQrNEGGQmr6fKvUj67cfrZUojZ2cGRizVhgkOqZ9scaTVXNuXLM5Tw7VWOVIceeXAuuH2mPIiEV6MhJYUsW6dvmNsJ4XwCgNgroAmXhoMEiWEjBB+wjYZQ5GtZHBFKVXACSWTiCtddHcueOeSVPi5WH94VlubhHfiytNPZLrObhUCHT6k0tNE6phLoHnXWU+6vpsYpz6GhMw/R9BFxW5PdPFIWBgoWk2/XFVRSKG9Lr61b2z1R126xeUwvw46RVy3hanV3vNO7LM5HniqaYclBbhk=',
      '0100030803010001d0c409a8c76938df4a8353639f167016a1d41c4f295207073e087cb8dfa8cbe2ba6e2580ab4a64b7bdec3809e7f350acd1061909abe9f2af523ebb71fad95288d9d9c1918b35618243aa67db1c69355736e5cb3394f0ed558e54871e79702eb87da63c888457a32125852c5ba76f98db09e17c0280d82ba00997868304896123041fb08d8650e46b591c114a5570024964e20ad75d1dcb9e39e4953e2e561fde1596e6e11df8b2b4d3d92eb39b8540874fa934b4d13aa612e81e75d653eeafa6c629cfa1a1330fd1f411715b93dd3c5216060a16936fd7155452286f4bafad5bdb3d51d76eb1794c2fc38e91572de16a7577bcd3bb2cce479e2a9a61c9416e19',
    ],
    [
      'an algorithm by name',
      '257 3 RSASHA256 AwEAAdDECajHaTjfSoNTY58WcBah1BxPKVIHBz4IfLjfqMvium4lgKtKZLe97DgJ5/NQrNEGGQmr6fKvUj67cfrZUojZ2cGRizVhgkOqZ9scaTVXNuXLM5Tw7VWOVIceeXAuuH2mPIiEV6MhJYUsW6dvmNsJ4XwCgNgroAmXhoMEiWEjBB+wjYZQ5GtZHBFKVXACSWTiCtddHcueOeSVPi5WH94VlubhHfiytNPZLrObhUCHT6k0tNE6phLoHnXWU+6vpsYpz6GhMw/R9BFxW5PdPFIWBgoWk2/XFVRSKG9Lr61b2z1R126xeUwvw46RVy3hanV3vNO7LM5HniqaYclBbhk=',
      '0101030803010001d0c409a8c76938df4a8353639f167016a1d41c4f295207073e087cb8dfa8cbe2ba6e2580ab4a64b7bdec3809e7f350acd1061909abe9f2af523ebb71fad95288d9d9c1918b35618243aa67db1c69355736e5cb3394f0ed558e54871e79702eb87da63c888457a32125852c5ba76f98db09e17c0280d82ba00997868304896123041fb08d8650e46b591c114a5570024964e20ad75d1dcb9e39e4953e2e561fde1596e6e11df8b2b4d3d92eb39b8540874fa934b4d13aa612e81e75d653eeafa6c629cfa1a1330fd1f411715b93dd3c5216060a16936fd7155452286f4bafad5bdb3d51d76eb1794c2fc38e91572de16a7577bcd3bb2cce479e2a9a61c9416e19',
      '257 3 8 AwEAAdDECajHaTjfSoNTY58WcBah1BxPKVIHBz4IfLjfqMvium4lgKtKZLe97DgJ5/NQrNEGGQmr6fKvUj67cfrZUojZ2cGRizVhgkOqZ9scaTVXNuXLM5Tw7VWOVIceeXAuuH2mPIiEV6MhJYUsW6dvmNsJ4XwCgNgroAmXhoMEiWEjBB+wjYZQ5GtZHBFKVXACSWTiCtddHcueOeSVPi5WH94VlubhHfiytNPZLrObhUCHT6k0tNE6phLoHnXWU+6vpsYpz6GhMw/R9BFxW5PdPFIWBgoWk2/XFVRSKG9Lr61b2z1R126xeUwvw46RVy3hanV3vNO7LM5HniqaYclBbhk=',
    ],
    [
      'an algorithm by name in lower case',
      '257 3 ed25519 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
      '0101030f974d96a22d224bc01adb915091477d44ccd91c9a41a11430010117d52c59240e',
      '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
    ],
    [
      'whitespace in the key',
      '257 3 15 l02Woi0iS8Aa25FQ kUd9RMzZHJpBoRQwAQEX1SxZJA4=',
      '0101030f974d96a22d224bc01adb915091477d44ccd91c9a41a11430010117d52c59240e',
      '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
    ],
    [
      'parentheses and lines',
      '257 3 15 (\n  l02Woi0iS8Aa25FQkUd9\n  RMzZHJpBoRQwAQEX1SxZJA4= )',
      '0101030f974d96a22d224bc01adb915091477d44ccd91c9a41a11430010117d52c59240e',
      '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
    ],
    ['one octet', '256 3 254 AA==', '010003fe00'],
    ['the delete request', '0 3 0 AA==', '0000030000'],
  ],
  values: [
    ['257 3 15 AQID', key(257, 3, 15, '010203')],
    ['0 3 200 AA==', key(0, 3, 200, '00')],
  ],
  badText: [
    ['no key', '257 3 15', 'text.missing'],
    ['no padding', '257 3 15 AQ', 'text.base64', 9],
    ['too much padding', '257 3 15 AQID====', 'text.base64', 9],
    ['base64url', '257 3 15 AQI_', 'text.base64', 9],
    ['flags over 65535', '65536 3 15 AQID', 'cdnskey.flags', 0],
    ['flags by name', 'ZONE 3 15 AQID', 'text.number', 0],
    ['a protocol over 255', '257 256 15 AQID', 'cdnskey.protocol', 4],
    ['an algorithm over 255', '257 3 256 AQID', 'cdnskey.algorithm', 6],
    ['an unknown algorithm name', '257 3 ED25518 AQID', 'text.number', 6],
  ],
  badValue: [
    ['an entry point that is not a zone key', key(1, 3, 15, '01'), ['cdnskey.flags-reserved']],
    ['a reserved flag', key(258, 3, 15, '01'), ['cdnskey.flags-reserved']],
    ['a revoked key that is not a zone key', key(128, 3, 15, '01'), ['cdnskey.flags-reserved']],
    ['protocol 0', key(257, 0, 15, '01'), ['cdnskey.protocol-value']],
    ['protocol 4', key(257, 4, 15, '01'), ['cdnskey.protocol-value']],
    ['deletion with a flag', key(256, 3, 0, '00'), ['cdnskey.delete']],
    ['deletion with a key', key(0, 3, 0, '01'), ['cdnskey.delete']],
    [
      'every error at once',
      key(2, 1, 0, '01'),
      ['cdnskey.flags-reserved', 'cdnskey.protocol-value', 'cdnskey.delete'],
    ],
    ['no key', key(257, 3, 15, ''), ['cdnskey.publicKey']],
    [
      'all numbers out of range',
      key(-1, 256, 300, ''),
      ['cdnskey.flags', 'cdnskey.protocol', 'cdnskey.algorithm', 'cdnskey.publicKey'],
    ],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['no key', '0101030f', 'wire.truncated'],
    ['no algorithm', '010103', 'wire.truncated'],
  ],
  any: fc.record({ flags: u16, protocol: u8, algorithm: u8, publicKey: someOctets }),
  plain: fc.record({
    flags: fc.constantFrom(0, 256, 257, 384, 385),
    protocol: fc.constant(3),
    algorithm: fc.constant(200), // an algorithm whose keys no codec parses
    publicKey: someOctets,
  }),
}
