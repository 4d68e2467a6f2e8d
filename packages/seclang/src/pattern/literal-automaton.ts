// Finds which of many words occur in a text, ignoring case, in one pass (Aho and Corasick, CACM 18, 1975), and which
// rare bytes.
import type { Bytes } from '../bytes.ts'
import { BYTE_BITS, RARE_LETTERS } from './byte-mask.ts'
import type { Requirement } from './required-literals.ts'

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
  /** The rare letters that occur in either case, as in `lettersIn`. */
  readonly letters: number
  /** True if one of the letters A to Z occurs. */
  readonly hasUpperCase: boolean
  /** True if whitespace occurs that is not a single space. */
  readonly hasRuns: boolean
  /** The patterns whose clauses all occur; undefined if there is none. */
  readonly candidates: PatternSet | undefined
  /** How many patterns have a word in it. */
  readonly hits: number
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

export function addPattern(set: number[], number: number): void {
  const word = Math.trunc(number / BITS)
  set[word] = Number(set[word]) | (1 << (number % BITS))
}

/** Calls `visit` with the number of each pattern of the set. */
export function patternsIn(set: PatternSet, visit: (pattern: number) => void): void {
  for (let word = 0; word < set.length; word += 1)
    for (let rest = Number(set[word]); rest !== 0; rest &= rest - 1) visit(patternAt(word, rest))
}

/** The number of the first pattern in a word of a set. @param bits of the word; not 0 */
export const patternAt = (word: number, bits: number): number => word * BITS + 31 - Math.clz32(bits & -bits)

/** The set of these patterns. @param count of all patterns */
export function patternSetOf(patterns: Iterable<number>, count: number): PatternSet {
  const set = Array.from({ length: Math.ceil(count / BITS) }, () => 0)
  for (const pattern of patterns) addPattern(set, pattern)
  return set
}

export type Scanner = (text: Bytes) => Scan

/** @param requirements by the number of their pattern; those without clauses are never candidates */
export function createScanner(requirements: readonly Requirement[]): Scanner {
  const automaton = new Automaton(requirements)
  return automaton.scan
}

class Automaton {
  /** Of each byte its class, with `UPPER`, `SPACE` and `ODD_SPACE`. */
  private readonly classes = new Int32Array(256)
  /** By state and class: the next state. As small as it can be, because it does not fit into caches. */
  private readonly next: Uint16Array | Int32Array
  private readonly size: number
  /** 1 for states with outputs. */
  private readonly isOutput: Uint8Array
  /** For each state the range of its outputs: from `first[state]` to the next entry. */
  private readonly first: Int32Array
  /** Pattern number and clause number. */
  private readonly outputs: Int32Array
  /** All clauses of a pattern, as bits. */
  private readonly complete: Uint8Array
  private readonly none: PatternSet
  private readonly hits: Uint8Array
  /** The last text for which a state was reported. */
  private readonly stamps: Int32Array
  private stamp = 0
  /** The patterns that have a word in the text that is being read: the first `touchedCount` ones. */
  private readonly touched: Int32Array
  private touchedCount = 0

  constructor(requirements: readonly Requirement[]) {
    this.complete = Uint8Array.from(requirements, ({ clauses }) => (1 << clauses.length) - 1)
    this.hits = new Uint8Array(requirements.length)
    this.touched = new Int32Array(requirements.length)
    this.none = Array.from({ length: Math.ceil(requirements.length / BITS) }, () => 0)
    this.size = this.chooseClasses(requirements)
    const { next, owners } = connect(this.plant(requirements), this.size)
    this.first = new Int32Array(owners.length + 1)
    this.isOutput = new Uint8Array(owners.length)
    const outputs: number[] = []
    for (let state = 0; state < owners.length; state += 1) {
      const list = owners[state] ?? NO_OWNERS // every state has a list
      for (let i = 0; i < list.length; i += 1) outputs.push(list[i] as number) // within the list
      this.first[state + 1] = outputs.length
      this.isOutput[state] = Number(list.length > 0)
    }
    this.outputs = Int32Array.from(outputs)
    this.stamps = new Int32Array(owners.length)
    this.next = next
  }

