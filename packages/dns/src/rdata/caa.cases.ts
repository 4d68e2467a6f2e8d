import * as fc from 'fast-check'
import { anyOctets, anyString, ascii, u8 } from './arbitraries.cases.ts'
import { latin1FromOctets, octetsFromLatin1 } from '../octets.ts'
import type { Caa } from './caa.ts'
import type { TypeCases } from './type-cases.cases.ts'

const value = (flags: number, tag: string, text: string): Caa => ({
  flags,
  tag,
  value: octetsFromLatin1(text),
})

export const caaCases: TypeCases<Caa> = {
  valid: [
    ['an issuer', '0 issue "letsencrypt.org"', '000569737375656c657473656e63727970742e6f7267'],
    ['no issuer', '0 issue ";"', '000569737375653b'],
    ['no issuer, in the empty form', '0 issue ""', '00056973737565'],
    ['wildcards', '0 issuewild "ca.example"', '0009697373756577696c6463612e6578616d706c65'],
    ['critical', '128 issue "ca.example"', '8005697373756563612e6578616d706c65'],
    [
      'a parameter',
      '0 issue "ca.example; validationmethods=dns-01"',
      '0005697373756563612e6578616d706c653b2076616c69646174696f6e6d6574686f64733d646e732d3031',
    ],
    [
      'two parameters',
      '0 issue "ca.example; a=1; accounturi=https://ca.example/acct/1"',
      '0005697373756563612e6578616d706c653b20613d313b206163636f756e747572693d68747470733a2f2f63612e6578616d706c652f616363742f31',
    ],
    ['a closing semicolon', '0 issue "ca.example;"', '0005697373756563612e6578616d706c653b'],
    [
      'mail',
      '0 iodef "mailto:security@example.com"',
      '0005696f6465666d61696c746f3a7365637572697479406578616d706c652e636f6d',
    ],
    [
      'a report URL',
      '0 iodef "https://iodef.example.com/"',
      '0005696f64656668747470733a2f2f696f6465662e6578616d706c652e636f6d2f',
    ],
    [
      'mail certificates',
      '0 issuemail "authority.example"',
      '000969737375656d61696c617574686f726974792e6578616d706c65',
    ],
    ['an unknown tag with any value', '0 tbs "Un known\\"\\\\"', '0003746273556e206b6e6f776e225c'],
    ['an upper case tag', '0 ISSUE "ca.example"', '0005495353554563612e6578616d706c65'],
    ['non-ASCII octets', '0 x "\\000\\200\\255"', '00017800c8ff'],
    [
      'a value without quotes',
      '0 issue letsencrypt.org',
      '000569737375656c657473656e63727970742e6f7267',
      '0 issue "letsencrypt.org"',
    ],
    ['a quoted tag', '0 "issue" "ca.example"', '0005697373756563612e6578616d706c65', '0 issue "ca.example"'],
  ],
  values: [
    ['128 issue "ca.example"', value(128, 'issue', 'ca.example')],
    ['0 x "\\255"', value(0, 'x', '\u00ff')],
  ],
  badText: [
    ['flags over 255', '256 issue "a"', 'caa.flags', 0],
    ['flags that are not a number', 'x issue "a"', 'text.number', 0],
    ['negative flags', '-1 issue "a"', 'text.number', 0],
    ['no value', '0 issue', 'text.missing', 7],
    ['an open quote', '0 issue "a', 'text.unbalanced-quote', 8],
    ['two values', '0 issue "a" "b"', 'text.trailing', 13],
    ['a bad escape', '0 issue "a\\999"', 'text.bad-escape', 10],
    ['a tag over 255 octets', `0 ${'x'.repeat(256)} "a"`, 'caa.tag', 2],
  ],
  badValue: [
    ['reserved flags', value(1, 'issue', 'ca.example'), ['caa.flags-reserved']],
    ['all flags', value(255, 'issue', 'ca.example'), ['caa.flags-reserved']],
    ['flags out of range', value(300, 'issue', 'ca.example'), ['caa.flags']],
    ['an empty tag', value(0, '', 'ca.example'), ['caa.tag-characters']],
    ['a hyphen in the tag', value(0, 'is-sue', 'ca.example'), ['caa.tag-characters']],
    ['an issuer with a space', value(0, 'issue', 'ca example'), ['caa.issuer']],
    ['an issuer URL', value(0, 'issue', 'https://ca.example'), ['caa.issuer']],
    ['a parameter without an equals sign', value(0, 'issuewild', 'ca.example; x'), ['caa.issuer']],
    ['a mail address without scheme', value(0, 'iodef', 'security@example.com'), ['caa.iodef-url']],
    ['a report to a file', value(0, 'iodef', 'file:///etc/passwd'), ['caa.iodef-url']],
    ['every error at once', value(7, 'iodef', ''), ['caa.flags-reserved', 'caa.iodef-url']],
    ['two fields out of range', value(-1, '\u0100', ''), ['caa.flags', 'caa.tag']],
  ],
  badWire: [
    ['flags only', '00', 'wire.truncated'],
    ['a tag cut short', '00056973', 'wire.truncated'],
  ],
  any: fc.record({ flags: u8, tag: anyString, value: anyOctets }),
  oracle: {
    plain: fc.record({
      flags: fc.constantFrom(0, 128), // the oracle writes no reserved bits
      tag: fc.stringMatching(/^[a-z]{1,15}$/),
      value: ascii.map(octetsFromLatin1),
    }),
    toData: ({ flags, tag, value }) => ({
      flags,
      issuerCritical: flags === 128,
      tag,
      value: latin1FromOctets(value),
    }),
  },
}
