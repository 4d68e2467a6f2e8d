// What a text must contain for a pattern to match: clauses of words, one of which must occur, and sets of rare bytes.
import { foldCase } from '../bytes.ts'
import { bytesOf, type ByteSet } from './byte-set.ts'
import { byteBit, frequencyOf } from './byte-mask.ts'
import { type Beginning, beginningOf } from './first-bytes.ts'
import type { PatternNode } from './pattern-tree.ts'

/** Words in lower case; a text without any of them cannot match. */
export type Clause = readonly string[]

export interface Requirement {
  /** Each must hold, ignoring case. */
  readonly clauses: readonly Clause[]
  /** For each, one of its bits of `byteMask` must be set. */
  readonly masks: readonly number[]
  /** For patterns that match at the beginning alone. */
  readonly beginning?: Beginning | undefined
}

/** At most 8: a scanner has a bit for each. */
const MAX_CLAUSES = 5
const MAX_MASKS = 5
/** Bounds on what is tracked exactly. */
const MAX_WORDS = 64
const MAX_CHOICES = 400
const MAX_LENGTH = 24
const MAX_SET_BYTES = 12

interface Knowledge {
  /** All strings that the node can match, in lower case; undefined if they are too many. */
  readonly exact: readonly string[] | undefined
  readonly clauses: readonly Clause[]
  /** Beside those of the clauses: of each, one bit is set in every match. */
  readonly masks: readonly number[]
}

const NOTHING: Knowledge = { exact: undefined, clauses: [], masks: [] }
const EMPTY_STRING: Knowledge = { exact: [''], clauses: [], masks: [] }

/** Sound: if the pattern matches, the requirement holds. */
export function requirementOf(node: PatternNode): Requirement {
  const known = know(node)
  const usable = unique(clausesOf(known))
  const long = usable
    .filter((clause) => shortest(clause) >= 2)
    .toSorted((a, b) => shortest(b) - shortest(a) || a.length - b.length)
    .slice(0, MAX_CLAUSES)
    // Short words occur in ordinary text: beside longer ones they cost more than they rule out.
    .filter((clause, i) => i === 0 || shortest(clause) > 2)
    .map(beginnings)
  const masks = [...new Set(masksOf(known))].toSorted(byFrequency)
  return { clauses: long, masks: masks.slice(0, MAX_MASKS), beginning: beginningOf(node) }
}

/** What follows rules out few more texts, and makes the automaton of a scanner much larger. */
const MAX_SOUGHT = 8
const beginnings = (clause: Clause): Clause => [...new Set(clause.map((word) => word.slice(0, MAX_SOUGHT)))]

/**
 * The requirement of a text that has one of these words, ignoring case; none of them empty. Of long words only the
 * beginnings are required.
 */
export function requirementOfWords(words: Clause): Requirement {
  const lower = words.map(foldCase)
  const mask = maskOfClause(lower)
  return { clauses: [beginnings(lower)], masks: mask === 0 ? [] : [mask] }
}

/** Whether a text that meets the requirement may still have none of the words. */
export const areCut = (words: Clause): boolean => words.some(({ length }) => length > MAX_SOUGHT)

const clausesOf = ({ exact, clauses }: Knowledge): readonly Clause[] =>
  (exact === undefined ? clauses : [...clauses, exact]).filter((clause) => !clause.includes(''))

const masksOf = (known: Knowledge): readonly number[] => [
  ...known.masks,
  ...clausesOf(known)
    .map(maskOfClause)
    .filter((mask) => mask !== 0),
]

const byFrequency = (a: number, b: number): number => frequencyOf(a) - frequencyOf(b)

/** The bits of which one is set if one of the words occurs: of each word the rarest. 0 if a word has no byte with a bit. */
function maskOfClause(clause: Clause): number {
  let mask = 0
  for (const word of clause) {
    let bit = 0
    for (let i = 0; i < word.length; i += 1) {
      const other = byteBit(word.charCodeAt(i))
      if (other !== 0 && (bit === 0 || frequencyOf(other) < frequencyOf(bit))) bit = other
    }
    if (bit === 0) return 0
    mask |= bit
  }
  return mask
}

function know(node: PatternNode): Knowledge {
  switch (node.kind) {
    case 'set':
      return knowSet(node.set)
    case 'sequence':
      return knowSequence(node.items)
    case 'choice':
      return knowChoice(node.items)
    case 'repeat':
      return knowRepeat(node)
    case 'capture':
      return know(node.item)
    case 'assertion':
      return EMPTY_STRING
    case 'look':
      return EMPTY_STRING
    case 'reference':
      return NOTHING
  }
}

/** By byte: what is known of it alone. Most sets of a pattern are a byte of a word. */
const SINGLE_BYTES: readonly Knowledge[] = Array.from({ length: 256 }, (_, byte) => ({
  exact: [letterOf(byte)],
  clauses: [],
  masks: [],
}))

