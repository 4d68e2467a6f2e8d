// Text and attributes of XML documents, also of those that are not well-formed.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { looksLikeXml, readXmlStrings } from './xml-strings.ts'

test.each<[string, string, readonly string[]]>([
  ['text and attributes', '<a x="1"><b y=\'2\'>three</b></a>', ['1', '2', 'three']],
  ['entities', '<a x="&lt;&#65;">&amp;&#x42;&unknown;</a>', ['<A', '&B&unknown;']],
  ['sections that are not parsed', '<a><![CDATA[<b>&lt;]]></a>', ['<b>&lt;']],
  ['comments are left out', '<a><!-- x -->y</a>', ['y']],
  ['an end that is missing', '<a x="1">two', ['1', 'two']],
  ['no markup', 'text', ['text']],
])('%s', (_, xml, expected) => {
  expect(readXmlStrings(xml, 100).map(({ text }) => text)).toEqual(expected)
})

test('no more strings than requested are read', () => {
  expect(readXmlStrings('<a x="1" y="2">3</a>', 2)).toHaveLength(2)
})

test.each([
  ['<?xml version="1.0"?>', true],
  [' <a>', true],
  ['{"a":"<a>"}', false],
  ['a < b', false],
])('%s looks like XML: %s', (text, expected) => {
  expect(looksLikeXml(text)).toBe(expected)
})

test('any text is read', () => {
  const chunk = fc.constantFrom(
    '<',
    '>',
    'a',
    '="',
    '"',
    '&#x41;',
    '&#99999999;',
    '/',
    '<![CDATA[',
    ']]>',
    '<!--',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 30 }), (chunks) => {
      const strings = readXmlStrings(chunks.join(''), 10)
      expect(strings.length).toBeLessThanOrEqual(10)
    }),
  )
})
