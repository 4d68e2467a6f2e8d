// Warnings about e-mail authentication in TXT records. They never refuse a record.

/** A rule that a text breaks. `rule` is stable; `message` is for people. */
export interface EmailWarning {
  readonly rule: string
  readonly message: string
}
