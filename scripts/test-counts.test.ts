// The counts that the closing line of npm test is made of.
import { describe, expect, test } from 'vitest'
import { countsIn, readVitestReport } from './test-counts.ts'

describe('countsIn', () => {
  test.each([
    ['the plain line', '3 passed, 1 failed\n', { passed: 3, failed: 1, skipped: 0 }],
    ['with skipped', '3 passed, 1 failed, 2 skipped', { passed: 3, failed: 1, skipped: 2 }],
    [
      'the last of several',
      '1 passed, 0 failed\nmore\n5 passed, 0 failed\n',
      { passed: 5, failed: 0, skipped: 0 },
    ],
    ['not inside a sentence', 'so 1 passed, 0 failed today', undefined],
    ['nothing at all', '', undefined],
  ])('%s', (_name, output, counts) => {
    expect(countsIn(output)).toEqual(counts)
  })
})

describe('readVitestReport', () => {
  const reported = (status: string, ...titles: string[]) => ({
    ancestorTitles: titles.slice(0, -1),
    title: titles.at(-1),
    fullName: titles.join(' '),
    status,
  })
  const file = (status: string, ...assertionResults: object[]) => ({
    name: 'a.test.ts',
    status,
    assertionResults,
  })
  const read = (...testResults: object[]) => readVitestReport(JSON.stringify({ testResults }))

  test('counts by status', () => {
    const summary = read(file('failed', reported('passed', 'a'), reported('failed', 'b')))
    expect(summary.counts).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })

  test('a file that broke before its first test is a failure', () => {
    expect(read(file('failed')).counts).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  test('a skipped suite is named once, with what it needs', () => {
    const suite = 'peers [needs dig: apt-get install bind9-dnsutils]'
    const summary = read(file('passed', reported('skipped', suite, 'one'), reported('skipped', suite, 'two')))
    expect(summary).toEqual({
      counts: { passed: 0, failed: 0, skipped: 2 },
      skipped: [`a.test.ts › ${suite}`],
      unexplained: [],
    })
  })

  test('a skip without a reason is told apart', () => {
    expect(read(file('passed', reported('skipped', 'a', 'b'))).unexplained).toEqual(['a.test.ts › a b'])
  })
})
