// Finds which of many words occur in a text, ignoring case, in one pass (Aho and Corasick, CACM 18, 1975), and which
// rare bytes.
import type { Bytes } from '../bytes.ts'
import { BYTE_BITS, UPPER_CASE } from './byte-mask.ts'
import { MAX_CLAUSES, type Requirement } from './required-literals.ts'

/**
 * One bit a pattern. Arrays of numbers and not of octets: those of this size are outside of the heap, which costs more
 * than the search itself.
 */
export type PatternSet = readonly number[]

/** So that every element is a small integer. */
const BITS = 30

/** What one pass found in a text. */
export interface Scan {
  readonly mask: number
  /** True if one of the letters A to Z occurs. */
  readonly hasUpperCase: boolean
  /** The patterns whose clauses all occur; undefined if there is none. */
  readonly candidates: PatternSet | undefined
}

/** False if a pattern cannot match what was scanned. @param number of the pattern */
export function isPossible(
  { mask, candidates }: Pick<Scan, 'mask' | 'candidates'>,
  number: number,
  { clauses, masks }: Requirement,
): boolean {
  if (clauses.length > 0) {
    if (candidates === undefined || !hasPattern(candidates, number)) return false
  }
  for (let i = 0; i < masks.length; i += 1) if ((mask & Number(masks[i])) === 0) return false
  return true
}

export const hasPattern = (set: PatternSet, number: number): boolean =>
  (Number(set[Math.trunc(number / BITS)]) & (1 << (number % BITS))) !== 0

export type Scanner = (text: Bytes) => Scan

/** @param requirements by the number of their pattern; those without clauses are never candidates */
export function createScanner(requirements: readonly Requirement[]): Scanner {
  const automaton = new Automaton(requirements)
  return automaton.scan
}

class Automaton {
  private readonly classes = new Uint8Array(256)
  private readonly size: number
  private readonly next: Int32Array
  /** For each state the range of its outputs: from `first[state]` to `first[state + 1]`. */
  private readonly first: Int32Array
  /** Pattern number * MAX_CLAUSES + clause number. */
  private readonly outputs: Int32Array
  /** All clauses of a pattern, as bits. */
  private readonly complete: Uint8Array
  private readonly none: PatternSet
  private readonly hits: Uint8Array
  /** The last text for which a state was reported. */
  private readonly stamps: Int32Array
  private stamp = 0

  constructor(requirements: readonly Requirement[]) {
    this.complete = Uint8Array.from(requirements, ({ clauses }) => (1 << clauses.length) - 1)
    this.hits = new Uint8Array(requirements.length)
    this.none = Array.from({ length: Math.ceil(requirements.length / BITS) }, () => 0)
    const needles = requirements.flatMap(({ clauses }, pattern) =>
      clauses.flatMap((clause, i) => clause.map((word) => ({ word, owner: pattern * MAX_CLAUSES + i }))),
    )
    this.size = this.chooseClasses(needles.map(({ word }) => word))
    const trie = this.plant(needles)
    this.next = trie.next
    const owners = connect(trie, this.size)
    this.first = new Int32Array(owners.length + 1)
    for (const [state, list] of owners.entries()) this.first[state + 1] = at(this.first, state) + list.length
    this.outputs = Int32Array.from(owners.flat())
    this.stamps = new Int32Array(owners.length)
  }

  readonly scan = (text: Bytes): Scan => {
    const { classes, size, next, first, stamps } = this
    this.stamp += 1
    const { stamp } = this
    let touched: number[] | undefined
    let mask = 0
    let upper = 0
    let state = 0
    for (let i = 0; i < text.length; i += 1) {
      const byte = text.charCodeAt(i) & 0xff
      // Every index is in its table: bytes are below 256, and states are those of the automaton.
      mask |= BYTE_BITS[byte] as number
      upper |= UPPER_CASE[byte] as number // as above
      state = next[state * size + (classes[byte] as number)] as number // as above
      if (first[state] === first[state + 1] || stamps[state] === stamp) continue
      stamps[state] = stamp
      this.reportState(state, (touched ??= []))
    }
    return {
      mask,
      hasUpperCase: upper === 1,
      candidates: touched === undefined ? undefined : this.collect(touched),
    }
  }

  private reportState(state: number, touched: number[]): void {
    const end = at(this.first, state + 1)
    for (let i = at(this.first, state); i < end; i += 1) {
      const owner = at(this.outputs, i)
      const pattern = Math.floor(owner / MAX_CLAUSES)
      if (at(this.hits, pattern) === 0) touched.push(pattern)
      this.hits[pattern] = at(this.hits, pattern) | (1 << (owner % MAX_CLAUSES))
    }
  }

  private collect(touched: readonly number[]): PatternSet | undefined {
    let candidates: number[] | undefined
    for (const pattern of touched) {
      if (this.hits[pattern] === this.complete[pattern]) {
        candidates ??= this.none.slice()
        const word = Math.trunc(pattern / BITS)
        candidates[word] = Number(candidates[word]) | (1 << (pattern % BITS))
      }
      this.hits[pattern] = 0
    }
    return candidates
  }

  /** Letters of both cases share a class; bytes that occur in no word are of class 0. */
  private chooseClasses(words: readonly string[]): number {
    let size = 1
    for (const word of words) {
      for (let i = 0; i < word.length; i += 1) {
        const byte = word.charCodeAt(i) & 0xff
        if (at(this.classes, byte) !== 0) continue
        this.classes[byte] = Math.min(size, 255)
        size = Math.min(size + 1, 256)
      }
    }
    for (let letter = 65; letter <= 90; letter += 1) this.classes[letter] = at(this.classes, letter + 32)
    return size
  }

  private plant(needles: readonly { readonly word: string; readonly owner: number }[]): Trie {
    const states = 1 + needles.reduce((sum, { word }) => sum + word.length, 0)
    let next = new Int32Array(states * this.size)
    const owners: number[][] = [[]]
    for (const { word, owner } of needles) {
      let state = 0
      for (let i = 0; i < word.length; i += 1) {
        const edge = state * this.size + at(this.classes, word.charCodeAt(i) & 0xff)
        let child = at(next, edge)
        if (child === 0) {
          child = owners.push([]) - 1
          next[edge] = child
        }
        state = child
      }
      owners[state]?.push(owner)
    }
    next = next.slice(0, owners.length * this.size)
    return { next, owners }
  }
}

interface Trie {
  /** `next[state * size + class]`; 0 is the root, and means "none" until the trie is connected. */
  readonly next: Int32Array
  readonly owners: number[][]
}

/** Turns the trie into an automaton, breadth first. @returns the owners of all words that end in each state */
function connect({ next, owners }: Trie, size: number): readonly (readonly number[])[] {
  const fallback = new Int32Array(owners.length)
  const queue = Array.from(next.subarray(0, size)).filter((state) => state !== 0)
  for (const state of queue) {
    const shorter = at(fallback, state)
    owners[state]?.push(...(owners[shorter] ?? [])) // every state has a list
    for (let c = 0; c < size; c += 1) {
      const child = at(next, state * size + c)
      const other = at(next, shorter * size + c)
      if (child === 0) next[state * size + c] = other
      else {
        fallback[child] = other
        queue.push(child)
      }
    }
  }
  return owners
}

/** @throws RangeError if the automaton leads outside of its tables */
function at(table: Int32Array | Uint8Array, index: number): number {
  const value = table[index]
  if (value === undefined) throw new RangeError(`entry ${index} of ${table.length} was read`)
  return value
}
