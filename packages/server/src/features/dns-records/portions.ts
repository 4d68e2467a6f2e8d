// Long lists a few items at a time: after each portion the rest of the program may work again.

/** Records written in one portion: some ten milliseconds. */
export const RECORDS_AT_ONCE = 100

export function* portions<Item>(items: Iterable<Item>): Generator<readonly Item[]> {
  let some: Item[] = []
  for (const item of items) {
    some.push(item)
    if (some.length < RECORDS_AT_ONCE) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}
