// The changes of a watched page as lines.
import { expect, test } from 'vitest'
import type { WireServedScript } from '../../api/watched-pages.ts'
import { changeLines } from './page-changes.ts'

const none = { changed_headers: [], added_scripts: [], removed_scripts: [] }
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
]

test.each(cases)('%s', (_, changes, lines) => {
  expect(changeLines({ ...none, ...changes }).map(({ mark, text }) => `${mark} ${text}`)).toEqual(lines)
})
