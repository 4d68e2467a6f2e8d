// An index of runs by the hash of their names: a trie of pages (Bagwell, "Ideal Hash Trees", 2001) that is copied on
// write (Driscoll et al., "Making Data Structures Persistent", 1989). A change copies one page of each level: less
// than a KiB in a zone of a million names. Every root that was ever published stays as it was.
//
// A branch has 64 children. A leaf has pairs of a hash and the position of a run, and is replaced by a branch when it
// has more than 32. A run begins with the length of its name; its name is at NAME_AT.
import { elementAt } from '@zonereeve/dns'
import type { Draft } from './draft.ts'
import { octetAt, type Pages, UNIT_OCTETS } from './pages.ts'

/** Offset of the name in a run. */
export const NAME_AT = 12

const BRANCH_BITS = 6
const CHILDREN = 1 << BRANCH_BITS
/** Levels of branches: 30 bits of the hash. Leaves below the last one may have any number of pairs. */
const LEVELS = 5
const MAX_PAIRS = 32

/** Octets of a page: its count of pairs, or BRANCH; the pairs that a leaf can hold; then pairs or children. */
const PAGE = { COUNT: 0, CAPACITY: 4, FIRST: 8 } as const
const PAIR = { HASH: 0, RUN: 4, OCTETS: 8 } as const
const CHILD_OCTETS = 4
const BRANCH = -1
const BRANCH_UNITS = 1 + (CHILDREN * CHILD_OCTETS) / UNIT_OCTETS
const leafUnits = (capacity: number): number => 1 + capacity

/** The position of the run with this name, or 0. The name is `octets[start, end)`. */
export function findRun(
  pages: Pages,
  root: number,
  hash: number,
  octets: Uint8Array,
  start: number,
  end: number,
): number {
  return findRunThat(pages, root, hash, isNamed, octets, start, end)
}

/** Whether a run has these octets in the place that an index is about. */
export type HasOctets = (pages: Pages, run: number, octets: Uint8Array, start: number, end: number) => boolean

/** As findRun, in an index by other octets than the name. */
export function findRunThat(
  pages: Pages,
  root: number,
  hash: number,
  hasOctets: HasOctets,
  octets: Uint8Array,
  start: number,
  end: number,
): number {
  let page = root
  let shift = 0
  let data = pages.dataOf(page)
  let at = octetAt(page)
  while (data.getInt32(at, true) === BRANCH) {
    page = data.getInt32(at + PAGE.FIRST + CHILD_OCTETS * childOf(hash, shift), true)
    data = pages.dataOf(page)
    at = octetAt(page)
    shift += BRANCH_BITS
  }
  const first = at + PAGE.FIRST
  const last = first + PAIR.OCTETS * data.getInt32(at, true)
  for (let pair = first; pair < last; pair += PAIR.OCTETS) {
    if (data.getInt32(pair, true) !== hash) continue
    const run = data.getInt32(pair + PAIR.RUN, true)
    if (hasOctets(pages, run, octets, start, end)) return run
  }
  return 0
}

function isNamed(pages: Pages, run: number, octets: Uint8Array, start: number, end: number): boolean {
  const segment = pages.octetsOf(run)
  const at = octetAt(run)
  if (segment[at] !== end - start) return false
  const shift = at + NAME_AT - start
  for (let i = start; i < end; i += 1) if (segment[shift + i] !== octets[i]) return false
  return true
}

const childOf = (hash: number, shift: number): number => (hash >>> shift) & (CHILDREN - 1)

/**
 * Replaces the run `before` by `after` and returns the new root. `before` 0: adds `after`, whose name the index must
 * not have. `after` 0: removes `before`. @throws StoreFullError
 */
export function putRun(draft: Draft, root: number, hash: number, before: number, after: number): number {
  return put(draft, root, hash, before, after, 0)
}

