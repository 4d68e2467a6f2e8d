// The changes of a watched page as lines.
import { describe, expect, test } from 'vitest'
import type { WireServedScript } from '../../api/watched-pages.ts'
import { watchedPageStrings } from '../../strings/watched-pages.ts'
import { changeLines, observationBefore, unchangedText } from './page-changes.ts'

const URL = 'https://www.example.com/checkout'
const before = { final_url: URL, missing_policies: ['p1'], omitted_scripts: 0 }
const none = { ...before, changed_headers: [], added_scripts: [], removed_scripts: [] }
const external: WireServedScript = {
  kind: 'external',
  url: 'https://cdn.example.net/a.js',
  integrity: null,
  hash: null,
  sample: null,
}
const inline: WireServedScript = { ...external, kind: 'inline', url: null, hash: 'sha256-x', sample: 'a()' }

const cases: readonly (readonly [string, Partial<Parameters<typeof changeLines>[0]>, readonly string[]])[] = [
  ['nothing', {}, []],
  [
    'a header with another value',
    { changed_headers: [{ name: 'x-frame-options', before: 'DENY', after: 'SAMEORIGIN' }] },
    ['− x-frame-options: DENY', '+ x-frame-options: SAMEORIGIN'],
  ],
  [
    'a header that is no longer sent',
    { changed_headers: [{ name: 'content-security-policy', before: "default-src 'self'", after: null }] },
    ["− content-security-policy: default-src 'self'"],
  ],
  [
    'an empty value is a value',
    { changed_headers: [{ name: 'referrer-policy', before: null, after: '' }] },
    ['+ referrer-policy: '],
  ],
  [
    'scripts, the removed ones first',
    { added_scripts: [external], removed_scripts: [inline] },
    ['− inline a()  sha256-x', '+ external https://cdn.example.net/a.js'],
  ],
  [
    'another address after redirects',
    { final_url: 'https://www.example.com/pay' },
    [`− After redirects: ${URL}`, '+ After redirects: https://www.example.com/pay'],
  ],
  ['a policy that is sent again', { missing_policies: [] }, ['+ policy p1']],
  ['a policy that is no longer sent', { missing_policies: ['p1', 'p2'] }, ['− policy p2']],
  [
    'more scripts than are kept',
    { omitted_scripts: 3 },
    ['− Scripts beyond the first thousand: 0', '+ Scripts beyond the first thousand: 3'],
  ],
]

test.each(cases)('%s', (_, changes, lines) => {
  expect(changeLines({ ...none, ...changes }, before).map(({ mark, text }) => `${mark} ${text}`)).toEqual(
    lines,
  )
})

describe('the observation before', () => {
  const edge = { number: 4, source: 'edge' } as const
  const all = [
    { number: 5, source: 'fetch' },
    edge,
    { number: 2, source: 'fetch' },
    { number: 1, source: 'fetch' },
  ] as const
  test.each([
    { name: 'is of the same source', of: all[0], number: 2 },
    { name: 'is not the first of its source', of: edge, number: undefined },
    { name: 'is not the oldest', of: all[3], number: undefined },
  ])('$name', ({ of, number }) =>
    expect(observationBefore<(typeof all)[number]>(of, all)?.number).toBe(number),
  )
})

test.each([
  ['the first of all', 99, watchedPageStrings.first],
  ['the oldest of a full list, which may have older ones', 100, watchedPageStrings.oldestShown],
])('an observation without one before it is %s', (_, shown, expected) => {
  expect(unchangedText(undefined, shown)).toBe(expected)
})
