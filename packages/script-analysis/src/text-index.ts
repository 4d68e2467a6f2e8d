// Whether parts occur in a long text: with an index of its groups of four characters, from some searches on.
import { elementAt } from './checked-reads.ts'

const GROUP = 4
const BUCKETS = 1 << 18
/** Making the index takes as long as so many searches. */
const SEARCHES_BEFORE = 30
/** In a part of the text with more places than one in so many characters, a search without the index is faster. */
const FEW = 64

interface Places {
  /** By group, how many places have it. */
  readonly counts: Int32Array
  /** By group, one more than its last place; 0 if it has none. */
  readonly last: Int32Array
  /** By place, one more than the place before it with the same group. */
  readonly before: Int32Array
}

/** Answers as `text.includes` does. */
export class TextIndex {
  readonly #text: string
  #searches = 0
  #places: Places | undefined

  constructor(text: string) {
    this.#text = text
  }

  includes(part: string): boolean {
    this.#searches += 1
    if (part.length < GROUP || this.#searches <= SEARCHES_BEFORE) return this.#text.includes(part)
    const { counts, last, before } = (this.#places ??= placesOf(this.#text))
    const { group, offset } = rarestGroup(counts, part)
    const count = elementAt(counts, group)
    if (count === 0) return false
    if (count > this.#text.length / FEW) return this.#text.includes(part)
    for (let place = elementAt(last, group); place !== 0; place = elementAt(before, place - 1))
      if (place > offset && this.#text.startsWith(part, place - 1 - offset)) return true
    return false
  }
}

function placesOf(text: string): Places {
  const counts = new Int32Array(BUCKETS)
  const last = new Int32Array(BUCKETS)
  const before = new Int32Array(text.length)
  for (let at = 0; at + GROUP <= text.length; at += 1) {
    const group = groupAt(text, at)
    before[at] = elementAt(last, group)
    last[group] = at + 1
    counts[group] = elementAt(counts, group) + 1
  }
  return { counts, last, before }
}

/** The group of a part that the text has at the fewest places. */
function rarestGroup(counts: Int32Array, part: string): { readonly group: number; readonly offset: number } {
  let found = { group: groupAt(part, 0), offset: 0 }
  for (let offset = 1; offset + GROUP <= part.length; offset += 1) {
    const group = groupAt(part, offset)
    if (elementAt(counts, group) < elementAt(counts, found.group)) found = { group, offset }
  }
  return found
}

/** Different groups can have the same number. */
function groupAt(text: string, at: number): number {
  let hash = 0
  for (let i = at; i < at + GROUP; i += 1) hash = Math.imul(hash, 0x2c1b3c6d) + text.charCodeAt(i)
  return (hash ^ (hash >>> 15)) & (BUCKETS - 1)
}