function put(draft: Draft, page: number, hash: number, before: number, after: number, level: number): number {
  if (page === 0) return addPair(draft, newLeaf(draft, 1), hash, after, level)
  if (countOf(draft.pages, page) !== BRANCH) {
    if (before === 0) return addPair(draft, page, hash, after, level)
    const pair = pairOf(draft.pages, page, before)
    return after === 0 ? removePair(draft, page, pair) : set(draft, page, pair + PAIR.RUN, after)
  }
  const child = PAGE.FIRST + CHILD_OCTETS * childOf(hash, level * BRANCH_BITS)
  const old = read(draft.pages, page, child)
  const changed = put(draft, old, hash, before, after, level + 1)
  if (changed === old) return page
  return changed === 0 ? withoutChild(draft, page, child) : set(draft, page, child, changed)
}

const read = (pages: Pages, page: number, offset: number): number =>
  pages.dataOf(page).getInt32(octetAt(page) + offset, true)

function write(pages: Pages, page: number, offset: number, value: number): void {
  pages.dataOf(page).setInt32(octetAt(page) + offset, value, true)
}

const countOf = (pages: Pages, page: number): number => read(pages, page, PAGE.COUNT)

/** The offset of the pair of a run in a leaf. */
function pairOf(pages: Pages, page: number, run: number): number {
  const end = PAGE.FIRST + PAIR.OCTETS * countOf(pages, page)
  for (let pair = PAGE.FIRST; pair < end; pair += PAIR.OCTETS)
    if (read(pages, page, pair + PAIR.RUN) === run) return pair
  throw new Error('the run is not in the index')
}

/** Sets a number in a page, or in a copy of it. Returns its position. */
function set(draft: Draft, page: number, offset: number, value: number): number {
  const own = ownPage(draft, page)
  write(draft.pages, own, offset, value)
  return own
}

function withoutChild(draft: Draft, page: number, child: number): number {
  for (let other = PAGE.FIRST; other < PAGE.FIRST + CHILD_OCTETS * CHILDREN; other += CHILD_OCTETS)
    if (other !== child && read(draft.pages, page, other) !== 0) return set(draft, page, child, 0)
  draft.drop(page, BRANCH_UNITS)
  return 0
}

function ownPage(draft: Draft, page: number): number {
  if (draft.isOwn(page)) return page
  const units = unitsOf(draft.pages, page)
  const copy = draft.take(units)
  draft.pages.copy(page, copy, units)
  draft.drop(page, units)
  return copy
}

function unitsOf(pages: Pages, page: number): number {
  return countOf(pages, page) === BRANCH ? BRANCH_UNITS : leafUnits(read(pages, page, PAGE.CAPACITY))
}

function newLeaf(draft: Draft, capacity: number): number {
  const page = draft.take(leafUnits(capacity))
  write(draft.pages, page, PAGE.COUNT, 0)
  write(draft.pages, page, PAGE.CAPACITY, capacity)
  return page
}

function addPair(draft: Draft, page: number, hash: number, run: number, level: number): number {
  const { pages } = draft
  const count = countOf(pages, page)
  if (count >= MAX_PAIRS && level < LEVELS) {
    let branch = newBranch(draft)
    for (let i = 0; i < count; i += 1) {
      const pair = PAGE.FIRST + PAIR.OCTETS * i
      branch = put(draft, branch, read(pages, page, pair), 0, read(pages, page, pair + PAIR.RUN), level)
    }
    draft.drop(page, unitsOf(pages, page))
    return put(draft, branch, hash, 0, run, level)
  }
  const isFull = count === read(pages, page, PAGE.CAPACITY)
  const own = isFull ? largerLeaf(draft, page, count) : ownPage(draft, page)
  const pair = PAGE.FIRST + PAIR.OCTETS * count
  write(pages, own, pair, hash)
  write(pages, own, pair + PAIR.RUN, run)
  write(pages, own, PAGE.COUNT, count + 1)
  return own
}

function newBranch(draft: Draft): number {
  const page = draft.take(BRANCH_UNITS)
  const at = octetAt(page)
  draft.pages.octetsOf(page).fill(0, at, at + BRANCH_UNITS * UNIT_OCTETS)
  write(draft.pages, page, PAGE.COUNT, BRANCH)
  return page
}

function largerLeaf(draft: Draft, page: number, count: number): number {
  const larger = newLeaf(draft, count + Math.max(1, count >> 2))
  const capacity = read(draft.pages, larger, PAGE.CAPACITY)
  draft.pages.copy(page, larger, leafUnits(count))
  write(draft.pages, larger, PAGE.CAPACITY, capacity)
  draft.drop(page, leafUnits(count))
  return larger
}

