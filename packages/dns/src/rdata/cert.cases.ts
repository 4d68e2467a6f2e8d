import { someOctets, u16, u8 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { octetsFromHex } from '../octets.ts'
import type { Cert } from './cert.ts'
import type { TypeCases } from './type-cases.cases.ts'

const certificate = (type: number, keyTag: number, algorithm: number, hex: string): Cert => ({
  type,
  keyTag,
  algorithm,
  certificate: octetsFromHex(hex) ?? new Uint8Array(),
})

export const certCases: TypeCases<Cert> = {
  valid: [
    [
      'a certificate',
      '1 12179 3 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
      '00012f930330820122300d06092a864886f70d01010105000382010f00',
    ],
    [
      'a type by name',
      'PKIX 12179 3 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
      '00012f930330820122300d06092a864886f70d01010105000382010f00',
      '1 12179 3 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
    ],
    [
      'a type by name in lower case',
      'pgp 0 0 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
      '000300000030820122300d06092a864886f70d01010105000382010f00',
      '3 0 0 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
    ],
    [
      'an algorithm by name',
      'PGP 65535 RSASHA256 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
      '0003ffff0830820122300d06092a864886f70d01010105000382010f00',
      '3 65535 8 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
    ],
    [
      'SPKI',
      '2 1 8 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
      '000200010830820122300d06092a864886f70d01010105000382010f00',
    ],
    ['an indirect PGP key', 'IPGP 0 0 AA==', '000600000000', '6 0 0 AA=='],
    [
      'a URI type',
      'URI 0 0 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
      '00fd00000030820122300d06092a864886f70d01010105000382010f00',
      '253 0 0 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
    ],
    [
      'an OID type',
      'OID 0 0 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
      '00fe00000030820122300d06092a864886f70d01010105000382010f00',
      '254 0 0 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
    ],
    [
      'an unassigned type',
      '9 1 8 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
      '000900010830820122300d06092a864886f70d01010105000382010f00',
    ],
    [
      'an experimental type',
      '65280 1 255 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
      'ff000001ff30820122300d06092a864886f70d01010105000382010f00',
    ],
    [
      'whitespace in the certificate',
      '1 1 8 MIIBIjAN BgkqhkiG9w0BAQEFAAOCAQ8A',
      '000100010830820122300d06092a864886f70d01010105000382010f00',
      '1 1 8 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
    ],
    [
      'parentheses',
      '1 1 8 (\n  MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A )',
      '000100010830820122300d06092a864886f70d01010105000382010f00',
      '1 1 8 MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
    ],
  ],
  values: [
    ['1 2 3 AQID', certificate(1, 2, 3, '010203')],
    ['65534 0 0 AA==', certificate(65_534, 0, 0, '00')],
  ],
  badText: [
    ['no certificate', '1 2 3', 'text.missing', 5],
    ['no padding', '1 2 3 AQ', 'text.base64', 6],
    ['a type over 65535', '65536 2 3 AQID', 'cert.type', 0],
    ['an unknown type name', 'X509 2 3 AQID', 'text.number', 0],
    ['a key tag over 65535', '1 65536 3 AQID', 'cert.keyTag', 2],
    ['an algorithm over 255', '1 2 256 AQID', 'cert.algorithm', 4],
    ['an unknown algorithm name', '1 2 RSA AQID', 'text.number', 4],
  ],
  badValue: [
    ['type 0', certificate(0, 1, 8, '00'), ['cert.type-reserved']],
    ['type 255', certificate(255, 1, 8, '00'), ['cert.type-reserved']],
    ['type 65535', certificate(65_535, 1, 8, '00'), ['cert.type-reserved']],
    ['no certificate', certificate(1, 1, 8, ''), ['cert.certificate']],
    [
      'all numbers out of range',
      certificate(-1, 65_536, 256, ''),
      ['cert.type', 'cert.keyTag', 'cert.algorithm', 'cert.certificate'],
    ],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['no algorithm', '00010002', 'wire.truncated'],
    ['no certificate', '0001000203', 'wire.truncated'],
  ],
  any: fc.record({ type: u16, keyTag: u16, algorithm: u8, certificate: someOctets }),
  plain: fc.record({
    type: fc.integer({ min: 1, max: 254 }),
    keyTag: u16,
    algorithm: u8,
    certificate: someOctets,
  }),
}
