// An index of runs in the canonical order of their names (RFC 4034 §6.1): a B+ tree of pages that is copied on write,
// as the index by hash. Only zones that were signed elsewhere have one, of the names that own their denials: it finds
// the denial that covers a name.
//
// A page has its level, 0 for leaves, and the positions of runs or of pages below it. A branch does not repeat names:
// the first name of a page is that of its leftmost run.
import { byteAt, elementAt } from '@zonereeve/dns'
import type { Draft } from './draft.ts'
import { NAME_AT } from './name-index.ts'
import { octetAt, type Pages, UNIT_OCTETS } from './pages.ts'
import { RUN } from './run.ts'

/** Positions in a page. */
export const ORDERED_CAPACITY = 64

const PAGE = { COUNT: 0, LEVEL: 4, FIRST: 8 } as const
const ENTRY_OCTETS = 4
const PAGE_UNITS = (PAGE.FIRST + ENTRY_OCTETS * ORDERED_CAPACITY) / UNIT_OCTETS

const MAX_LABELS = 127

/** A name relative to the apex, to be compared label by label from the last one. */
export class NameInOrder {
  #octets: Uint8Array = new Uint8Array(0)
  readonly #starts = new Int32Array(MAX_LABELS + 1)
  #labels = 0

  /** The name in `octets[start, end)`, in lower case. The octets are not copied. */
  show(octets: Uint8Array, start: number, end: number): this {
    this.#octets = octets
    this.#labels = 0
    for (let at = start; at < end; at += 1 + byteAt(octets, at)) {
      this.#starts[this.#labels] = at
      this.#labels += 1
    }
    return this
  }

  /** The name of a run. */
  showRun(pages: Pages, run: number): this {
    const octets = pages.octetsOf(run)
    const at = octetAt(run)
    return this.show(octets, at + NAME_AT, at + NAME_AT + byteAt(octets, at + RUN.NAME_OCTETS))
  }

  /** Negative if this name comes first, 0 if both are the same. */
  compare(other: NameInOrder): number {
    const octets = this.#octets
    const others = other.#octets
    for (let i = 1; i <= this.#labels && i <= other.#labels; i += 1) {
      const at = this.#startFromEnd(i)
      const otherAt = other.#startFromEnd(i)
      const length = byteAt(octets, at)
      const otherLength = byteAt(others, otherAt)
      for (let k = 1; k <= length && k <= otherLength; k += 1) {
        const difference = byteAt(octets, at + k) - byteAt(others, otherAt + k)
        if (difference !== 0) return difference
      }
      if (length !== otherLength) return length - otherLength
    }
    return this.#labels - other.#labels
  }

  #startFromEnd(label: number): number {
    return this.#starts[this.#labels - label] as number // one of its labels
  }
}

const compared = new NameInOrder()

/** The run of a name, or the last one before it. The names are a circle: the last one is before the first. */
export function runAtOrBefore(pages: Pages, root: number, name: NameInOrder): number {
  let page = root
  for (let level = levelOf(pages, page); level >= 0; level -= 1) {
    const index = lastAtOrBefore(pages, page, name)
    if (index === -1) return lastRun(pages, root)
    page = entryAt(pages, page, index)
  }
  return page
}

/**
 * Puts the run of a name into the place of the one with this name, or adds it; 0 removes the one with this name.
 * Returns the new root; 0 if there are no names left. @throws StoreFullError
 */
export function putInOrder(draft: Draft, root: number, name: NameInOrder, run: number): number {
  const { pages } = draft
  const replaced = root === 0 ? addPages(draft, [run].filter(Boolean), 0) : put(draft, root, name, run)
  if (replaced.length > 1)
    return elementAt(addPages(draft, replaced, levelOf(pages, elementAt(replaced, 0)) + 1), 0)
  let [top = 0] = replaced // none is left
  while (top !== 0 && levelOf(pages, top) > 0 && countOf(pages, top) === 1) {
    const child = entryAt(pages, top, 0)
    draft.drop(top, PAGE_UNITS)
    top = child
  }
  return top
}