  readonly scan = (text: Bytes): Scan => {
    const { classes, next, size, isOutput } = this
    this.stamp += 1
    this.touchedCount = 0
    let mask = 0
    let seen = 0
    let runs = 0
    let before = 0
    let state = 0
    for (let i = 0; i < text.length; i += 1) {
      const byte = text.charCodeAt(i) & 0xff
      // Every index is in its table: bytes are below 256, and states are those of the automaton.
      mask |= BYTE_BITS[byte] as number
      const kind = classes[byte] as number // as above
      seen |= kind
      runs |= kind & before
      before = kind
      state = next[state * size + (kind & CLASS)] as number // as above
      if (isOutput[state] !== 0) this.report(state)
    }
    return {
      mask,
      letters: seen & LETTERS,
      hasUpperCase: (seen & UPPER) !== 0,
      hasRuns: (seen & ODD_SPACE) !== 0 || (runs & SPACE) !== 0,
      candidates: this.touchedCount === 0 ? undefined : this.collect(),
      hits: this.touchedCount,
    }
  }

  private report(state: number): void {
    if (this.stamps[state] === this.stamp) return
    this.stamps[state] = this.stamp
    const { first, outputs, hits, touched } = this
    // Every index is in its table.
    const end = first[state + 1] as number // one more entry than there are states
    for (let i = first[state] as number; i < end; i += 1) {
      const owner = outputs[i] as number // as above
      const pattern = owner >> CLAUSE_BITS
      if (hits[pattern] === 0) touched[this.touchedCount++] = pattern
      hits[pattern] = (hits[pattern] as number) | (1 << (owner & CLAUSE_NUMBER)) // as above
    }
  }

  private collect(): PatternSet | undefined {
    const { hits, complete, touched, touchedCount } = this
    let candidates: number[] | undefined
    for (let i = 0; i < touchedCount; i += 1) {
      const pattern = touched[i] as number // within the list
      if (hits[pattern] === complete[pattern]) {
        candidates ??= this.none.slice()
        const word = Math.trunc(pattern / BITS)
        candidates[word] = (candidates[word] as number) | (1 << (pattern % BITS)) // every pattern has a bit
      }
      hits[pattern] = 0
    }
    return candidates
  }

  /** Letters of both cases share a class; bytes that occur in no word are of class 0. */
  private chooseClasses(requirements: readonly Requirement[]): number {
    let size = 1
    for (const word of requirements.flatMap(({ clauses }) => clauses.flat())) {
      for (let i = 0; i < word.length; i += 1) {
        const byte = word.charCodeAt(i) & 0xff
        if (at(this.classes, byte) !== 0) continue
        this.classes[byte] = Math.min(size, 255)
        size = Math.min(size + 1, 256)
      }
    }
    for (let i = 0; i < RARE_LETTERS.length; i += 1) {
      const letter = RARE_LETTERS.charCodeAt(i)
      this.classes[letter] = at(this.classes, letter) | (FIRST_LETTER << i)
    }
    for (let letter = 65; letter <= 90; letter += 1)
      this.classes[letter] = at(this.classes, letter + 32) | UPPER
    for (const [byte, kind] of WHITESPACE) this.classes[byte] = at(this.classes, byte) | kind
    return size
  }

  private plant(requirements: readonly Requirement[]): Trie {
    const trie = new Trie(requirements)
    for (const [pattern, { clauses }] of requirements.entries()) {
      for (const [i, clause] of clauses.entries())
        for (const word of clause) trie.add(word, this.classes, (pattern << CLAUSE_BITS) | i)
    }
    return trie
  }
}

/** Enough for the number of a clause. */
const CLAUSE_BITS = 3
const CLAUSE_NUMBER = 7
const MAX_SMALL_STATES = 0x10000

