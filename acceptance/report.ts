// Named checks that print as they go, and the closing line that counts them.
export interface Report {
  /** Runs one named check. A check that throws is a failed one; the others still run. */
  readonly check: (name: string, body: () => void | Promise<void>) => Promise<void>
  /** Says that something did not run, and why; `required` makes that a failure. */
  readonly skip: (name: string, reason: string, required: boolean) => void
  /** Adds what another program counted. */
  readonly add: (passed: number, failed: number) => void
  /** Prints "N passed, N failed[, N skipped]" and returns the exit code. */
  readonly close: () => number
}

export function createReport(): Report {
  let passed = 0
  let failed = 0
  let skipped = 0
  return {
    async check(name, body) {
      try {
        await body()
        passed++
        console.log(`ok    ${name}`)
      } catch (error) {
        failed++
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
        console.log(`FAIL  ${name}\n${text.replaceAll(/^/gm, '      ')}`)
      }
    },
    skip(name, reason, required) {
      if (required) failed++
      else skipped++
      console.log(`${required ? 'FAIL ' : 'SKIP '} ${name}: needs ${reason}`)
    },
    add(morePassed, moreFailed) {
      passed += morePassed
      failed += moreFailed
    },
    close() {
      console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
      return failed === 0 && passed > 0 ? 0 : 1
    },
  }
}

/** How long changes took to be answered: told and not judged, for the machine is not ours alone. */
export function tellTimes(took: readonly number[]): void {
  console.log(`      answered after ${took.map((ms) => `${ms.toFixed(0)} ms`).join(', ')}`)
}
