// What an examination found. Each finding that is not in order says what to do.
export interface Finding {
  /** What was examined, like `disk` or `delegation`. */
  readonly check: string
  /** The file, address or zone. */
  readonly subject: string
  /** A `problem` harms now or soon; a `warning` may be intended. */
  readonly level: 'ok' | 'warning' | 'problem'
  readonly message: string
  /** Null if it is in order. */
  readonly remedy: string | null
}

type Examined = Pick<Finding, 'check' | 'subject'>

export const inOrder = (examined: Examined, message: string): Finding => ({
  ...examined,
  level: 'ok',
  message,
  remedy: null,
})

export const warning = (examined: Examined, message: string, remedy: string): Finding => ({
  ...examined,
  level: 'warning',
  message,
  remedy,
})

export const problem = (examined: Examined, message: string, remedy: string): Finding => ({
  ...examined,
  level: 'problem',
  message,
  remedy,
})