/** All pages below a root with their units. */
export function* orderedPages(
  pages: Pages,
  page: number,
): Generator<readonly [position: number, units: number], void, undefined> {
  if (page === 0) return
  if (levelOf(pages, page) > 0) for (const child of entriesOf(pages, page)) yield* orderedPages(pages, child)
  yield [page, PAGE_UNITS]
}

/** Returns the pages that take the place of this one. */
function put(draft: Draft, page: number, name: NameInOrder, run: number): readonly number[] {
  const { pages } = draft
  const level = levelOf(pages, page)
  const index = lastAtOrBefore(pages, page, name)
  const entries = entriesOf(pages, page)
  if (level > 0) {
    const at = Math.max(index, 0)
    entries.splice(at, 1, ...put(draft, elementAt(entries, at), name, run))
  } else {
    const isThere = index !== -1 && compared.showRun(pages, elementAt(entries, index)).compare(name) === 0
    const after = run === 0 ? [] : [run]
    if (isThere) entries.splice(index, 1, ...after)
    else entries.splice(index + 1, 0, ...after)
  }
  if (entries.length > 0 && entries.length <= ORDERED_CAPACITY && draft.isOwn(page)) {
    write(pages, page, entries, level)
    return [page]
  }
  draft.drop(page, PAGE_UNITS)
  return addPages(draft, entries, level)
}

/** New pages of these entries: none, one, or two. */
function addPages(draft: Draft, entries: readonly number[], level: number): readonly number[] {
  if (entries.length === 0) return []
  if (entries.length > ORDERED_CAPACITY) {
    const half = entries.length >> 1
    return [...addPages(draft, entries.slice(0, half), level), ...addPages(draft, entries.slice(half), level)]
  }
  const page = draft.take(PAGE_UNITS)
  write(draft.pages, page, entries, level)
  return [page]
}

function write(pages: Pages, page: number, entries: readonly number[], level: number): void {
  const data = pages.dataOf(page)
  const at = octetAt(page)
  data.setInt32(at + PAGE.COUNT, entries.length, true)
  data.setInt32(at + PAGE.LEVEL, level, true)
  for (const [i, entry] of entries.entries()) data.setInt32(at + PAGE.FIRST + ENTRY_OCTETS * i, entry, true)
}

/** The last entry whose first name is this one or before it; -1 if there is none. */
function lastAtOrBefore(pages: Pages, page: number, name: NameInOrder): number {
  let [low, high] = [0, countOf(pages, page)]
  while (low < high) {
    const middle = (low + high) >> 1
    const run = firstRun(pages, entryAt(pages, page, middle), levelOf(pages, page))
    if (compared.showRun(pages, run).compare(name) <= 0) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The leftmost run of an entry of a page of this level. */
function firstRun(pages: Pages, entry: number, level: number): number {
  let first = entry
  for (let left = level; left > 0; left -= 1) first = entryAt(pages, first, 0)
  return first
}

function lastRun(pages: Pages, root: number): number {
  let page = root
  for (let left = levelOf(pages, root); left >= 0; left -= 1)
    page = entryAt(pages, page, countOf(pages, page) - 1)
  return page
}

const countOf = (pages: Pages, page: number): number =>
  pages.dataOf(page).getInt32(octetAt(page) + PAGE.COUNT, true)

const levelOf = (pages: Pages, page: number): number =>
  pages.dataOf(page).getInt32(octetAt(page) + PAGE.LEVEL, true)

const entryAt = (pages: Pages, page: number, index: number): number =>
  pages.dataOf(page).getInt32(octetAt(page) + PAGE.FIRST + ENTRY_OCTETS * index, true)

const entriesOf = (pages: Pages, page: number): number[] =>
  Array.from({ length: countOf(pages, page) }, (_, i) => entryAt(pages, page, i))
