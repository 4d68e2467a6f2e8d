// What is wrong with a zone file, and where.

/** One broken rule of a zone file. `rule` is `zone.*`, or a rule of the tokens, names and types. */
export class ZoneFileError extends Error {
  override readonly name = 'ZoneFileError'
  readonly rule: string
  /** From 1. */
  readonly line: number
  /** In UTF-16 code units, from 1. */
  readonly column: number

  constructor(rule: string, line: number, column: number, message: string) {
    super(`line ${line}, column ${column}: ${message}`)
    this.rule = rule
    this.line = line
    this.column = column
  }
}
