// Matches patterns that need look-around or back-references, with a bound on the steps of a search.
import { type Bytes, foldCase } from '../bytes.ts'
import { hasByte, setOf } from './byte-set.ts'
import type { Assertion, PatternNode } from './pattern-tree.ts'

/** Steps of one search; about 100 ns each. */
const MAX_STEPS = 100_000

export interface BacktrackingResult {
  /** Start and end of the whole match and of each group; undefined if nothing matched. */
  readonly groups: readonly (readonly [number, number] | undefined)[] | undefined
  /** False if the search ran out of steps. */
  readonly isComplete: boolean
  readonly steps: number
}

type Next = (at: number) => boolean
const WORDS = setOf([48, 57], [65, 90], [95, 95], [97, 122])

/** Searches from left to right for the first match. */
export function backtrack(node: PatternNode, text: Bytes): BacktrackingResult {
  const search = new Search(text)
  for (let start = 0; start <= text.length; start += 1) {
    let end = -1
    const isFound = search.match(node, start, (at) => {
      end = at
      return true
    })
    if (isFound)
      return { groups: [[start, end], ...search.groups.slice(1)], isComplete: true, steps: search.steps }
    if (search.isOver()) return { groups: undefined, isComplete: false, steps: search.steps }
  }
  return { groups: undefined, isComplete: true, steps: search.steps }
}

class Search {
  readonly groups: (readonly [number, number] | undefined)[] = []
  steps = 0
  private readonly text: Bytes

  constructor(text: Bytes) {
    this.text = text
  }

  isOver(): boolean {
    return this.steps > MAX_STEPS
  }

  match(node: PatternNode, at: number, next: Next): boolean {
    this.steps += 1
    if (this.isOver()) return false
    switch (node.kind) {
      case 'set':
        return at < this.text.length && hasByte(node.set, this.text.charCodeAt(at) & 0xff) && next(at + 1)
      case 'sequence':
        return this.matchItems(node.items, 0, at, next)
      case 'choice':
        return node.items.some((item) => this.match(item, at, next))
      case 'repeat':
        return this.matchRepeat(node, 0, at, next)
      case 'capture':
        return this.matchCapture(node, at, next)
      case 'assertion':
        return this.holds(node.at, at) && next(at)
      case 'look':
        return this.look(node, at) !== node.isNegated && next(at)
      case 'reference': {
        const group = this.groups[node.index]
        if (group === undefined) return false
        const end = at + group[1] - group[0]
        const same = this.text.slice(group[0], group[1])
        const there = this.text.slice(at, end)
        const isSame = node.isFolded ? foldCase(same) === foldCase(there) : same === there
        return isSame && next(end)
      }
    }
  }

  private matchItems(items: readonly PatternNode[], index: number, at: number, next: Next): boolean {
    const item = items[index]
    if (item === undefined) return next(at)
    return this.match(item, at, (end) => this.matchItems(items, index + 1, end, next))
  }

  private matchRepeat(
    node: Extract<PatternNode, { kind: 'repeat' }>,
    count: number,
    at: number,
    next: Next,
  ): boolean {
    if (this.isOver()) return false
    if (node.item.kind === 'set') return this.matchRun(node, node.item, at, next)
    if (count < node.min) return this.matchOnceMore(node, count, at, next)
    return node.isLazy
      ? next(at) || this.matchOnceMore(node, count, at, next)
      : this.matchOnceMore(node, count, at, next) || next(at)
  }

  private matchOnceMore(
    node: Extract<PatternNode, { kind: 'repeat' }>,
    count: number,
    at: number,
    next: Next,
  ): boolean {
    if (count >= node.max) return false
    return this.match(node.item, at, (end) =>
      // A repetition that matched nothing ends here.
      end === at && count >= node.min ? false : this.matchRepeat(node, count + 1, end, next),
    )
  }

  /** Runs of one set need no recursion. */
  private matchRun(
    { min, max, isLazy }: Extract<PatternNode, { kind: 'repeat' }>,
    { set }: Extract<PatternNode, { kind: 'set' }>,
    at: number,
    next: Next,
  ): boolean {
    let end = at
    while (end < this.text.length && end - at < max && hasByte(set, this.text.charCodeAt(end) & 0xff))
      end += 1
    this.steps += end - at
    if (end - at < min) return false
    const [from, to, step] = isLazy ? [at + min, end, 1] : [end, at + min, -1]
    for (let here = from; isLazy ? here <= to : here >= to; here += step) {
      if (next(here)) return true
      if (this.isOver()) return false
    }
    return false
  }

  private matchCapture(node: Extract<PatternNode, { kind: 'capture' }>, at: number, next: Next): boolean {
    const before = this.groups[node.index]
    const isMatched = this.match(node.item, at, (end) => {
      const inner = this.groups[node.index]
      this.groups[node.index] = [at, end]
      if (next(end)) return true
      this.groups[node.index] = inner
      return false
    })
    if (!isMatched) this.groups[node.index] = before
    return isMatched
  }

  private look({ item, isBehind }: Extract<PatternNode, { kind: 'look' }>, at: number): boolean {
    if (!isBehind) return this.match(item, at, () => true)
    for (let start = at; start >= 0; start -= 1) {
      if (this.match(item, start, (end) => end === at)) return true
    }
    return false
  }

  private holds(assertion: Assertion, at: number): boolean {
    const { text } = this
    switch (assertion) {
      case 'start':
        return at === 0
      case 'end':
        return at === text.length
      case 'line-start':
        return at === 0 || text[at - 1] === '\n'
      case 'line-end':
        return at === text.length || text[at] === '\n'
      case 'word-edge':
        return this.isWord(at - 1) !== this.isWord(at)
      case 'no-word-edge':
        return this.isWord(at - 1) === this.isWord(at)
    }
  }

  private isWord(at: number): boolean {
    return at >= 0 && at < this.text.length && hasByte(WORDS, this.text.charCodeAt(at) & 0xff)
  }
}
