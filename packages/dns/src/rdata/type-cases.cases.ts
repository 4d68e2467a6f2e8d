// What a record type's cases hold. types.test.ts and oracle.test.ts run them for every type in the registry.
import type { Arbitrary } from 'fast-check'

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
  /** Any values whose fields hold what they can, rules broken or not. */
  readonly any: Arbitrary<D>
  /** Values that other codecs can hold, where `oracle` has none. */
  readonly plain?: Arbitrary<D>
  /** How `dns-packet` sees a value; absent when it does not know the type. */
  readonly oracle?: Oracle<D>
}

/** The independent codec that ours is compared with. */
export interface Oracle<D> {
  /** Values whose names and strings it can hold. */
  readonly plain: Arbitrary<D>
  /** The value as its data. */
  toData(value: D): unknown
}
