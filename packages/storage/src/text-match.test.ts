// String comparisons in the database give the same results as in the program, including pattern characters.
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '@zonereeve/platform'
import { query, sql } from './query.ts'
import { IN_MEMORY, openSqliteStorage } from './sqlite.ts'
import type { Storage } from './storage.ts'
import { exactTextMatch, textMatch, type TextPlace } from './text-match.ts'

let storage: Storage
beforeAll(async () => {
  storage = await openSqliteStorage(IN_MEMORY, silentLog)
})
afterAll(() => storage.close())

async function matches(
  subject: string | null,
  text: string,
  place: TextPlace,
  matcher = textMatch,
): Promise<boolean> {
  const match = matcher(sql<string | null>`${subject}`, text, place)
  const row = await storage.first({
    compile: () => sql<{ hit: number | null }>`select ${match} as hit`.compile(query),
  })
  return row?.hit === 1
}

const CASES: readonly [name: string, subject: string | null, text: string, place: TextPlace, hit: boolean][] =
  [
    ['text in the middle', 'www.example.com', 'example', 'anywhere', true],
    ['text that is missing', 'www.example.com', 'sample', 'anywhere', false],
    ['text at the start', 'www.example.com', 'www', 'at-start', true],
    ['text at the end is not at the start', 'www.example.com', 'com', 'at-start', false],
    ['text at the end', 'www.example.com', '.com', 'at-end', true],
    ['text at the start is not at the end', 'www.example.com', 'www', 'at-end', false],
    ['an empty string matches everywhere', 'a', '', 'anywhere', true],
    ['the whole text', 'abc', 'abc', 'at-start', true],
    ['a percent sign matches itself', 'a100%b', '0%b', 'anywhere', true],
    ['a percent sign is not any text', 'axxb', 'a%b', 'anywhere', false],
    ['an underscore matches itself', '_dmarc.example.com', '_dmarc', 'at-start', true],
    ['an underscore is not any character', 'xdmarc.example.com', '_dmarc', 'at-start', false],
    ['a backslash matches itself', 'a\\b', 'a\\b', 'anywhere', true],
    ['a backslash at the end', 'a\\', 'a\\', 'at-end', true],
    ['a backslash before a percent sign', 'a\\%b', '\\%', 'anywhere', true],
    ['a backslash before a percent sign is not a percent sign', 'a%b', '\\%', 'anywhere', false],
    ['all three', '\\%_', '\\%_', 'at-start', true],
    ['a quote', `it's "x"`, `'s "`, 'anywhere', true],
    ['a line break', 'a\nb:c\n', '\nb:', 'anywhere', true],
    ['letters beyond ASCII', 'grüße', 'üß', 'anywhere', true],
    ['NUL does not end the string', 'abc', 'a\0', 'anywhere', false],
    ['NUL alone matches nowhere', 'abc', '\0', 'anywhere', false],
    ['no subject matches nothing', null, '', 'anywhere', false],
  ]

describe('textMatch', () => {
  test('has cases', () => expect(CASES.length).toBeGreaterThan(0))

  test.each(CASES)('%s', async (_, subject, text, place, hit) => {
    expect(await matches(subject, text, place)).toBe(hit)
    expect(await matches(subject, text, place, exactTextMatch)).toBe(hit)
  })

  test.each(['anywhere', 'at-start', 'at-end'] as const)(
    'distinguishes upper and lower case %s',
    async (place) => {
      expect(await matches('Abc', 'Abc', place, exactTextMatch)).toBe(true)
      expect(await matches('Abc', 'abc', place, exactTextMatch)).toBe(false)
      expect(await matches('É😀', 'É😀', place, exactTextMatch)).toBe(true)
      expect(await matches('É', 'é', place, exactTextMatch)).toBe(false)
    },
  )

  test('agrees with the program for strings full of pattern characters', async () => {
    const text = fc.string({ unit: fc.constantFrom('%', '_', '\\', 'a', 'b', '\n', '"'), maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(text, text, async (subject, part) => {
        expect(await matches(subject, part, 'anywhere')).toBe(subject.includes(part))
        expect(await matches(subject, part, 'at-start')).toBe(subject.startsWith(part))
        expect(await matches(subject, part, 'at-end')).toBe(subject.endsWith(part))
        expect(await matches(subject, part, 'anywhere', exactTextMatch)).toBe(subject.includes(part))
        expect(await matches(subject, part, 'at-start', exactTextMatch)).toBe(subject.startsWith(part))
        expect(await matches(subject, part, 'at-end', exactTextMatch)).toBe(subject.endsWith(part))
      }),
      { numRuns: 300 },
    )
  })
})
