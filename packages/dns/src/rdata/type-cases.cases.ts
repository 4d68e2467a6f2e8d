// The test cases of a record type. types.test.ts and oracle.test.ts run them for every type in the registry.
import type { Arbitrary } from 'fast-check'

/** Named cases of one record type; they serve as its specification. */
export interface TypeCases<D> {
  /** Input text, octets in hexadecimal, and the printed text if it differs from the input. */
  readonly valid: readonly (readonly [name: string, text: string, wire: string, prints?: string])[]
  /** Typed values with their presentation format. */
  readonly values: readonly (readonly [text: string, value: D])[]
  /** Text that cannot be parsed: the error's rule, and its offset where that matters. */
  readonly badText: readonly (readonly [name: string, text: string, rule: string, offset?: number])[]
  /** Values that break rules, with all broken rules. */
  readonly badValue: readonly (readonly [name: string, value: D, rules: readonly string[]])[]
  /** Octets in hexadecimal that cannot be read. */
  readonly badWire: readonly (readonly [name: string, wire: string, rule: string])[]
  /** Arbitrary values with valid fields, whether or not rules are broken. */
  readonly any: Arbitrary<D>
  /** Values that other codecs can represent, for types without `oracle`. */
  readonly plain?: Arbitrary<D>
  /** How `dns-packet` represents a value; absent if it does not know the type. */
  readonly oracle?: Oracle<D>
}

/** The independent codec that ours is compared with. */
export interface Oracle<D> {
  /** Values whose names and strings it can represent. */
  readonly plain: Arbitrary<D>
  /** The value as its data. */
  toData(value: D): unknown
}

/** The cases of a type with the format of another one: rule IDs get its own name. */
export function renamedCases<D>(cases: TypeCases<D>, from: string, to: string): TypeCases<D> {
  const { oracle, ...rest } = cases
  const renamed = (rule: string): string =>
    rule.startsWith(`${from}.`) ? `${to}${rule.slice(from.length)}` : rule
  return {
    ...rest,
    badText: cases.badText.map(([name, text, rule, offset]) =>
      offset === undefined ? [name, text, renamed(rule)] : [name, text, renamed(rule), offset],
    ),
    badValue: cases.badValue.map(([name, value, rules]) => [name, value, rules.map(renamed)]),
    ...(oracle === undefined ? {} : { plain: oracle.plain }),
  }
}
