import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { checksum, textChecksum, type CheckedValue } from './checksum.ts'

const cases: readonly (readonly [name: string, readonly CheckedValue[]])[] = [
  ['nothing', []],
  ['a string', ['a']],
  ['two strings', ['a', 'b']],
  ['the same characters in one string', ['ab']],
  ['a null', ['a', null]],
  ['an empty string', ['a', '']],
  ['octets', ['a', Uint8Array.of(1, 2)]],
  ['bytes before', [Uint8Array.of(1, 2), 'a']],
]

test('different values have different checksums', () => {
  expect(new Set(cases.map(([, values]) => checksum(...values))).size).toBe(cases.length)
})

test.each(cases)('%s: an empty array after it adds nothing, wherever it is in memory', (_, values) => {
  const expected = checksum(...values, Buffer.from('x').subarray(1))
  expect(checksum(...values, new Uint8Array())).toBe(expected)
  expect(checksum(...values, Buffer.alloc(0))).toBe(expected)
  if (values.length > 0) expect(expected).not.toBe(0)
})

test.each([
  ['ASCII', 'id', '{"a":1}'],
  ['other characters', 'é', '{"ü":"\u0000\ud83d\ude00"}'],
  ['empty', '', ''],
])('the checksum of text and UTF-8 is the one of two strings: %s', (_, first, second) => {
  expect(textChecksum(first, Buffer.from(second))).toBe(checksum(first, second))
  expect(textChecksum(first, Buffer.from(`${second}.`))).not.toBe(checksum(first, second))
})

test.each([0, 1, 4, 16, 31, 32, 33, 255])('%i octets have the checksum that zlib computes', (length) => {
  const octets = Uint8Array.from({ length }, (_, index) => (index * 151 + 200) & 0xff)
  expect(checksum(octets)).toBe(crc32(octets))
  expect(checksum('a', octets, 'b')).toBe(crc32('b\0', crc32(octets, crc32('a\0'))))
})
