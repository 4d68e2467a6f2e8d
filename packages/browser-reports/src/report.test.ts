// Reports in every shape that browsers send, and in invalid shapes.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_REPORTS, readReports } from './report.ts'

const violation = (body: object, around: object = {}) => ({ type: 'csp-violation', ...around, body })
const whole = {
  documentURL: 'https://example.com/',
  blockedURL: 'https://cdn.example/a.js',
  effectiveDirective: 'script-src-elem',
}
const READ = {
  kind: 'violation',
  documentUri: 'https://example.com/',
  blockedUri: 'https://cdn.example/a.js',
  directive: 'script-src-elem',
  originalPolicy: '',
  sourceFile: '',
  referrer: '',
  sample: '',
  line: null,
  ageMillis: 0,
}

describe('a report', () => {
  test.each([
    ['whole', violation(whole), READ],
    [
      'with the page only in the outer object',
      violation({ ...whole, documentURL: undefined }, { url: 'https://a.example/' }),
      { ...READ, documentUri: 'https://a.example/' },
    ],
    ['without a blocked URL', violation({ ...whole, blockedURL: '' }), { ...READ, blockedUri: 'self' }],
    [
      'with a directive in capitals',
      violation({ ...whole, effectiveDirective: ' Script-SRC x' }),
      { ...READ, directive: 'script-src' },
    ],
    [
      'with the code and its place',
      violation({ ...whole, referrer: 'https://example.com/x', sample: 'a()', lineNumber: 7 }),
      { ...READ, referrer: 'https://example.com/x', sample: 'a()', line: 7 },
    ],
    ['with an impossible line', violation({ ...whole, lineNumber: -1 }), READ],
    ['an hour old', violation(whole, { age: 3_600_000 }), { ...READ, ageMillis: 3_600_000 }],
    ['older than possible', violation(whole, { age: 1e12 }), { ...READ, ageMillis: 3_600_000 }],
    ['from the future', violation(whole, { age: -5 }), READ],
    ['with an invalid age', violation(whole, { age: 'long' }), READ],
    ['with numbers instead of strings', violation({ ...whole, originalPolicy: 5, sourceFile: {} }), READ],
    ['without a directive', violation({ ...whole, effectiveDirective: '' }), undefined],
    ['without a page', violation({ ...whole, documentURL: '' }), undefined],
    ['of another type', { type: 'network-error', body: whole }, undefined],
    ['without a body', { type: 'csp-violation' }, undefined],
    ['with a body that is a list', { type: 'csp-violation', body: [] }, undefined],
    ['of nothing', {}, undefined],
    ['with the name of an inherited member as type', { type: 'constructor', body: whole }, undefined],
  ])('%s', (_, value, report) =>
    expect(readReports(value)?.reports).toEqual(report === undefined ? undefined : [report]),
  )

  const HASH = { documentURL: 'https://example.com/', subresourceURL: 'https://cdn.example/a.js' }
  const SHA256 = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
  test.each([
    [SHA256, 'script', SHA256],
    ['', 'script', ''],
    ['sha256-<script>', 'script', ''],
    [`sha999-${'a'.repeat(43)}=`, 'script', ''],
    [SHA256, 'style', undefined],
  ])('of the hash %s of a %s', (hash, destination, read) => {
    const reports = readReports([{ type: 'csp-hash', body: { ...HASH, hash, destination } }])?.reports
    expect(reports).toEqual(
      read === undefined
        ? []
        : [
            {
              kind: 'hash',
              documentUri: HASH.documentURL,
              url: HASH.subresourceURL,
              hash: read,
              ageMillis: 0,
            },
          ],
    )
  })

  test('long strings are truncated', () => {
    const [report] =
      readReports(violation({ ...whole, originalPolicy: 'p'.repeat(99_999), sourceFile: 's'.repeat(9999) }))
        ?.reports ?? []
    expect(report).toMatchObject({ originalPolicy: 'p'.repeat(16_384), sourceFile: 's'.repeat(4096) })
  })
})

