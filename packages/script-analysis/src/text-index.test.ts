// An index of a text says of every part what a search of the text says.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TextIndex } from './text-index.ts'

/** With so many questions before it, the index is there. */
const MANY = 40

function indexedAlready(text: string): TextIndex {
  const index = new TextIndex(text)
  for (let i = 0; i < MANY; i += 1) index.includes('zzzz')
  return index
}

test.each([
  ['at the beginning', 'function a() { return card }', 'function', true],
  ['at the end', 'function a() { return card }', 'card }', true],
  ['the whole text', 'function a()', 'function a()', true],
  ['longer than the text', 'abcd', 'abcde', false],
  ['with its groups at other places', 'abcdXcdef abcd cdef', 'abcdef', false],
  ['shorter than a group', 'abc', 'bc', true],
  ['empty', 'abc', '', true],
  ['in a text of one group', 'a'.repeat(1_000), `${'a'.repeat(50)}b`, false],
  ['in a text of one group, found', 'a'.repeat(1_000), 'a'.repeat(50), true],
  ['of other scripts', 'x = "Zürich 東京都庁"', 'ich 東京都', true],
])('%s', (_, text, part, isIn) => {
  expect(text.includes(part)).toBe(isIn)
  expect(indexedAlready(text).includes(part)).toBe(isIn)
  expect(new TextIndex(text).includes(part)).toBe(isIn)
})

test('parts and other texts are found as by a search', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'é'), { maxLength: 400 }).map((all) => all.join(''))
  fc.assert(
    fc.property(text, text, fc.nat(400), fc.nat(30), (whole, other, start, length) => {
      const index = indexedAlready(whole)
      for (const part of [whole.slice(start, start + length), other.slice(0, length), other])
        expect(index.includes(part)).toBe(whole.includes(part))
    }),
  )
})
