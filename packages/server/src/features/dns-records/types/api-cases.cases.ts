// Case tables of types whose shown content says what is served, in fewer words.
import type { ApiCases } from './cases.ts'
import type { ShownValue } from './wire-type.ts'

/** A table whose drafts have a value only. */
interface ValueTable {
  readonly name: string
  /** What DNS serves, as zone-file text, where that is not the shown content. */
  readonly served?: (shown: ShownValue) => string
  readonly valid: readonly (readonly [name: string, sent: object, shown: ShownValue])[]
  /** All issues in order, `code pointer`. */
  readonly invalid: readonly (readonly [name: string, sent: object, issues: readonly string[]])[]
}

/** The table as types.test.ts sends it. */
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

/** One issue for each of these members, which are missing. */
export const missing = (...members: readonly string[]): string[] =>
  members.map((member) => `9101 /data/${member}`)

/** One issue for each of these members, which are wrong. The number is the same. */
export const wrong = (...members: readonly string[]): string[] => missing(...members)
