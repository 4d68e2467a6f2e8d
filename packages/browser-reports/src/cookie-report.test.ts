// Reports of cookie names: what is accepted, and which part of anything else is named. And the script: its size, and
// that a page with a strict policy can run it.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { MAX_COOKIE_NAME, MAX_COOKIE_NAMES, readCookieReport } from './cookie-report.ts'
import { monitorScript } from './monitor-script.ts'

const page_url = 'https://www.example.com/checkout'
const GOOD = { page_url, visible: ['theme', '__Host-a'], changed: ['theme'] }
const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`)

describe('a report of cookie names', () => {
  test.each<readonly [string, unknown, object]>([
    ['with both lists', GOOD, { pageUrl: page_url, visible: GOOD.visible, changed: ['theme'] }],
    ['without names', { page_url, visible: [], changed: [] }, { visible: [], changed: [] }],
    ['with the longest name', { ...GOOD, visible: ['x'.repeat(MAX_COOKIE_NAME)] }, { changed: ['theme'] }],
    ['with most names', { page_url, visible: names(MAX_COOKIE_NAMES), changed: [] }, { changed: [] }],
    ['with names of other alphabets', { ...GOOD, visible: ['größe', '色'] }, { visible: ['größe', '色'] }],
  ])('%s is accepted', (_, value, expected) => {
    expect(readCookieReport(value)).toMatchObject(expected)
  })

  test.each<readonly [string, unknown, string]>([
    ['that is not JSON', undefined, ''],
    ['that is a list', [GOOD], ''],
    ['that is null', null, ''],
    ['with values of cookies', { ...GOOD, values: ['secret'] }, '/values'],
    ['with a member that needs escaping', { ...GOOD, 'a/b~': 1 }, '/a~1b~0'],
    ['without a page', { visible: [], changed: [] }, '/page_url'],
    ['with a query', { ...GOOD, page_url: `${page_url}?card=1` }, '/page_url'],
    ['with a fragment', { ...GOOD, page_url: `${page_url}#x` }, '/page_url'],
    ['with a user', { ...GOOD, page_url: 'https://me@www.example.com/' }, '/page_url'],
    ['with a page of another scheme', { ...GOOD, page_url: 'file:///etc/passwd' }, '/page_url'],
    ['with a page that is too long', { ...GOOD, page_url: `${page_url}${'x'.repeat(2048)}` }, '/page_url'],
    ['without a list', { page_url, visible: [] }, '/changed'],
    ['with a list that is a text', { ...GOOD, visible: 'theme' }, '/visible'],
    ['with a value in a name', { ...GOOD, visible: ['a', 'theme=dark'] }, '/visible/1'],
    ['with several cookies in a name', { ...GOOD, changed: ['a;b'] }, '/changed/0'],
    ['with an empty name', { ...GOOD, changed: [''] }, '/changed/0'],
    ['with a blank name', { ...GOOD, changed: [' '] }, '/changed/0'],
    ['with a control character', { ...GOOD, changed: ['a\u0000'] }, '/changed/0'],
    ['with a number as name', { ...GOOD, changed: [1] }, '/changed/0'],
    ['with a name that is too long', { ...GOOD, visible: ['x'.repeat(MAX_COOKIE_NAME + 1)] }, '/visible/0'],
    ['with a name twice', { ...GOOD, visible: ['a', 'b', 'a'] }, '/visible/2'],
    [
      'with one name too many',
      { page_url, visible: names(MAX_COOKIE_NAMES + 1), changed: [] },
      '/visible/100',
    ],
    [
      'with one too many in both',
      { page_url, visible: names(MAX_COOKIE_NAMES), changed: ['x'] },
      '/changed/0',
    ],
  ])('%s is rejected, and the part is named', (_, value, pointer) => {
    expect(readCookieReport(value)).toEqual({ pointer, problem: expect.stringMatching(/need|name/) })
  })
})

describe('the monitoring script', () => {
  const { text, integrity, version } = monitorScript()

  test('is small, ASCII, and has hashes of its own text', () => {
    expect(gzipSync(text).length).toBeLessThanOrEqual(3000)
    expect(text).toMatch(/^[\n -~]+$/)
    expect(integrity).toBe(`sha384-${createHash('sha384').update(text).digest('base64')}`)
    expect(version).toMatch(/^[0-9a-f]{16}$/)
  })

  test('evaluates no strings, and changes nothing of the page', () => {
    expect(text).not.toMatch(
      /\beval\b|Function\(|innerHTML|setTimeout|document\.write|localStorage|\.value\b/,
    )
    expect(text).not.toMatch(/document\.cookie\s*=/)
  })
})
