// An error in a configuration. Callers turn the code into the message and the status of their interface.

export interface Issue {
  readonly reason:
    | 'filter.expression'
    | 'firewall.trace'
    | 'ruleset.excluding'
    | 'ruleset.expression'
    | 'ruleset.required'
    | 'ruleset.unknown_member'
    | 'ruleset.value'
  /** JSON pointer (RFC 6901) to the invalid member. */
  readonly pointer: string
  /** Values for the placeholders of the code's message. */
  readonly values?: Readonly<Record<string, string | number>>
}
