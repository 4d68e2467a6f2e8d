// describe for suites that need something this machine may lack: skipped by name and reason, or failed where required.
import { describe, test } from 'vitest'
import { missingOf, type RequirementName } from './requirements.ts'

/** `describe`, when all `needed` are there; else the suite is skipped by name and reason, or fails if it is required. */
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
    throw new Error(`ZONEREEVE_TEST_REQUIRE asks for this suite, which needs ${reason}`)
  })
}
