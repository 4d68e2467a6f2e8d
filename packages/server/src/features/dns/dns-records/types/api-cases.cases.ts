// Case tables of types whose shown content equals what is served, in short form.
import type { ApiCases } from './cases.ts'
import type { ShownValue } from './wire-type.ts'

/** A table whose drafts have a value only. */
interface ValueTable {
  readonly name: string
  /** What DNS serves, in presentation format, if it differs from the shown content. */
  readonly served?: (shown: ShownValue) => string
  readonly valid: readonly (readonly [name: string, sent: object, shown: ShownValue])[]
  /** All issues in order, `code pointer`. */
  readonly invalid: readonly (readonly [name: string, sent: object, issues: readonly string[]])[]
}

/** Converts the table to the form that types.test.ts sends. */
export function apiCases({ name, served, valid, invalid }: ValueTable): ApiCases {
  return {
    name,
    valid: valid.map(([title, sent, shown]) => [
      title,
      sent,
      { ...shown, proxiable: false },
      served?.(shown) ?? shown.content,
    ]),
    invalid: invalid.map(([title, sent, issues]) => [
      title,
      sent,
      issues.map((issue) => Number(issue.split(' ')[0])),
      issues.map((issue) => issue.split(' ')[1] ?? null),
    ]),
  }
}

/** One issue for each of these missing members. */
export const missing = (...members: readonly string[]): string[] =>
  members.map((member) => `9101 /data/${member}`)

/** One issue for each of these invalid members. The code is the same. */
export const wrong = (...members: readonly string[]): string[] => missing(...members)
