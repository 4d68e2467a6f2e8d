// A problem of a policy's text: which rule, how bad, where.
import type { Token } from './policy.ts'

/** error = not to be stored; warning = a browser ignores it or it does not do what it says; note = what it covers. */
export type Level = 'error' | 'warning' | 'note'

export interface Problem {
  /** Stable name of the rule, `source.nonce`. */
  readonly id: string
  readonly level: Level
  /** UTF-16 units of the text that was checked; the end is not included. */
  readonly start: number
  readonly end: number
  /** One sentence without a full stop. */
  readonly message: string
}

export function problemAt(
  { start, end }: Pick<Token, 'start' | 'end'>,
  id: string,
  level: Level,
  message: string,
): Problem {
  return { id, level, start, end, message }
}
