// Several lists as one, without copying what they have.

/** What can be read any number of times, and knows how much there is. */
export interface KnownLength<Item> extends Iterable<Item> {
  readonly length: number
}

/** One list after the other. */
export function joinLists<Item>(...lists: readonly KnownLength<Item>[]): KnownLength<Item> {
  const filled = lists.filter(({ length }) => length > 0)
  const [first] = filled
  if (first !== undefined && filled.length === 1) return first
  return {
    length: filled.reduce((sum, { length }) => sum + length, 0),
    *[Symbol.iterator]() {
      for (const items of filled) yield* items
    },
  }
}
