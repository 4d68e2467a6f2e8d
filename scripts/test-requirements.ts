// `describe` for suites that need something this machine may lack: skipped with a reason, or failed if required.
import { describe, test } from 'vitest'
import { missingOf, type RequirementName } from './requirements.ts'

/** `describe` if all of `needed` are present; otherwise the suite is skipped with a reason, or fails if required. */
export function describeWith(
  needed: RequirementName | readonly RequirementName[],
  title: string,
  body: () => void,
): void {
  const missing = missingOf([needed].flat())
  if (missing === undefined) describe(title, body)
  else if (missing.required) describe(title, () => failAsRequired(missing.reason))
  else describe.skip(`${title} [needs ${missing.reason}]`, body)
}

function failAsRequired(reason: string): void {
  test(`[needs ${reason}]`, () => {
    throw new Error(`ZONEREEVE_TEST_REQUIRE requires this suite, which needs ${reason}`)
  })
}
