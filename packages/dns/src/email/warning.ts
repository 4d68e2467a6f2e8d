// What is odd about e-mail authentication in TXT records. Nothing here refuses anything.

/** A rule that a text breaks. `rule` is stable; `message` is for people. */
export interface EmailWarning {
  readonly rule: string
  readonly message: string
}
