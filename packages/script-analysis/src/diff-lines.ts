// The difference between two lists of lines. Lines that occur once in both are anchors (patience diff); between
// anchors, the shortest difference is computed if it is short, and otherwise everything counts as replaced, so that
// the work is bounded.
import { diffArrays } from 'diff'

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Longest difference that is computed between two anchors. */
const MAX_EDITS = 600

/** Without the added lines the result is `before`, without the removed lines it is `after`. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const lines: DiffLine[] = []
  let [from, to] = [0, 0]
  for (const [anchorFrom, anchorTo] of [
    ...anchorsOf(before, after),
    [before.length, after.length] as const,
  ]) {
    addGap(lines, before.slice(from, anchorFrom), after.slice(to, anchorTo))
    const text = before[anchorFrom]
    if (text !== undefined) lines.push({ kind: 'same', text })
    from = anchorFrom + 1
    to = anchorTo + 1
  }
  return lines
}

function addGap(lines: DiffLine[], before: readonly string[], after: readonly string[]): void {
  const start = commonLength(before, after, (list, index) => list[index])
  const [restBefore, restAfter] = [before.slice(start), after.slice(start)]
  const end = commonLength(restBefore, restAfter, (list, index) => list[list.length - 1 - index])
  addAll(lines, 'same', before.slice(0, start))
  addEdits(lines, restBefore.slice(0, restBefore.length - end), restAfter.slice(0, restAfter.length - end))
  addAll(lines, 'same', restBefore.slice(restBefore.length - end))
}

function addEdits(lines: DiffLine[], before: readonly string[], after: readonly string[]): void {
  const edits =
    before.length === 0 || after.length === 0
      ? undefined
      : diffArrays([...before], [...after], { maxEditLength: MAX_EDITS })
  if (edits === undefined) {
    addAll(lines, 'removed', before)
    addAll(lines, 'added', after)
    return
  }
  for (const { added, removed, value } of edits)
    addAll(lines, added ? 'added' : removed ? 'removed' : 'same', value)
}

function addAll(lines: DiffLine[], kind: DiffLine['kind'], texts: readonly string[]): void {
  for (const text of texts) lines.push({ kind, text })
}

type LineAt = (list: readonly string[], index: number) => string | undefined

function commonLength(one: readonly string[], other: readonly string[], at: LineAt): number {
  const limit = Math.min(one.length, other.length)
  let length = 0
  while (length < limit && at(one, length) === at(other, length)) length += 1
  return length
}

/** Pairs of equal lines that occur once in both lists; both indexes increase. */
function anchorsOf(
  before: readonly string[],
  after: readonly string[],
): readonly (readonly [number, number])[] {
  const unique = uniqueLines(after)
  const pairs = [...uniqueLines(before)]
    .map(([text, index]) => [index, unique.get(text)] as const)
    .filter((pair): pair is [number, number] => pair[1] !== undefined)
    .toSorted(([one], [other]) => one - other)
  return longestIncreasing(pairs)
}

/** Index by text of the lines that occur once. */
function uniqueLines(lines: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number | undefined>()
  lines.forEach((text, index) => found.set(text, found.has(text) ? undefined : index))
  return new Map([...found].filter((entry): entry is [string, number] => entry[1] !== undefined))
}

interface Pile {
  readonly pair: readonly [number, number]
  readonly previous: Pile | undefined
}

/** Patience sorting: the longest sequence whose second indexes increase. */
function longestIncreasing(
  pairs: readonly (readonly [number, number])[],
): readonly (readonly [number, number])[] {
  const tops: Pile[] = []
  for (const pair of pairs) {
    let [low, high] = [0, tops.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((tops[middle]?.pair[1] ?? Infinity) < pair[1]) low = middle + 1 // middle is always an index of tops
      else high = middle
    }
    tops[low] = { pair, previous: tops[low - 1] }
  }
  const chain: (readonly [number, number])[] = []
  for (let pile = tops.at(-1); pile !== undefined; pile = pile.previous) chain.push(pile.pair)
  return chain.toReversed()
}
