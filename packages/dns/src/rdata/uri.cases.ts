import { anyOctets, u16 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { octetsFromLatin1 } from '../octets.ts'
import type { Uri } from './uri.ts'
import type { TypeCases } from './type-cases.cases.ts'

const to = (target: string, priority = 1): Uri => ({ priority, weight: 2, target: octetsFromLatin1(target) })

export const uriCases: TypeCases<Uri> = {
  valid: [
    [
      'the example of RFC 7553 §4.6',
      '10 1 "ftp://ftp1.example.com/public"',
      '000a00016674703a2f2f667470312e6578616d706c652e636f6d2f7075626c6963',
    ],
    [
      'a web address',
      '20 0 "https://www.example.com/path?query=1#here"',
      '0014000068747470733a2f2f7777772e6578616d706c652e636f6d2f706174683f71756572793d312368657265',
    ],
    [
      'without quotes',
      '10 1 https://example.com/',
      '000a000168747470733a2f2f6578616d706c652e636f6d2f',
      '10 1 "https://example.com/"',
    ],
    ['mail', '0 0 "mailto:a@example.com"', '000000006d61696c746f3a61406578616d706c652e636f6d'],
    ['a name', '1 1 "urn:isbn:0451450523"', '0001000175726e3a6973626e3a30343531343530353233'],
    ['the highest numbers', '65535 65535 "sip:a@example.com"', 'ffffffff7369703a61406578616d706c652e636f6d'],
    [
      'a percent escape',
      '1 1 "https://example.com/%C3%BC"',
      '0001000168747470733a2f2f6578616d706c652e636f6d2f254333254243',
    ],
    [
      'a semicolon',
      '1 1 "https://example.com/a;b"',
      '0001000168747470733a2f2f6578616d706c652e636f6d2f613b62',
    ],
    [
      'an IPv6 host',
      '1 1 "https://[2001:db8::1]:8080/"',
      '0001000168747470733a2f2f5b323030313a6462383a3a315d3a383038302f',
    ],
    [
      'over 255 octets',
      '1 1 "https://example.com/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"',
      '0001000168747470733a2f2f6578616d706c652e636f6d2f787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878',
    ],
    [
      'a decimal escape',
      '1 1 "https://example.com/\\065"',
      '0001000168747470733a2f2f6578616d706c652e636f6d2f41',
      '1 1 "https://example.com/A"',
    ],
  ],
  values: [
    ['1 2 "https://example.com/"', to('https://example.com/')],
    ['1 2 "urn:a"', to('urn:a')],
  ],
  badText: [
    ['no target', '1 2', 'text.missing', 3],
    ['two targets', '1 2 "a:b" "c:d"', 'text.trailing', 11],
    ['an open quote', '1 2 "a:b', 'text.unbalanced-quote', 4],
    ['a priority over 65535', '65536 2 "a:b"', 'uri.priority', 0],
    ['a weight over 65535', '1 65536 "a:b"', 'uri.weight', 2],
    ['a negative weight', '1 -1 "a:b"', 'text.number', 2],
    ['a bad escape', '1 2 "a:\\999"', 'text.bad-escape'],
  ],
  badValue: [
    ['nothing', to(''), ['uri.target-empty']],
    ['no scheme', to('www.example.com'), ['uri.target-syntax']],
    ['a path', to('/path'), ['uri.target-syntax']],
    ['a scheme alone', to('https:'), ['uri.target-syntax']],
    ['a scheme that begins with a digit', to('1a:b'), ['uri.target-syntax']],
    ['a space', to('https://example.com/a b'), ['uri.target-syntax']],
    ['a bad percent escape', to('https://example.com/%zz'), ['uri.target-syntax']],
    ['non-ASCII octets', to('https://example.com/\u00fc'), ['uri.target-syntax']],
    ['numbers out of range', { ...to('a:b', -1), weight: 65_536 }, ['uri.priority', 'uri.weight']],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['no weight', '000100', 'wire.truncated'],
  ],
  any: fc.record({ priority: u16, weight: u16, target: anyOctets }),
  plain: fc.record({
    priority: u16,
    weight: u16,
    target: fc.stringMatching(/^https:\/\/[a-z.]{1,20}\/[a-z]{0,20}$/).map(octetsFromLatin1),
  }),
}
