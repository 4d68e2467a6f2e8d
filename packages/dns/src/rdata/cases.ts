// What a record type's case table holds. types.test.ts runs the table of every type in the registry.

/** Named cases of one record type, read as its specification. */
export interface TypeCases<D> {
  /** Text in, octets in hexadecimal, and what it prints as when that differs from the text. */
  readonly valid: readonly (readonly [name: string, text: string, wire: string, prints?: string])[]
  /** Typed values beside their text. */
  readonly values: readonly (readonly [text: string, value: D])[]
  /** Text that cannot be parsed: the error's rule, and its offset where that matters. */
  readonly badText: readonly (readonly [name: string, text: string, rule: string, offset?: number])[]
  /** Values that break rules: all of them. */
  readonly badValue: readonly (readonly [name: string, value: D, rules: readonly string[]])[]
  /** Octets in hexadecimal that cannot be read. */
  readonly badWire: readonly (readonly [name: string, wire: string, rule: string])[]
}