/** The parts of an entry of `classes`. */
const CLASS = 0xff
const UPPER = 0x100
const SPACE = 0x200
const ODD_SPACE = 0x400
/** One bit for each of the rare letters. */
const FIRST_LETTER = 0x800
const LETTERS = ((1 << RARE_LETTERS.length) - 1) * FIRST_LETTER

/**
 * The letters of which one occurs in every text with one of these words, in either case: of each word the rarest. 0 if a
 * word has no rare letter.
 */
export function lettersIn(words: readonly string[]): number {
  let letters = 0
  for (const word of words) {
    const rarest = [...RARE_LETTERS].findIndex((letter) => word.includes(letter))
    if (rarest === -1) return 0
    letters |= FIRST_LETTER << rarest
  }
  return letters
}

const WHITESPACE: readonly (readonly [byte: number, kind: number])[] = [
  [32, SPACE],
  ...[9, 10, 11, 12, 13, 160].map((byte) => [byte, ODD_SPACE] as const),
]

/** Nodes by number; 0 is the root, and means "none" among children and siblings. */
class Trie {
  size = 1
  readonly child: Int32Array
  readonly sibling: Int32Array
  readonly kind: Uint8Array
  /** By node in which a word ends. */
  readonly owners = new Map<number, number[]>()

  constructor(requirements: readonly Requirement[]) {
    let most = 1
    for (const { clauses } of requirements)
      for (const clause of clauses) for (const word of clause) most += word.length
    this.child = new Int32Array(most)
    this.sibling = new Int32Array(most)
    this.kind = new Uint8Array(most)
  }

  add(word: string, classes: Int32Array, owner: number): void {
    const { child, sibling, kind } = this
    let node = 0
    for (let i = 0; i < word.length; i += 1) {
      const edge = at(classes, word.charCodeAt(i) & 0xff) & CLASS
      let next = at(child, node)
      while (next !== 0 && at(kind, next) !== edge) next = at(sibling, next)
      if (next === 0) {
        next = this.size
        this.size += 1
        kind[next] = edge
        sibling[next] = at(child, node)
        child[node] = next
      }
      node = next
    }
    const list = this.owners.get(node)
    if (list === undefined) this.owners.set(node, [owner])
    else list.push(owner)
  }
}

interface Table {
  readonly next: Uint16Array | Int32Array
  /** By state: of all words that end in it. */
  readonly owners: readonly (readonly number[])[]
}

const NO_OWNERS: readonly number[] = []

/**
 * Turns the trie into an automaton. Its states are numbered breadth first, so that those that ordinary texts visit lie
 * close together. A state continues as the shorter one does that its text ends with, except where it has a child.
 */
function connect({ size: count, child, sibling, kind, owners: planted }: Trie, size: number): Table {
  const next = count <= MAX_SMALL_STATES ? new Uint16Array(count * size) : new Int32Array(count * size)
  const owners: (readonly number[])[] = [planted.get(0) ?? NO_OWNERS] // without empty words the root owns none
  const fallback = new Int32Array(count)
  /** By new number: the number in the trie. */
  const nodes = new Int32Array(count)
  let known = 1
  for (let state = 0; state < known; state += 1) {
    const row = state * size
    const shorter = at(fallback, state) * size
    if (state !== 0) next.copyWithin(row, shorter, shorter + size)
    for (let node = at(child, at(nodes, state)); node !== 0; node = at(sibling, node)) {
      const other = state === 0 ? 0 : at(next, row + at(kind, node))
      next[row + at(kind, node)] = known
      nodes[known] = node
      fallback[known] = other
      // What ends in the shorter state ends here, too; it is complete, because it was added before.
      const shared = owners[other] ?? NO_OWNERS // every state before this one has a list
      const own = planted.get(node)
      owners[known] = own === undefined ? shared : shared.length === 0 ? own : [...own, ...shared]
      known += 1
    }
  }
  return { next, owners }
}

/** @throws RangeError if the automaton leads outside of its tables */
function at(table: Int32Array | Uint16Array | Uint8Array, index: number): number {
  const value = table[index]
  if (value === undefined) throw new RangeError(`entry ${index} of ${table.length} was read`)
  return value
}
