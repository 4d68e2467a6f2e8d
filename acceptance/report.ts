// Named checks that print as they run, and the closing line with their counts.
export interface Report {
  /** Runs one named check. It fails if it throws; the others still run. */
  readonly check: (name: string, body: () => void | Promise<void>) => Promise<void>
  /** Runs a part of a suite, and prints how long it took. */
  readonly time: (part: string, body: () => Promise<void>) => Promise<void>
  /** Reports that something did not run, and why; `required` makes it a failure. */
  readonly skip: (name: string, reason: string, required: boolean) => void
  /** Adds the counts of another program. */
  readonly add: (passed: number, failed: number) => void
  /** Prints "N passed, N failed[, N skipped]" and returns the exit code. */
  readonly close: () => number
}

export function createReport(): Report {
  let passed = 0
  let failed = 0
  let skipped = 0
  const noteFailure = (name: string, error: unknown): void => {
    failed++
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    console.log(`FAIL  ${name}\n${text.replaceAll(/^/gm, '      ')}`)
  }
  return {
    async check(name, body) {
      try {
        await body()
        passed++
        console.log(`ok    ${name}`)
      } catch (error) {
        noteFailure(name, error)
      }
    },
    async time(part, body) {
      const began = performance.now()
      // The parts after one that cannot run are still worth their time.
      await body().catch((error: unknown) => noteFailure(part, error))
      console.log(`== ${part}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
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

/** Prints how long changes took to be answered. Not checked, because the machine may be shared. */
export function reportTimes(took: readonly number[]): void {
  console.log(`      answered after ${took.map((ms) => `${ms.toFixed(0)} ms`).join(', ')}`)
}
