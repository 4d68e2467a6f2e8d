// A problem in the text of a policy: rule, severity, position.
import type { Token } from './policy.ts'

/**
 * error = must not be stored; warning = a browser ignores it or it does not do what it says; note = what it covers.
 */
export type Level = 'error' | 'warning' | 'note'

export interface Problem {
  /** Stable name of the rule, for example `source.nonce`. */
  readonly id: string
  readonly level: Level
  /** UTF-16 units of the checked text; the end is exclusive. */
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
