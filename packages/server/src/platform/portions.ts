// Long lists a few items at a time: after each portion the rest of the program may work again.

/** As many items as are wanted in each portion; what is left in the last one. */
export function* portions<Item>(items: Iterable<Item>, atOnce: number): Generator<readonly Item[]> {
  let some: Item[] = []
  for (const item of items) {
    some.push(item)
    if (some.length < atOnce) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}