/** The last pair takes the place of the one that is removed. */
function removePair(draft: Draft, page: number, pair: number): number {
  const count = countOf(draft.pages, page)
  if (count === 1) {
    draft.drop(page, unitsOf(draft.pages, page))
    return 0
  }
  const { pages } = draft
  const own = ownPage(draft, page)
  const last = PAGE.FIRST + PAIR.OCTETS * (count - 1)
  write(pages, own, pair, read(pages, own, last))
  write(pages, own, pair + PAIR.RUN, read(pages, own, last + PAIR.RUN))
  write(pages, own, PAGE.COUNT, count - 1)
  return own
}

/** All runs below a root. */
export function* runsOf(pages: Pages, root: number): Generator<number, void, undefined> {
  for (const [position, units] of pagesOf(pages, root)) if (units === 0) yield position
}

/** All pages below a root with their units, each after those below it; and all runs, with 0 units. */
export function* pagesOf(
  pages: Pages,
  page: number,
): Generator<readonly [position: number, units: number], void, undefined> {
  if (page === 0) return
  const count = countOf(pages, page)
  if (count === BRANCH)
    for (let i = 0; i < CHILDREN; i += 1)
      yield* pagesOf(pages, read(pages, page, PAGE.FIRST + CHILD_OCTETS * i))
  else
    for (let i = 0; i < count; i += 1) yield [read(pages, page, PAGE.FIRST + PAIR.OCTETS * i + PAIR.RUN), 0]
  yield [page, unitsOf(pages, page)]
}

/** What a page refers to: positions of runs, or of other pages. */
export function* pageReferences(
  pages: Pages,
  page: number,
): Generator<readonly [position: number, isRun: boolean], void, undefined> {
  const isLeaf = countOf(pages, page) !== BRANCH
  for (const offset of referenceOffsets(pages, page)) yield [read(pages, page, offset), isLeaf]
}

/** Offsets of the positions in a page. */
function referenceOffsets(pages: Pages, page: number): number[] {
  const count = countOf(pages, page)
  const offsets: number[] = []
  if (count === BRANCH) {
    for (let i = 0, at: number = PAGE.FIRST; i < CHILDREN; i += 1, at += CHILD_OCTETS)
      if (read(pages, page, at) !== 0) offsets.push(at)
  } else for (let i = 0; i < count; i += 1) offsets.push(PAGE.FIRST + PAIR.OCTETS * i + PAIR.RUN)
  return offsets
}

/** Units of a page. */
export const indexPageUnits = (pages: Pages, page: number): number => unitsOf(pages, page)

/** Copies a page to other octets, which are zero, with these positions in the place of those that it has. */
export function copyIndexPage(
  pages: Pages,
  page: number,
  out: { readonly octets: Uint8Array; readonly at: number },
  positions: readonly number[],
): void {
  const count = countOf(pages, page)
  const octets = UNIT_OCTETS * (count === BRANCH ? BRANCH_UNITS : leafUnits(count))
  const start = octetAt(page)
  out.octets.set(pages.octetsOf(page).subarray(start, start + octets), out.at)
  const data = new DataView(out.octets.buffer, out.octets.byteOffset + out.at)
  for (const [i, offset] of referenceOffsets(pages, page).entries())
    data.setInt32(offset, elementAt(positions, i), true)
}

/**
 * Replaces the positions in all pages below a root that no reader can see. Returns the root. @throws RangeError if it is
 * none
 */
export function moveIndexPages(pages: Pages, root: number, move: (position: number) => number): number {
  const isLeaf = countOf(pages, root) !== BRANCH
  if (octetAt(root) + unitsOf(pages, root) * UNIT_OCTETS > pages.octetsOf(root).length)
    throw new RangeError('a page ends outside its segment')
  if (isLeaf && countOf(pages, root) > read(pages, root, PAGE.CAPACITY))
    throw new RangeError('a leaf has more pairs than it can hold')
  for (const offset of referenceOffsets(pages, root)) {
    const position = move(read(pages, root, offset))
    write(pages, root, offset, isLeaf ? position : moveIndexPages(pages, position, move))
  }
  return root
}