describe('a list', () => {
  const list = (count: number) => Array.from({ length: count }, () => violation(whole))
  test.each([
    [0, 0, 0],
    [MAX_REPORTS, MAX_REPORTS, 0],
    [MAX_REPORTS + 1, MAX_REPORTS, 1],
  ])('of %i has %i that are looked at and %i that are not', (count, looked, overLimit) => {
    const read = readReports(list(count))
    expect([read?.reports.length, read?.overLimit, read?.unrecognized]).toEqual([looked, overLimit, 0])
  })

  test('with unrecognized entries counts them and keeps the others', () => {
    const read = readReports([null, 5, [], violation(whole), { type: 'nel', body: {} }])
    expect([read?.reports.length, read?.unrecognized]).toEqual([1, 4])
  })
})

test('any JSON is accepted or rejected, and never throws', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const read = readReports(value)
      expect(read === undefined || Array.isArray(read.reports)).toBe(true)
    }),
  )
})

test('members of any type are accepted or rejected, and every string of a report is bounded', () => {
  const anything = fc.oneof(fc.string(), fc.jsonValue(), fc.string({ minLength: 5000, maxLength: 5000 }))
  const body = fc.dictionary(
    fc.constantFrom(...Object.keys(whole), 'originalPolicy', 'sourceFile', 'hash', 'sample', 'lineNumber'),
    anything,
  )
  fc.assert(
    fc.property(body, fc.constantFrom('csp-violation', 'csp-hash'), anything, (members, type, age) => {
      for (const report of readReports({ type, age, body: members })?.reports ?? []) {
        for (const value of Object.values(report)) {
          if (typeof value === 'number') expect(value).toBeLessThanOrEqual(10_000_000)
          if (typeof value === 'string') expect(value.length).toBeLessThanOrEqual(16_384)
        }
      }
    }),
  )
})

test('each string of a violation is the first non-empty string, in the order of spellings', () => {
  const spellings = {
    documentUri: ['document-uri', 'documentURL', 'document_url'],
    blockedUri: ['blocked-uri', 'blockedURL', 'blocked_url'],
    effective: ['effective-directive', 'effectiveDirective', 'effective_directive'],
    violated: ['violated-directive', 'violatedDirective', 'violated_directive'],
    originalPolicy: ['original-policy', 'originalPolicy', 'original_policy'],
    sourceFile: ['source-file', 'sourceFile', 'source_file'],
    sample: ['script-sample', 'sample'],
  }
  const member = fc.oneof(
    fc.constantFrom('', 'one', 'two', 'three', 'img-src x'),
    fc.constantFrom(null, 1, {}, ['one']),
  )
  const members = fc.dictionary(fc.constantFrom(...Object.values(spellings).flat()), member)
  let read = 0
  fc.assert(
    fc.property(members, fc.boolean(), member, (body, isClassic, url) => {
      const first = (names: readonly string[]): string =>
        names
          .map((name) => body[name])
          .find((value) => typeof value === 'string' && value !== '')
          ?.toString() ?? ''
      const expected = {
        kind: 'violation',
        documentUri: first(spellings.documentUri) || (typeof url === 'string' ? url : ''),
        blockedUri: first(spellings.blockedUri) || 'self',
        directive: (first(spellings.effective) || first(spellings.violated)).split(' ')[0],
        originalPolicy: first(spellings.originalPolicy),
        sourceFile: first(spellings.sourceFile),
        referrer: '',
        sample: first(spellings.sample),
        line: null,
        ageMillis: 0,
      }
      const reports = readReports(
        isClassic ? { 'csp-report': body, url } : [{ type: 'csp-violation', body, url }],
      )
      const isRead = expected.documentUri !== '' && expected.directive !== ''
      expect(reports?.reports ?? []).toEqual(isRead ? [expected] : [])
      if (isRead) read += 1
    }),
    { numRuns: 1000 },
  )
  expect(read).toBeGreaterThan(0)
})
