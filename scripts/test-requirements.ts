// `describe` and `test` for what needs something this machine may lack: skipped with a reason, or failed if required.
import { describe, test } from 'vitest'
import { missingOf, type RequirementName } from './requirements.ts'

type Needed = RequirementName | readonly RequirementName[]

/**
 * `describe` if all of `needed` are present; otherwise `body` is not called, and the suite is skipped with a reason, or fails
 * if required.
 */
export function describeWith(needed: Needed, title: string, body: () => void): void {
  const missing = missingOf([needed].flat())
  if (missing === undefined) describe(title, body)
  else describe(title, () => insteadOf(missing, 'all of it'))
}

/** `test` as `describeWith`. */
export function testWith(needed: Needed, title: string, body: () => void | Promise<void>): void {
  const missing = missingOf([needed].flat())
  if (missing === undefined) test(title, body)
  else insteadOf(missing, title)
}

function insteadOf({ reason, required }: { reason: string; required: boolean }, title: string): void {
  const named = `${title} [needs ${reason}]`
  if (!required) return test.skip(named)
  test(named, () => {
    throw new Error(`ZONEREEVE_TEST_REQUIRE requires this, which needs ${reason}`)
  })
}
