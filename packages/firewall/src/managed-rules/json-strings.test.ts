// The texts of JSON, and of input that only looks like JSON.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { looksLikeJson, readJsonStrings } from './json-strings.ts'

const read = (bytes: string) =>
  readJsonStrings(bytes, 100).map(({ text, isName, under }) => (isName ? `${text}:` : `${under}=${text}`))

test.each<readonly [name: string, bytes: string, expected: readonly string[]]>([
  ['an object', '{"a":"b","c":{"d":["e","f"]}}', ['a:', 'a=b', 'c:', 'd:', 'd=e', 'd=f']],
  ['numbers and constants say nothing', '{"a":1,"b":-2.5e3,"c":null,"d":true}', ['a:', 'b:', 'c:', 'd:']],
  ['one name twice', '{"a":"1","a":"2"}', ['a:', 'a=1', 'a:', 'a=2']],
  ['escapes', '{"\\u0061":"x\\n\\"y\\\\z\\/"}', ['a:', 'a=x\n"y\\z/']],
  ['escapes beyond ASCII', '["\\u00e9"]', ['=\u00c3\u00a9']],
  ['an end that is missing', '{"a":"b', ['a:', 'a=b']],
  ['an escape at the end', '{"a":"b\\', ['a:', 'a=b\\']],
  ['words without quotes', "{a: 1 or 1=1, b: 'x'}", ['=a', '=or', '=1=1', '=b', "='x'"]],
  ['nothing', '', []],
])('%s', (_, bytes, expected) => {
  expect(read(bytes)).toEqual(expected)
})

test('stops at the given maximum', () => {
  expect(readJsonStrings('["a","b","c"]', 2)).toHaveLength(2)
})

test.each([
  ['{"a":1}', true],
  [' \n[1]', true],
  ['\u00ef\u00bb\u00bf{}', true],
  ['a=1', false],
  ['', false],
])('%j looks like JSON: %s', (bytes, expected) => {
  expect(looksLikeJson(bytes)).toBe(expected)
})

describe('arbitrary input', () => {
  test('every text and name of a document is found', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme-ascii' }), fc.string({ unit: 'grapheme-ascii' })),
        (value) => {
          const strings = readJsonStrings(JSON.stringify(value), 10_000)
          expect(strings.filter(({ isName }) => isName).map(({ text }) => text)).toEqual(Object.keys(value))
          expect(strings.filter(({ isName }) => !isName).map(({ text }) => text)).toEqual(
            Object.values(value),
          )
        },
      ),
    )
  })

  test('any octets are read to the end', () => {
    const octets = fc.string({
      unit: fc.constantFrom('"', '\\', '{', '}', ':', 'u', '0', ' ', 'a', '\u00ff'),
    })
    fc.assert(
      fc.property(octets, (bytes) => {
        const total = readJsonStrings(bytes, 1000).reduce((sum, { text }) => sum + text.length, 0)
        expect(total).toBeLessThanOrEqual(bytes.length)
      }),
    )
  })
})
