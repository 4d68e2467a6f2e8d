// What is known of strings that come with many requests, such as the headers of browsers.
import type { Bytes } from '../bytes.ts'
import type { Scan } from '../pattern/literal-automaton.ts'

export interface RepeatedString {
  readonly value: Bytes
  scan: Scan | undefined
  /** By number of the transformation. */
  after: (RepeatedString | undefined)[] | undefined
  /** By number of the pattern: whether it matches. */
  tested: Map<number, boolean> | undefined
}

/** One of which nothing is known. */
export const repeatedString = (value: Bytes): RepeatedString => ({
  value,
  scan: undefined,
  after: undefined,
  tested: undefined,
})

/** Reading a shorter string takes no longer than finding it. */
const MIN_BYTES = 12
const MAX_BYTES = 256
const MAX_STRINGS = 256

/** Knows the last few hundred strings. */
export class RepeatedStrings {
  private recent = new Map<Bytes, RepeatedString>()
  private older = new Map<Bytes, RepeatedString>()

  /** Undefined for a string that is too short or too long. */
  of(value: Bytes): RepeatedString | undefined {
    if (value.length < MIN_BYTES || value.length > MAX_BYTES) return undefined
    let known = this.recent.get(value)
    if (known !== undefined) return known
    known = this.older.get(value) ?? repeatedString(value)
    if (this.recent.size >= MAX_STRINGS) {
      this.older = this.recent
      this.recent = new Map()
    }
    this.recent.set(value, known)
    return known
  }
}
