// Values that are base64 of a text are decoded; others, and those that decode to anything else, are not.
import { type Bytes, encodeBase64 } from '@zonereeve/expr'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textInBase64 } from './encoded-text.ts'

const ATTACK = '<script>alert(1)</script>'
const standard = (text: Bytes): Bytes => encodeBase64(text, { isUrlSafe: false, isPadded: true })

test.each<[string, Bytes, Bytes | undefined]>([
  ['standard base64', standard(ATTACK), ATTACK],
  ['without padding', standard('id; cat /etc/passwd').replace(/=+$/, ''), 'id; cat /etc/passwd'],
  ['URL-safe', encodeBase64('??>>??>>??>>a', { isUrlSafe: true, isPadded: false }), '??>>??>>??>>a'],
  ['a plus that a form made a space', standard('>>>>>>>>>>>>').replaceAll('+', ' '), '>>>>>>>>>>>>'],
  ['lines', standard('first line\r\nsecond\tline'), 'first line\r\nsecond\tline'],
  ['too short', standard('<script>'), undefined],
  ['a word', 'internationalization', undefined],
  ['hexadecimal digits', '0123456789abcdef0123456789abcdef', undefined],
  ['other characters', 'PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg!', undefined],
  ['padding inside', 'PHNjcmlw=D5hbGVydCgxKTwvc2NyaXB0Pg==', undefined],
  ['binary data', standard('\u0001\u0002binary data, not text'), undefined],
  ['mostly above ASCII', standard('\u00e9\u00e8\u00fc\u00f6\u00e4\u00df\u00e0\u00e1 and so on'), undefined],
  ['empty', '', undefined],
])('%s', (_, value, text) => {
  expect(textInBase64(value)).toBe(text)
})

describe('any input', () => {
  const printable = fc.stringMatching(/^[ -~]{12,200}$/)
  test('text comes back, in either alphabet', () => {
    fc.assert(
      fc.property(printable, fc.boolean(), fc.boolean(), (text, isUrlSafe, isPadded) => {
        expect(textInBase64(encodeBase64(text, { isUrlSafe, isPadded }))).toBe(text)
      }),
    )
  })

  test('never fails', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const text = textInBase64(value)
        expect(text === undefined || text.length > 0).toBe(true)
      }),
    )
  })
})
