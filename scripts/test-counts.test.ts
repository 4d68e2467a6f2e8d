// The counts behind the closing line of npm test.
import { describe, expect, test } from 'vitest'
import { countsIn, failureLinesIn, readVitestReport, unhandledErrorsIn } from './test-counts.ts'

describe('countsIn', () => {
  test.each([
    ['the line alone', '3 passed, 1 failed\n', { passed: 3, failed: 1, skipped: 0 }],
    ['with skipped', '3 passed, 1 failed, 2 skipped', { passed: 3, failed: 1, skipped: 2 }],
    [
      'the last of several lines',
      '1 passed, 0 failed\nmore\n5 passed, 0 failed\n',
      { passed: 5, failed: 0, skipped: 0 },
    ],
    ['not inside a sentence', 'so 1 passed, 0 failed today', undefined],
    ['empty output', '', undefined],
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

  test('a file that failed before its first test counts as a failure', () => {
    expect(read(file('failed')).counts).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  test('a failure has the file, the test name and the first lines of the message', () => {
    const broken = { ...reported('failed', 'a', 'b'), failureMessages: ['1\n2\n3\n4\n5\n6\n7'] }
    expect(read(file('failed', reported('passed', 'a'), broken)).failures).toEqual([
      { file: 'a.test.ts', test: 'a b', message: '1\n2\n3\n4\n5\n6' },
    ])
  })

  test("a file that failed before its first test has the file's message", () => {
    expect(read({ ...file('failed'), message: 'no such module' }).failures).toEqual([
      { file: 'a.test.ts', test: undefined, message: 'no such module' },
    ])
  })

  test('a skipped suite is listed once, with what it needs', () => {
    const suite = 'peers [needs dig: apt-get install bind9-dnsutils]'
    const summary = read(file('passed', reported('skipped', suite, 'one'), reported('skipped', suite, 'two')))
    expect(summary).toEqual({
      counts: { passed: 0, failed: 0, skipped: 2 },
      skipped: [`a.test.ts › ${suite}`],
      unexplained: [],
      failures: [],
    })
  })

  test('a skip without a reason is listed separately', () => {
    expect(read(file('passed', reported('skipped', 'a', 'b'))).unexplained).toEqual(['a.test.ts › a b'])
  })
})

describe('failureLinesIn', () => {
  test.each([
    ['a failed case', 'ok    a\nFAIL  b: why\n      more\n', ['FAIL  b: why\n      more']],
    ['a failed step', 'FAIL types .   42.1 s', ['FAIL types .   42.1 s']],
    ['not inside a line', 'no FAIL here', []],
    ['not a longer word', 'FAILURES', []],
  ])('%s', (_name, output, lines) => {
    expect(failureLinesIn(output)).toEqual(lines)
  })
})

test('a crashed worker is named with its cause', () => {
  const output = [
    '⎯⎯⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯⎯⎯',
    '',
    'Vitest caught 1 unhandled error during the test run.',
    '',
    '⎯⎯⎯⎯⎯⎯ \x1b[31mUnhandled Error\x1b[39m ⎯⎯⎯⎯⎯⎯⎯',
    'Error: [vitest-pool]: Worker forks emitted error.',
    ' ❯ EventEmitter.onTaskError cli-api.js:3526:21',
    '',
    'Caused by: Error: Worker exited unexpectedly',
    ' ❯ ChildProcess.emitUnexpectedExit cli-api.js:3090:33',
    '',
  ]
  expect(unhandledErrorsIn(output.join('\n'))).toEqual([output.slice(5, 9).join('\n')])
  expect(unhandledErrorsIn('12 passed, 0 failed')).toEqual([])
})