function knowSet(set: ByteSet): Knowledge {
  const bytes = bytesOf(set)
  const [first, second] = bytes
  // Nearly all sets are one letter, or one in both cases.
  if (
    first !== undefined &&
    (second === undefined || (bytes.length === 2 && letterOf(first) === letterOf(second)))
  )
    return SINGLE_BYTES[first] ?? NOTHING // a set has no other bytes
  const exact = [...new Set(bytes.map(letterOf))]
  return exact.length === 0 || exact.length > MAX_SET_BYTES
    ? wideSet(exact)
    : { exact, clauses: [], masks: [] }
}

/** In lower case. */
function letterOf(byte: number): string {
  return String.fromCharCode(byte >= 65 && byte <= 90 ? byte + 32 : byte)
}

/** Too many bytes to combine, but each may have a bit. */
const wideSet = (words: Clause): Knowledge =>
  words.length > 0 && maskOfClause(words) !== 0
    ? { exact: undefined, clauses: [], masks: [maskOfClause(words)] }
    : NOTHING

function knowSequence(items: readonly PatternNode[]): Knowledge {
  const clauses: Clause[] = []
  const masks: number[] = []
  let exact: readonly string[] | undefined = ['']
  let run: readonly string[] = ['']
  const flush = (): void => {
    if (run.some((word) => word !== '')) clauses.push(run)
    run = ['']
  }
  for (const item of items) {
    const known = know(item)
    clauses.push(...known.clauses)
    masks.push(...known.masks)
    if (known.exact === undefined) {
      exact = undefined
      flush()
      continue
    }
    const longer = combine(run, known.exact)
    if (longer === undefined) {
      exact = undefined
      flush()
      run = known.exact
    } else run = longer
  }
  if (exact !== undefined) return { exact: run, clauses, masks }
  flush()
  return { exact: undefined, clauses, masks }
}

function combine(heads: readonly string[], tails: readonly string[]): readonly string[] | undefined {
  if (heads.length * tails.length > MAX_WORDS) {
    // A single head before a long list stays possible.
    if (heads.length > 1 || tails.length > MAX_CHOICES) return undefined
  }
  const words: string[] = []
  for (const head of heads) {
    for (const tail of tails) {
      if (head.length + tail.length > MAX_LENGTH) return undefined
      words.push(head + tail)
    }
  }
  return words
}

function knowChoice(items: readonly PatternNode[]): Knowledge {
  const known = items.map(know)
  const exact = known.flatMap((one) => one.exact ?? []) // incomplete unless all are exact
  if (known.every((one) => one.exact !== undefined) && exact.length <= MAX_CHOICES) {
    return { exact: [...new Set(exact)], clauses: [], masks: [] }
  }
  const mask = combinedMask(known)
  const masks = mask === 0 ? [] : [mask]
  const union: string[] = []
  for (const one of known) {
    const best = bestOf(one)
    if (best === undefined) return { ...NOTHING, masks }
    union.push(...best)
  }
  return union.length > MAX_CHOICES
    ? { ...NOTHING, masks }
    : { exact: undefined, clauses: [[...new Set(union)]], masks }
}

/** One of its bits is set whichever alternative matches; 0 if an alternative sets none for sure. */
function combinedMask(known: readonly Knowledge[]): number {
  let all = 0
  for (const one of known) {
    const [best] = masksOf(one).toSorted(byFrequency)
    if (best === undefined) return 0
    all |= best
  }
  return all
}

const bestOf = (known: Knowledge): Clause | undefined =>
  clausesOf(known).toSorted((a, b) => shortest(b) - shortest(a) || a.length - b.length)[0]

function knowRepeat({ item, min, max }: Extract<PatternNode, { kind: 'repeat' }>): Knowledge {
  const known = know(item)
  if (min === 0) {
    if (max === 1 && known.exact !== undefined) return { exact: ['', ...known.exact], clauses: [], masks: [] }
    return NOTHING
  }
  if (min === 1 && max === 1) return known
  const { exact, clauses, masks } = known
  return {
    exact: undefined,
    clauses: exact === undefined ? clauses : [...clauses, repeatWords(exact, min)],
    masks,
  }
}

/** As often as the limits allow, at most `min` times. */
function repeatWords(words: Clause, min: number): Clause {
  let repeated = words
  for (let times = 1; times < min; times += 1) {
    const longer = combine(repeated, words)
    if (longer === undefined) break
    repeated = longer
  }
  return repeated
}

const shortest = (clause: Clause): number =>
  clause.reduce((least, { length }) => Math.min(least, length), Infinity)

function unique(clauses: readonly Clause[]): readonly Clause[] {
  const known = new Map(clauses.map((clause) => [clause.toSorted().join('\0'), clause]))
  return [...known.values()]
}
