// What the style check reports, and what it accepts.
import { describe, expect, test } from 'vitest'
import { complaintsAbout, countComplaints, silentDefaults } from './style.ts'

const SOURCE = 'packages/dns/src/name.ts'
const TEST = 'packages/dns/src/name.test.ts'
const HEADLINE = '// Names.\n'
const long = (lines: number): string => '  step()\n'.repeat(lines)

describe('refuses', () => {
  test.each<[string, string, string, string[]]>([
    ['a TODO without its issue', SOURCE, `${HEADLINE}${'// TO'}DO: later\n`, ['todo-issue']],
    ['an assertion without its reason', SOURCE, `${HEADLINE}\nconst a = b as string\n`, ['as-reason']],
    ['a function past the limit', SOURCE, `${HEADLINE}function f() {\n${long(79)}}\n`, ['function-lines']],
    ['a file without a headline', SOURCE, `export const a = 1\n`, ['headline']],
    ['a skipped test without its reason', TEST, `test.skipIf(isOff)('a', () => {})\n`, ['skip-reason']],
    [
      'tests that a variable skips',
      TEST,
      `const test = isOn ? vitestTest : vitestTest.skip\n`,
      ['skip-reason'],
    ],
    [
      'an error that is logged as nothing',
      SOURCE,
      `${HEADLINE}log.warn({ error, id }, 'a')\n`,
      ['logged-error'],
    ],
    [
      'one on another line',
      SOURCE,
      `${HEADLINE}deps.log.error(\n  { id, place: { at }, reason: failure },\n  'a',\n)\n`,
      ['logged-error'],
    ],
    ['a vague file name', 'packages/dns/src/utils.ts', HEADLINE, ['file-name']],
    ['a vague folder name', 'packages/server/src/common/names.ts', HEADLINE, ['file-name']],
    ['a camel-case file name', 'packages/dns/src/readName.ts', HEADLINE, ['file-name']],
  ])('%s', (_name, path, text, rules) => {
    expect(complaintsAbout(path, text).map((complaint) => complaint.rule)).toEqual(rules)
  })
})

describe('accepts', () => {
  test.each<[string, string, string]>([
    [
      'errors that are logged',
      SOURCE,
      `${HEADLINE}log.warn({ err: error, id }, 'a')\nauditLog.info({ id, problem: text(error) }, 'b')\n`,
    ],
    ['a TODO with its issue', SOURCE, `${HEADLINE}// TODO(#12): later\n`],
    ['a skipped test with its reason', TEST, `test.skipIf(isOff)(\n  'a [needs b]', () => {})\n`],
    ['as const', SOURCE, `${HEADLINE}const a = [1] as const\n`],
    ['an assertion with a reason above', SOURCE, `${HEADLINE}// b was checked by f\nconst a = b as string\n`],
    [
      'an assertion with a reason beside it',
      SOURCE,
      `${HEADLINE}\nconst a = b as string // b was checked by f\n`,
    ],
    ['a function at the limit', SOURCE, `${HEADLINE}function f() {\n${long(78)}}\n`],
    [
      'a factory that declares functions',
      SOURCE,
      `${HEADLINE}function f() {\n${`function g() {\n${long(50)}}\n`.repeat(3)}}\n`,
    ],
    [
      'a function that returns a table',
      SOURCE,
      `${HEADLINE}function f() {\n  return {\n${'a: { b: 1 },\n'.repeat(200)}}\n}\n`,
    ],
    ['an index.ts without a headline', 'packages/dns/src/index.ts', `export * from './name.ts'\n`],
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

describe('silent defaults', () => {
  test.each<[string, string, string, number[]]>([
    ['a number, -1, a string and a list', SOURCE, `f(a ?? 0, b ?? -1)\ng(c ?? '', d ?? [])\n`, [1, 1, 2, 2]],
    ['a reason beside it', SOURCE, `f(a ?? 0) // no sizes: empty\n`, []],
    ['a reason above it', SOURCE, `// no sizes: empty\nf(a ?? 0)\n`, []],
    ['a reason elsewhere', SOURCE, `// no sizes: empty\n\nf(a ?? 0)\n`, [3]],
    ['a docstring is no reason', SOURCE, `/** Sizes. */\nconst f = () => a ?? 0\n`, [2]],
    ['a meaningful default', SOURCE, `f(a ?? 1, b ?? 'x', c ?? NONE)\n`, []],
    ['an address in a string is no reason', SOURCE, `f('http://a', b ?? '')\n`, [1]],
    ['groups of a pattern that might not match', SOURCE, `const [, a] = P.exec(b) ?? []\n`, []],
    ['a list with its own name', SOURCE, `const a = P.exec(b) ?? []\n`, [1]],
    ['a tally', SOURCE, `a.b.set(key, (a.b.get(key) ?? 0) + 1)\n`, []],
    ['a tally from another map', SOURCE, `a.set(key, (b.get(key) ?? 0) + 1)\n`, [1]],
    ['a lookup beside a tally', SOURCE, `a.set(key, f(a.get(key) ?? 0))\n`, [1]],
    ['tests', 'packages/dns/src/name.test.ts', `f(a ?? 0)\n`, []],
    ['scripts', 'scripts/style.ts', `f(a ?? 0)\n`, []],
  ])('%s', (_name, path, text, lines) => {
    expect(silentDefaults(path, text).map(({ line }) => line)).toEqual(lines)
  })

  const found = ['packages/dns/src/a.ts', 'packages/dns/src/b.ts'].map((path) => ({ path }))
  test.each<[string, typeof found, Record<string, number>, RegExp[]]>([
    ['as many as allowed', found, { dns: 2 }, []],
    ['one too many', found, { dns: 1 }, [/dns has 2 .* 1 are allowed/]],
    ['one less than allowed', found, { dns: 3 }, [/dns has only 2 .* lower the 3/]],
    ['none left', [], { dns: 1 }, [/dns has only 0 .* lower the 1/]],
    ['in a package without a number', found, { expr: 0 }, [/dns has 2 .* 0 are allowed/]],
  ])('counted: %s', (_name, places, allowed, expected) => {
    const messages = countComplaints(places, allowed)
    expect(messages).toHaveLength(expected.length)
    for (const [i, message] of messages.entries()) expect(message).toMatch(expected[i] ?? /^$/)
  })
})
