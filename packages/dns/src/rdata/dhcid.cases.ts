import { someOctets } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { octetsFromHex } from '../octets.ts'
import type { Dhcid } from './dhcid.ts'
import type { TypeCases } from './type-cases.cases.ts'

const octets = (hex: string): Uint8Array => octetsFromHex(hex) ?? new Uint8Array()

export const dhcidCases: TypeCases<Dhcid> = {
  valid: [
    [
      'the first example of RFC 4701 §3.6.1',
      'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=',
      '000201636fc0b8271c82825bb1ac5c41cf5351aa69b4febd94e8f17cdb95000da48c40',
    ],
    [
      'the second',
      'AAEBOSD+XR3Os/0LozeXVqcNc7FwCfQdWL3b/NaiUDlW2No=',
      '0001013920fe5d1dceb3fd0ba3379756a70d73b17009f41d58bddbfcd6a2503956d8da',
    ],
    [
      'the third',
      'AAABxLmlskllE0MVjd57zHcWmEH3pCQ6VytcKD//7es/deY=',
      '000001c4b9a5b249651343158dde7bcc77169841f7a4243a572b5c283fffedeb3f75e6',
    ],
    ['one octet', 'AA==', '00'],
    ['two octets', 'AAE=', '0001'],
    [
      'whitespace inside',
      'AAIBY2/AuC ccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=',
      '000201636fc0b8271c82825bb1ac5c41cf5351aa69b4febd94e8f17cdb95000da48c40',
      'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=',
    ],
    [
      'parentheses',
      '( AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA= )',
      '000201636fc0b8271c82825bb1ac5c41cf5351aa69b4febd94e8f17cdb95000da48c40',
      'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=',
    ],
    [
      'lines in parentheses',
      '( AAIBY2/A\nuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA= )',
      '000201636fc0b8271c82825bb1ac5c41cf5351aa69b4febd94e8f17cdb95000da48c40',
      'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=',
    ],
    ['a trailing comment', 'AAEB ; note', '000101', 'AAEB'],
    ['all bits', '////', 'ffffff'],
    ['plus and slash', '+/+/', 'fbffbf'],
  ],
  values: [['AAEB', { identity: octets('000101') }]],
  badText: [
    ['nothing', '', 'text.missing'],
    ['no base64', 'AA', 'text.base64', 0],
    ['a wrong character', 'A*==', 'text.base64', 0],
    ['padding inside', 'AA==AAEB', 'text.base64', 0],
    ['hexadecimal of an odd length', '000', 'text.base64', 0],
    ['whitespace where none is allowed', 'A A', 'text.base64', 0],
    ['an open quote', '"AAEB', 'text.unbalanced-quote', 0],
    ['one character', 'A', 'text.base64', 0],
  ],
  badValue: [['no octets', { identity: octets('') }, ['dhcid.identity']]],
  badWire: [['nothing', '', 'wire.truncated']],
  any: fc.record({ identity: someOctets }),
}
