// What the style check refuses, and what it lets pass.
import { describe, expect, test } from 'vitest'
import { complaintsAbout } from './style.ts'

const SOURCE = 'packages/dns/src/name.ts'
const HEADLINE = '// Names.\n'
const long = (lines: number): string => '  step()\n'.repeat(lines)

describe('refuses', () => {
  test.each<[string, string, string, string[]]>([
    ['a TODO without its issue', SOURCE, `${HEADLINE}${'// TO'}DO: later\n`, ['todo-issue']],
    ['an assertion without its reason', SOURCE, `${HEADLINE}\nconst a = b as string\n`, ['as-reason']],
    ['a function past the limit', SOURCE, `${HEADLINE}function f() {\n${long(79)}}\n`, ['function-lines']],
    ['a file without a headline', SOURCE, `export const a = 1\n`, ['headline']],
    ['a vague file name', 'packages/dns/src/utils.ts', HEADLINE, ['file-name']],
    ['a vague folder name', 'packages/server/src/common/names.ts', HEADLINE, ['file-name']],
    ['a camel-case file name', 'packages/dns/src/readName.ts', HEADLINE, ['file-name']],
  ])('%s', (_name, path, text, rules) => {
    expect(complaintsAbout(path, text).map((complaint) => complaint.rule)).toEqual(rules)
  })
})

describe('accepts', () => {
  test.each<[string, string, string]>([
    ['a TODO with its issue', SOURCE, `${HEADLINE}// TODO(#12): later\n`],
    ['as const', SOURCE, `${HEADLINE}const a = [1] as const\n`],
    ['an assertion with a reason above', SOURCE, `${HEADLINE}// b was checked by f\nconst a = b as string\n`],
    [
      'an assertion with a reason beside it',
      SOURCE,
      `${HEADLINE}\nconst a = b as string // b was checked by f\n`,
    ],
    ['a function at the limit', SOURCE, `${HEADLINE}function f() {\n${long(78)}}\n`],
    [
      'a factory of functions',
      SOURCE,
      `${HEADLINE}function f() {\n${`function g() {\n${long(50)}}\n`.repeat(3)}}\n`,
    ],
    [
      'a function that gives a table',
      SOURCE,
      `${HEADLINE}function f() {\n  return {\n${'a: { b: 1 },\n'.repeat(200)}}\n}\n`,
    ],
    ['a door without a headline', 'packages/dns/src/index.ts', `export * from './name.ts'\n`],
    [
      'assertions and long functions in tests',
      'packages/dns/src/name.test.ts',
      `const a = b as string\nfunction f() {\n${long(200)}}\n`,
    ],
    ['role suffixes', 'packages/server/src/features/zones/zones.api.test.ts', `import './zones.ts'\n`],
  ])('%s', (_name, path, text) => {
    expect(complaintsAbout(path, text)).toEqual([])
  })
})
