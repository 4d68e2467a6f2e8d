// A list that stays sorted while items are added and removed: by binary search, or by one merge for many at once.
import { elementAt } from '@zonereeve/dns'

export interface Ordered {
  /** Compared by code units. */
  readonly order: string
}

/** Up to this number, items are inserted one by one; each moves those behind it. */
const ONE_BY_ONE = 32

export class OrderedList<Item extends Ordered> {
  #items: Item[] = []

  get length(): number {
    return this.#items.length
  }

  /** A snapshot: later changes do not affect it. */
  all(): readonly Item[] {
    return [...this.#items]
  }

  at(index: number): Item | undefined {
    return this.#items[index]
  }

  get(order: string): Item | undefined {
    const item = this.#items[this.indexFrom(order)]
    return item?.order === order ? item : undefined
  }

  /** Index of the first item that is not before `order`. */
  indexFrom(order: string): number {
    let low = 0
    let high = this.#items.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (elementAt(this.#items, middle).order < order) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Inserts or replaces items, and removes those that are `undefined`. */
  update(changes: ReadonlyMap<string, Item | undefined>): void {
    if (changes.size > ONE_BY_ONE) return this.#merge(changes)
    for (const [order, item] of changes) {
      const index = this.indexFrom(order)
      const present = this.#items[index]?.order === order ? 1 : 0
      if (item !== undefined) this.#items.splice(index, present, item)
      else this.#items.splice(index, present)
    }
  }

  #merge(changes: ReadonlyMap<string, Item | undefined>): void {
    const remaining = this.#items.filter(({ order }) => !changes.has(order))
    const added = [...changes.values()].filter((item) => item !== undefined)
    added.sort((a, b) => (a.order < b.order ? -1 : 1))
    const merged: Item[] = []
    let at = 0
    for (const item of added) {
      for (let next = remaining[at]; next !== undefined && next.order < item.order; next = remaining[at]) {
        merged.push(next)
        at += 1
      }
      merged.push(item)
    }
    for (; at < remaining.length; at += 1) {
      const next = remaining[at]
      if (next !== undefined) merged.push(next)
    }
    this.#items = merged
  }
}
