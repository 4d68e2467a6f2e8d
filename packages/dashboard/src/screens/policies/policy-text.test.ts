import { describe, expect, test } from 'vitest'
import { listPolicy, sourceFor, withoutSource, withSource } from './policy-text.ts'

describe('editing the text of a policy', () => {
  test.each([
    [
      'a source behind the others',
      "script-src 'self'; img-src *",
      'script-src',
      'a.example',
      "script-src 'self' a.example; img-src *",
    ],
    [
      'a new directive',
      "script-src 'self';",
      'connect-src',
      'b.example',
      "script-src 'self'; connect-src b.example",
    ],
    ['the first directive', '', 'script-src', "'self'", "script-src 'self'"],
    [
      'instead of none',
      "script-src 'none'; img-src *",
      'script-src',
      'a.example',
      'script-src a.example; img-src *',
    ],
    ['never twice', 'script-src a.example', 'script-src', 'a.example', 'script-src a.example'],
    ['a directive without sources', 'script-src', 'script-src', 'https:', 'script-src https:'],
    [
      'whitespace and duplicates stay',
      'img-src  * ;script-src x.example; script-src y',
      'script-src',
      'z',
      'img-src  * ;script-src x.example z; script-src y',
    ],
  ])('adds %s', (_, text, name, source, after) => {
    expect(withSource(text, name, source)).toBe(after)
  })

  test.each([
    ['one of several', "script-src 'self' a.example b.example", 'a.example', "script-src 'self' b.example"],
    ['the last one', 'script-src a.example; img-src *', 'a.example', "script-src 'none'; img-src *"],
    ['one that is not there', 'script-src a.example', 'c.example', 'script-src a.example'],
  ])('removes %s', (_, text, source, after) => {
    expect(withoutSource(text, 'script-src', source)).toBe(after)
  })

  test.each([
    ['https://cdn.example/a.js', 'cdn.example'],
    ['http://cdn.example:8080/a.js', 'http://cdn.example:8080'],
    ['wss://live.example', 'wss://live.example'],
    ['data:', 'data:'],
  ])('allows %s by %s', (url, source) => {
    expect(sourceFor(url)).toBe(source)
  })
})

test('the list marks what changed, and has problems at their sources', () => {
  const { directives, hasErrors } = listPolicy(
    "script-src 'self' self b.example",
    "script-src 'self' a.example; img-src *",
  )
  expect(directives).toEqual([
    {
      name: 'script-src',
      sources: [
        expect.objectContaining({ text: "'self'", state: 'same' }),
        expect.objectContaining({
          text: 'self',
          state: 'added',
          problems: expect.arrayContaining([expect.objectContaining({ id: 'source.unquoted' })]),
        }),
        expect.objectContaining({ text: 'b.example', state: 'added' }),
        { text: 'a.example', state: 'removed', problems: [] },
      ],
    },
    { name: 'img-src', sources: [{ text: '*', state: 'removed', problems: [] }] },
  ])
  expect(hasErrors).toBe(false)
  expect(listPolicy('script-src https://a,b', '').hasErrors).toBe(true)
})
