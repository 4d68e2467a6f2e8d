// Simple case folding as a table: which code points differ only in case.
import { elementAt } from '../checked-reads.ts'
import { FEW_RANGES, normalise, type Range, type Ranges } from './ranges.ts'

/** Blocks of letters with two cases. A test compares them and the table with the engine's own folding. */
const CASED_BLOCKS: Ranges = [
  [0x41, 0x587],
  [0x10a0, 0x10ff],
  [0x13a0, 0x13fd],
  [0x1c80, 0x1cbf],
  [0x1d79, 0x1d8e],
  [0x1e00, 0x1fff],
  [0x2126, 0x2188],
  [0x24b6, 0x24e9],
  [0x2c00, 0x2d2d],
  [0xa640, 0xa7ff],
  [0xab53, 0xabbf],
  [0xfb05, 0xfb06],
  [0xff21, 0xff5a],
  [0x10400, 0x105bc],
  [0x10c80, 0x10cf2],
  [0x10d50, 0x10d85],
  [0x118a0, 0x118df],
  [0x16e40, 0x16ed3],
  [0x1e900, 0x1e943],
]

/** Pairs whose upper case is several letters, or a letter that folding does not reach. */
const EXCEPTIONS: ReadonlyMap<number, number> = new Map([
  [0x131, 0x131],
  [0x1fd3, 0x390],
  [0x1fe3, 0x3b0],
  [0xfb05, 0xfb06],
])

type Table = {
  /** Every code point with another case, in order. */
  readonly points: readonly number[]
  /** All cases of each of them, including itself. */
  readonly cases: ReadonlyMap<number, readonly number[]>
}

let table: Table | undefined

function readTable(): Table {
  if (table !== undefined) return table
  const cases = new Map<number, number[]>()
  for (const [first, last] of CASED_BLOCKS) {
    for (let point = first; point <= last; point += 1) {
      const key = foldPoint(point)
      if (key === point) continue
      const group = cases.get(key) ?? [key]
      group.push(point)
      cases.set(key, group).set(point, group)
    }
  }
  table = { points: [...cases.keys()].toSorted((a, b) => a - b), cases }
  return table
}

const foldPoint = (point: number): number =>
  EXCEPTIONS.get(point) ?? single(single(point, 'toUpperCase'), 'toLowerCase')

/** The other case, unless it is more than one letter. */
function single(point: number, change: 'toUpperCase' | 'toLowerCase'): number {
  const text = String.fromCodePoint(point)[change]()
  const other = text.codePointAt(0) ?? point
  return text.length === (other > 0xffff ? 2 : 1) ? other : point
}

const caseRanges = new Map<readonly number[], Ranges>()

/** All cases of a code point, or undefined if it has only one. All of them share one array. */
export function casesOf(point: number): Ranges | undefined {
  const group = readTable().cases.get(point)
  if (group === undefined) return undefined
  const ranges = caseRanges.get(group) ?? normalise(group.map((other): Range => [other, other]))
  caseRanges.set(group, ranges)
  return ranges
}

/** An upper bound of what folding adds to a range: all cases of the letters inside that are outside. */
export function mostAdded(first: number, last: number): number {
  const { points } = readTable()
  const inside = indexFrom(points, last + 1) - indexFrom(points, first)
  return Math.min(3 * inside, points.length - inside)
}

const closed = new WeakMap<Ranges, Ranges>()

/** The set closed under simple case folding, computed once for each large array. */
export function foldUnicode(ranges: Ranges): Ranges {
  if (ranges.length <= FEW_RANGES) return close(ranges)
  let out = closed.get(ranges)
  if (out === undefined) {
    out = close(ranges)
    closed.set(ranges, out)
    closed.set(out, out)
  }
  return out
}

/** The complement of a closed set is closed as well. */
export function inheritClosure(from: Ranges, to: Ranges): void {
  if (closed.get(from) === from) closed.set(to, to)
}

function close(ranges: Ranges): Ranges {
  const { points, cases } = readTable()
  const added: Range[] = []
  for (const [first, last] of ranges) {
    for (let i = indexFrom(points, first); i < points.length; i += 1) {
      const point = elementAt(points, i)
      if (point > last) break
      for (const other of groupOf(cases, point)) if (other < first || other > last) added.push([other, other])
    }
  }
  return added.length === 0 ? ranges : normalise([...ranges, ...added])
}

/** The index of the first element that is not below the number. */
function indexFrom(points: readonly number[], least: number): number {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (elementAt(points, middle) < least) low = middle + 1
    else high = middle
  }
  return low
}

/** All cases of one of the points of the table. */
function groupOf(cases: Table['cases'], point: number): readonly number[] {
  const group = cases.get(point)
  if (group === undefined) throw new Error(`no cases of code point ${point}`)
  return group
}
