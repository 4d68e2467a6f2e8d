import * as fc from 'fast-check'
import { anyName, plainName, u16 } from './arbitraries.cases.ts'
import { parseName as n } from '../name.ts'
import type { TypeCases } from './type-cases.cases.ts'
import type { Mx } from './mx.ts'

export const mxCases: TypeCases<Mx> = {
  valid: [
    ['a host', '10 mail.example.com.', '000a046d61696c076578616d706c6503636f6d00'],
    ['preference 0', '0 mail.example.com.', '0000046d61696c076578616d706c6503636f6d00'],
    ['preference 65535', '65535 mail.example.com.', 'ffff046d61696c076578616d706c6503636f6d00'],
    ['null MX', '0 .', '000000'],
    ['upper case', '10 Mail.Example.', '000a046d61696c076578616d706c6500', '10 mail.example.'],
    ['no trailing dot', '10 mail.example', '000a046d61696c076578616d706c6500', '10 mail.example.'],
    ['leading zeros', '010 mail.example.', '000a046d61696c076578616d706c6500', '10 mail.example.'],
    ['an underscore', '5 my_mail.example.', '0005076d795f6d61696c076578616d706c6500'],
    ['one label', '1 mail.', '0001046d61696c00'],
    ['tabs', '10\tmail.example.', '000a046d61696c076578616d706c6500', '10 mail.example.'],
    [
      'parentheses and a comment',
      '( 10 ; first\n mail.example. )',
      '000a046d61696c076578616d706c6500',
      '10 mail.example.',
    ],
  ],
  values: [
    ['10 mail.example.com.', { preference: 10, exchange: n('mail.example.com') }],
    ['0 .', { preference: 0, exchange: n('.') }],
  ],
  badText: [
    ['no exchange', '10', 'text.missing', 2],
    ['no preference', 'mail.example.', 'text.number', 0],
    ['a preference over 65535', '65536 mail.example.', 'mx.preference', 0],
    ['a huge preference', `${'9'.repeat(400)} mail.example.`, 'mx.preference', 0],
    ['a fraction', '1.5 mail.example.', 'text.number', 0],
    ['a sign', '+1 mail.example.', 'text.number', 0],
    ['a quoted preference', '"10" mail.example.', 'text.number', 1],
    ['three fields', '10 a. b.', 'text.trailing', 6],
  ],
  badValue: [
    ['null MX with a preference', { preference: 10, exchange: n('.') }, ['mx.null-preference']],
    ['an IPv4 address', { preference: 10, exchange: n('192.0.2.1') }, ['mx.exchange-address']],
    ['an invalid host name', { preference: 10, exchange: n('-mail.example') }, ['mx.exchange-host']],
    ['a wildcard', { preference: 10, exchange: n('*.example') }, ['mx.exchange-host']],
    ['a preference out of range', { preference: 65_536, exchange: n('a') }, ['mx.preference']],
    ['no number', { preference: Number.NaN, exchange: n('a') }, ['mx.preference']],
    ['a fraction', { preference: 0.5, exchange: n('a') }, ['mx.preference']],
  ],
  badWire: [
    ['preference only', '000a', 'wire.truncated'],
    ['half a preference', '00', 'wire.truncated'],
    ['a pointer', '000ac000', 'wire.pointer'],
    ['trailing data', '000a0000', 'wire.trailing'],
  ],
  any: fc.record({ preference: u16, exchange: anyName }),
  oracle: { plain: fc.record({ preference: u16, exchange: plainName }), toData: (d) => ({ ...d }) },
}
