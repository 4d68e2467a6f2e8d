import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeScript } from './script-text.ts'

const octets = (...values: number[]) => Uint8Array.from(values)
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

test.each([
  ['UTF-8 by default', Buffer.from('a="ä"'), null, 'a="ä"'],
  ['a UTF-8 byte order mark is removed', octets(0xef, 0xbb, 0xbf, 0x61), null, 'a'],
  ['windows-1252', octets(0x61, 0xe4, 0x80), 'windows-1252', 'aä€'],
  ['latin1 is windows-1252', octets(0x80), 'ISO-8859-1', '€'],
  ['Cyrillic', octets(0xcf, 0xf0, 0xe8), 'windows-1251', 'При'],
  ['Japanese', octets(0x82, 0xa0), 'Shift_JIS', 'あ'],
  ['Chinese', octets(0xd6, 0xd0), 'gbk', '中'],
  ['UTF-16 by name', utf16('a=1'), 'utf-16le', 'a=1'],
  ['a UTF-16 byte order mark overrides the charset name', octets(0xff, 0xfe, 0x61, 0x00), 'utf-8', 'a'],
  ['a big-endian UTF-16 byte order mark', octets(0xfe, 0xff, 0x00, 0x61), null, 'a'],
  ['a charset name in capitals, with whitespace', octets(0xe4), ' Latin1 ', 'ä'],
  ['an unknown charset name', Buffer.from('ä'), 'klingon', 'ä'],
  ['malformed UTF-8', octets(0x61, 0xff, 0x62), null, 'a\uFFFDb'],
  ['empty', octets(), null, ''],
])('%s', (_, body, charset, text) => {
  expect(decodeScript(body, charset)).toBe(text)
})

test('any octets decode with any charset name, and strings round-trip', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.string({ maxLength: 12 }), (body, charset) => {
      expect(typeof decodeScript(body, charset)).toBe('string')
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(!text.startsWith('\uFEFF'))
      expect(decodeScript(Buffer.from(text), null)).toBe(text)
    }),
  )
})
