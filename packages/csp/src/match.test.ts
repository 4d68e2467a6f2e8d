// Matching: the tables of sources and URLs, and cases of the specification that are not in the tables.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sharedFile } from '../../../scripts/requirements.ts'
import { describeWith } from '../../../scripts/test-requirements.ts'
import { ENGINES, matchesSource, type Reading } from './match.ts'
import { answer, measuredRows, ownRows } from './source-matching.cases.ts'
import { parseSource } from './source.ts'
import { originOf, readUrl } from './url.ts'

const READINGS: readonly Reading[] = ['specification', ...ENGINES]

describe('the table of sources and URLs', () => {
  const rows = ownRows()
  test('has rows', () => expect(rows.length).toBeGreaterThan(45))
  test.each(rows)('$name', (row) => {
    const answers = Object.fromEntries(READINGS.map((reading) => [reading, answer(row, reading)]))
    expect(answers).toEqual(row.allowed)
  })
})

describeWith('shared-data', 'the measured table of sources and URLs', () => {
  test('every row, in every engine', () => {
    const rows = measuredRows(sharedFile('data/browser-reports/source-match-table.txt'))
    expect(rows.length).toBeGreaterThan(45)
    for (const row of rows) {
      const answers = Object.fromEntries(ENGINES.map((engine) => [engine, answer(row, engine)]))
      expect([row.name, answers]).toEqual([row.name, row.allowed])
    }
  })
})

describe('by the specification', () => {
  const cases: [source: string, page: string, url: string, matches: boolean][] = [
    // schemes: a source also covers more secure schemes, never less secure ones (§6.7.2.9)
    ['http:', 'https://a.test/', 'http://b.test/', true],
    ['https:', 'https://a.test/', 'http://b.test/', false],
    ['ws:', 'https://a.test/', 'wss://b.test/', true],
    ['wss:', 'https://a.test/', 'ws://b.test/', false],
    ['wss://b.test', 'https://a.test/', 'wss://b.test/s', true],
    // no scheme: the page's, or a more secure one
    ['b.test', 'http://a.test/', 'https://b.test/', true],
    ['b.test', 'https://a.test/', 'http://b.test/', false],
    ['b.test', 'https://a.test/', 'wss://b.test/', false],
    ['b.test', 'about:blank', 'https://b.test/', false],
    // hosts
    ['*.b.test', 'https://a.test/', 'https://b.test/', false],
    ['*.b.test', 'https://a.test/', 'https://x.y.b.test/', true],
    ['*.b.test', 'https://a.test/', 'https://xb.test/', false],
    ['www.b.test', 'https://a.test/', 'https://b.test/', false],
    ['b.test', 'https://a.test/', 'https://www.b.test/', false],
    // ports
    ['b.test:443', 'https://a.test/', 'https://b.test/', true],
    ['b.test:0443', 'https://a.test/', 'https://b.test/', true],
    ['b.test', 'https://a.test/', 'https://b.test:443/', true],
    ['b.test', 'https://a.test/', 'https://b.test:444/', false],
    // paths
    ['b.test/', 'https://a.test/', 'https://b.test', true],
    ['b.test/a/', 'https://a.test/', 'https://b.test/a', false],
    ['b.test/a', 'https://a.test/', 'https://b.test/a?q#f', true],
    // 'self' upgrades on default and on equal ports
    ["'self'", 'http://a.test/', 'https://a.test/', true],
    ["'self'", 'http://a.test:81/', 'https://a.test:81/', true],
    ["'self'", 'http://a.test:81/', 'https://a.test/', false],
    ["'self'", 'https://a.test/', 'http://a.test/', false],
    ["'self'", 'https://a.test/', 'wss://a.test/', true],
    ["'self'", 'https://a.test/', 'ws://a.test/', false],
    ["'self'", 'http://a.test/', 'ws://a.test/', true],
    ["'self'", 'https://a.test/', 'https://www.a.test/', false],
    ["'self'", 'https://a.test/', 'blob:https://a.test/1', false],
    ["'self'", 'about:blank', 'about:blank', false],
    ['*', 'https://a.test/', 'wss://b.test/', false],
    // nonces and hashes do not match URLs
    ["'nonce-abc'", 'https://a.test/', 'https://a.test/', false],
    ["'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='", 'https://a.test/', 'https://a.test/', false],
  ]
  test.each(cases)('%s on %s: %s', (text, page, url, matches) => {
    const source = parseSource(text)
    const parts = readUrl(url)
    expect(source).toBeDefined()
    expect(parts).toBeDefined()
    if (source === undefined || parts === undefined) return
    const situation = {
      page: readUrl(page),
      reading: 'specification',
      directive: 'connect-src',
      isRedirected: false,
    } as const
    expect(matchesSource(source, parts, situation)).toBe(matches)
  })
})

describe('URLs', () => {
  const cases: [text: string, origin: string | undefined, path: string][] = [
    ['https://A.test/p?q#f', 'https://a.test', '/p'],
    ['https://u:p@a.test:443', 'https://a.test', '/'],
    ['http://a.test:443/', 'http://a.test:443', '/'],
    ['https://[::1]:8443/x', 'https://[::1]:8443', '/x'],
    ['wss://a.test:80/', 'wss://a.test:80', '/'],
    ['data:text/javascript,1?x', undefined, 'text/javascript,1'],
    ['moz-extension://0f-1/x.js', 'moz-extension://0f-1', '/x.js'],
  ]
  test.each(cases)('%s', (text, origin, path) => {
    const parts = readUrl(text)
    expect(parts?.path).toBe(path)
    expect(parts && originOf(parts)).toBe(origin)
  })

  test.each(['', '/x', 'a.test/x', '//a.test', '://', 'https//a', 'https://a.test:x/'])(
    'not a URL: %j',
    (text) => expect(readUrl(text)).toBeUndefined(),
  )

  test('any string is parsed or rejected', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const parts = readUrl(text)
        expect(parts === undefined || parts.scheme === parts.scheme.toLowerCase()).toBe(true)
      }),
    )
  })
})
