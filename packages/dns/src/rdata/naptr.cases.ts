import { anyName, anyString, plainName, u16 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { parseName as n } from '../name.ts'
import type { Naptr } from './naptr.ts'
import type { TypeCases } from './type-cases.cases.ts'

const rule = (regexp: string, replacement = '.', flags = 'u'): Naptr => ({
  order: 1,
  preference: 2,
  flags,
  services: 'x',
  regexp,
  replacement: n(replacement),
})

export const naptrCases: TypeCases<Naptr> = {
  valid: [
    [
      'a terminal rule',
      '100 10 "u" "sip+E2U" "!^.*$!sip:information@foo.se!i" .',
      '0064000a0175077369702b4532551e215e2e2a24217369703a696e666f726d6174696f6e40666f6f2e7365216900',
    ],
    [
      'a replacement',
      '100 50 "s" "http+I2L+I2C+I2R" "" _http._tcp.gatech.edu.',
      '00640032017310687474702b49324c2b4932432b49325200055f68747470045f746370066761746563680365647500',
    ],
    [
      'without quotes',
      '100 10 U E2U+sip !^.*$!sip:a@b! .',
      '0064000a0155074532552b7369700e215e2e2a24217369703a6140622100',
      '100 10 "U" "E2U+sip" "!^.*$!sip:a@b!" .',
    ],
    ['no flags and services', '65535 65535 "" "" "" .', 'ffffffff00000000'],
    [
      'upper case',
      '1 2 "S" "SIP+D2T" "" _SIP._tcp.Unit.tests.',
      '000100020153075349502b44325400045f736970045f74637004756e697405746573747300',
      '1 2 "S" "SIP+D2T" "" _sip._tcp.unit.tests.',
    ],
    [
      'another delimiter',
      '1 2 "u" "E2U+email" "/^.*$/mailto:a@b/" .',
      '000100020175094532552b656d61696c112f5e2e2a242f6d61696c746f3a6140622f00',
    ],
    ['an escaped delimiter', '1 2 "u" "x" "!^a\\\\!b$!c!" .', '00010002017501780a215e615c21622421632100'],
    [
      'a back reference',
      '1 2 "u" "x" "!^urn:cid:.+@([^\\\\.]+\\\\.)(.*)$!\\\\2!i" .',
      '000100020175017821215e75726e3a6369643a2e2b40285b5e5c2e5d2b5c2e29282e2a2924215c32216900',
    ],
    ['an empty replacement text', '1 2 "u" "x" "!^.*$!!" .', '000100020175017807215e2e2a24212100'],
    ['a quote in the regexp', '1 2 "u" "x" "!\\"!x!" .', '000100020175017805212221782100'],
    ['a flag that is a digit', '1 2 "3" "x" "" a.example.', '0001000201330178000161076578616d706c6500'],
    [
      'a long service',
      '1 2 "a" "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" "" a.example.',
      '000100020161ff787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878000161076578616d706c6500',
    ],
  ],
  values: [
    ['1 2 "u" "x" "!a!b!" .', rule('!a!b!')],
    ['1 2 "u" "x" "" a.example.', rule('', 'a.example')],
  ],
  badText: [
    ['no replacement', '1 2 "u" "x" ""', 'text.missing'],
    ['seven fields', '1 2 "u" "x" "" . .', 'text.trailing'],
    ['an order over 65535', '65536 2 "u" "x" "" .', 'naptr.order', 0],
    ['a preference over 65535', '1 65536 "u" "x" "" .', 'naptr.preference', 2],
    ['a preference by name', '1 high "u" "x" "" .', 'text.number', 2],
    ['services over 255 octets', `1 2 "u" "${'x'.repeat(256)}" "" .`, 'naptr.services'],
    ['a quoted replacement', '1 2 "u" "x" "" "."', 'text.quoted-name'],
    ['an open quote', '1 2 "u" "x" " .', 'text.unbalanced-quote'],
  ],
  badValue: [
    ['a flag that is not a letter or digit', rule('', '.', '!'), ['naptr.flags-characters']],
    ['a regexp without delimiters', rule('abc'), ['naptr.regexp-syntax']],
    ['two delimiters', rule('!a!b'), ['naptr.regexp-syntax']],
    ['four delimiters', rule('!a!b!c!'), ['naptr.regexp-syntax']],
    ['a digit as delimiter', rule('1a1b1'), ['naptr.regexp-syntax']],
    ['a backslash as delimiter', rule('\\a\\b\\'), ['naptr.regexp-syntax']],
    ['an unknown regexp flag', rule('!a!b!g'), ['naptr.regexp-syntax']],
    ['an escaped last delimiter', rule('!a!b\\!'), ['naptr.regexp-syntax']],
    ['an empty pattern', rule('!!b!'), ['naptr.regexp-syntax']],
    ['a URL as replacement', rule('', 'https://example.net/'), ['naptr.replacement-host']],
    ['an address as replacement', rule('', '192.0.2.1'), ['naptr.replacement-host']],
    ['regexp and replacement', rule('!a!b!', 'a.example'), ['naptr.regexp-and-replacement']],
    [
      'every error at once',
      rule('x', 'a.example', '-'),
      ['naptr.flags-characters', 'naptr.regexp-syntax', 'naptr.regexp-and-replacement'],
    ],
    ['a character above 255', rule('\u0100'), ['naptr.regexp']],
    [
      'numbers out of range',
      { ...rule(''), order: -1, preference: 65_536 },
      ['naptr.order', 'naptr.preference'],
    ],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['no regexp', '0001000201750178', 'wire.truncated'],
    ['no replacement', '00010002000000', 'wire.truncated'],
    ['a pointer', '00010002000000c000', 'wire.pointer'],
    ['trailing data', '000100020000000000', 'wire.trailing'],
  ],
  any: fc.record({
    order: u16,
    preference: u16,
    flags: anyString,
    services: anyString,
    regexp: anyString,
    replacement: anyName,
  }),
  oracle: {
    plain: fc.record({
      order: u16,
      preference: u16,
      flags: fc.stringMatching(/^[a-zA-Z0-9]{0,3}$/),
      services: fc.stringMatching(/^[a-zA-Z0-9+]{0,20}$/),
      regexp: fc.stringMatching(/^(![a-z.]{1,9}![a-z@:]{0,9}!)?$/),
      replacement: plainName,
    }),
    toData: (d) => ({ ...d }),
  },
}
