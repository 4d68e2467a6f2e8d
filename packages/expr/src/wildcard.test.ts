// Wildcards: whole texts, lazy stars, two escapes.
import { describe, expect, test } from 'vitest'
import { captureWildcard, matchesWildcard, parseWildcard, type Wildcard } from './wildcard.ts'

function wildcard(pattern: string, isStrict = true): Wildcard {
  const parsed = parseWildcard(pattern, isStrict, 10)
  if (typeof parsed === 'string') throw new Error(parsed)
  return parsed
}

describe('matches', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['', [''], ['a']],
    ['*', ['', 'a', '*'], []],
    ['ab', ['ab'], ['abc', 'xab', 'AB']],
    ['a*', ['a', 'abc'], ['ba']],
    ['*c', ['c', 'abc'], ['cb']],
    ['a*c', ['ac', 'abc', 'acc'], ['a', 'acb']],
    ['a*a', ['aa', 'aba'], ['a']],
    ['*ab*ba*', ['abba', 'xabxbax'], ['aba', 'baab']],
    ['a\\*b', ['a*b'], ['axb', 'ab']],
    ['a\\\\b', ['a\\b'], ['ab']],
    ['a?b', ['a?b'], ['axb']],
  ])('%j', (pattern, fitting, others) => {
    expect(fitting.filter((text) => !matchesWildcard(wildcard(pattern), text))).toEqual([])
    expect(others.filter((text) => matchesWildcard(wildcard(pattern), text))).toEqual([])
  })

  test('without strictness, the case of ASCII letters is ignored', () => {
    expect(matchesWildcard(wildcard('/Admin/*', false), '/aDMIN/x')).toBe(true)
    expect(matchesWildcard(wildcard('\u00c0', false), '\u00e0')).toBe(false)
  })
})

describe('captures', () => {
  test.each<[string, string, readonly string[] | undefined]>([
    ['*/*/*', 'foo/bar/mumble', ['foo', 'bar', 'mumble']],
    ['*foo*foo*', 'foofoofoofoo', ['', '', 'foofoo']],
    ['foo', 'foo', []],
    ['foo*', 'bar', undefined],
  ])('%s in %s', (pattern, text, captures) =>
    expect(captureWildcard(wildcard(pattern), text)).toEqual(captures),
  )
})

describe('refuses', () => {
  test.each([
    ['a**b', 'wildcard contains a double star'],
    ['\\a', 'invalid wildcard: wildcard syntax error at position 0: invalid escape sequence'],
    [
      '*\\',
      'invalid wildcard: wildcard syntax error at position 1: incomplete escape sequence at the end of the wildcard',
    ],
    ['*a'.repeat(11), 'wildcard has 11 star metacharacters, but the limit is 10'],
  ])('%s', (pattern, reason) => expect(parseWildcard(pattern, true, 10)).toBe(reason))
})
