// Counts of passed, failed and skipped tests, read from what test programs print or write.
import { stripVTControlCharacters } from 'node:util'

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export interface VitestSummary {
  readonly counts: Counts
  /** "file › suite [needs …]", one for each skipped suite. */
  readonly skipped: readonly string[]
  /** Tests skipped by hand, with no `[needs …]` in any of their titles. */
  readonly unexplained: readonly string[]
  readonly failures: readonly TestFailure[]
}

export interface TestFailure {
  /** The file's path, as vitest names it. */
  readonly file: string
  /** The test's full name; undefined if the file failed before its first test. */
  readonly test: string | undefined
  /** First lines of the test runner's message. */
  readonly message: string
}

export function addCounts(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

/** Parses the last whole line of the form "3 passed, 0 failed" or "3 passed, 0 failed, 1 skipped". */
export function countsIn(output: string): Counts | undefined {
  const last = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1)
  if (last === undefined) return undefined
  return { passed: Number(last[1]), failed: Number(last[2]), skipped: Number(last[3] ?? 0) }
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[]
      readonly fullName: string
      readonly title: string
      readonly status: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

/** Reads vitest's JSON report. A file that failed before its first test counts as one failure. */
export function readVitestReport(json: string): VitestSummary {
  const report = JSON.parse(json) as VitestReport
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  const skipped = new Set<string>()
  const unexplained: string[] = []
  const failures: TestFailure[] = []
  for (const file of report.testResults) {
    if (file.status === 'failed' && file.assertionResults.length === 0) {
      counts = addCounts(counts, { passed: 0, failed: 1, skipped: 0 })
      failures.push({ file: file.name, test: undefined, message: firstLines(file.message) })
    }
    for (const test of file.assertionResults) {
      const passed = test.status === 'passed'
      const failed = test.status === 'failed'
      counts = addCounts(counts, { passed: +passed, failed: +failed, skipped: +(!passed && !failed) })
      if (failed) {
        failures.push({
          file: file.name,
          test: test.fullName,
          message: firstLines(test.failureMessages?.[0]),
        })
      }
      if (passed || failed) continue
      const titles = [...test.ancestorTitles, test.title]
      const depth = titles.findIndex((title) => title.includes('[needs '))
      if (depth < 0) unexplained.push(`${file.name} › ${test.fullName}`)
      else skipped.add([file.name, ...titles.slice(0, depth + 1)].join(' › '))
    }
  }
  return { counts, skipped: [...skipped], unexplained, failures }
}

const MESSAGE_LINES = 6

function firstLines(message: string | undefined): string {
  return (message ?? 'no message').split('\n').slice(0, MESSAGE_LINES).join('\n')
}

/** Lines that report failures ("FAIL  name", then indented lines), each with the first of its indented lines. */
export function failureLinesIn(output: string): string[] {
  return [...output.matchAll(/^FAIL(?:ED)?\s.*(?:\n {6}.*){0,6}/gm)].map(([lines]) => lines)
}

/** Errors that vitest reports outside of tests, such as a crashed worker: the files after it did not run. */
export function unhandledErrorsIn(output: string): string[] {
  const plain = stripVTControlCharacters(output)
  const errors = plain.matchAll(
    /^⎯+ (?:Unhandled|Uncaught) (?!Errors).*⎯+\n(.*(?:\n.+)*(?:\n\nCaused by: .*)?)/gm,
  )
  return [...errors].map(([, lines = '']) => lines)
}
