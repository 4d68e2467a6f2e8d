// The errors that this package throws. Each has a stable rule ID and a position, so that callers can choose the
// wording.

/** Which rule a domain name breaks (RFC 1035 §2.3.4, §5.1). */
export type NameRule =
  | 'name.empty-label'
  | 'name.label-too-long'
  | 'name.too-long'
  | 'name.bad-escape'
  | 'name.bad-character'

/** A string is not a domain name. `offset` counts UTF-16 code units from the start. */
export class NameError extends Error {
  override readonly name = 'NameError'
  readonly rule: NameRule
  readonly offset: number

  constructor(rule: NameRule, offset: number, message: string) {
    super(`${message} (at ${offset})`)
    this.rule = rule
    this.offset = offset
  }
}

/** Which rule a sequence of octets breaks. */
export type WireRule =
  | 'wire.truncated'
  | 'wire.trailing'
  | 'wire.label-type'
  | 'wire.pointer'
  | 'wire.name-too-long'
  | 'wire.value'
  | 'wire.too-long'
  | 'wire.edns'
  | 'wire.tsig'

/** Octets cannot be read, or a value cannot be written. `offset` counts octets from the start of the message. */
export class WireError extends Error {
  override readonly name = 'WireError'
  readonly rule: WireRule
  readonly offset: number

  constructor(rule: WireRule, offset: number, message: string) {
    super(`${message} (at octet ${offset})`)
    this.rule = rule
    this.offset = offset
  }
}

/**
 * Presentation text cannot be read. `rule` is `text.*` for syntax, a name rule for a bad name, `<type>.<field>` for a
 * value that its field cannot hold; `offset` counts UTF-16 code units from the start of the text.
 */
export class TextError extends Error {
  override readonly name = 'TextError'
  readonly rule: string
  readonly offset: number

  constructor(rule: string, offset: number, message: string) {
    super(`${message} (at ${offset})`)
    this.rule = rule
    this.offset = offset
  }
}
