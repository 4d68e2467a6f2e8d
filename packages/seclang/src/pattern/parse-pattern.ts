// Reads regular expressions as PCRE does in ModSecurity 3: over bytes, `.` also matches line feeds, `^` and `$` match at
// every line. Atomic groups and possessive quantifiers are read as ordinary ones, so they may match more.
import { addRange, type ByteSet, complement, emptySet, foldSet, setOf, unite } from './byte-set.ts'
import { type Assertion, EMPTY, type PatternNode } from './pattern-tree.ts'

/** A pattern that cannot be read, with the reason. */
export class PatternError extends Error {}

const DIGITS = setOf([48, 57])
const WORDS = setOf([48, 57], [65, 90], [95, 95], [97, 122])
const SPACES = setOf([9, 13], [32, 32])
const BLANK = setOf([9, 9], [32, 32], [160, 160])
const LINE_BREAKS = setOf([10, 13], [133, 133])
const ANY = complement(emptySet())
const NOT_LINE_FEED = complement(setOf([10, 10]))

const CLASSES: Readonly<Record<string, ByteSet>> = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORDS,
  W: complement(WORDS),
  s: SPACES,
  S: complement(SPACES),
  h: BLANK,
  H: complement(BLANK),
  v: LINE_BREAKS,
  V: complement(LINE_BREAKS),
  R: LINE_BREAKS,
  N: NOT_LINE_FEED,
}

const POSIX: Readonly<Record<string, ByteSet>> = {
  alpha: setOf([65, 90], [97, 122]),
  digit: DIGITS,
  alnum: setOf([48, 57], [65, 90], [97, 122]),
  upper: setOf([65, 90]),
  lower: setOf([97, 122]),
  space: SPACES,
  blank: setOf([9, 9], [32, 32]),
  punct: setOf([33, 47], [58, 64], [91, 96], [123, 126]),
  print: setOf([32, 126]),
  graph: setOf([33, 126]),
  cntrl: setOf([0, 31], [127, 127]),
  xdigit: setOf([48, 57], [65, 70], [97, 102]),
  word: WORDS,
}

const CONTROLS: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 }
const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  b: 'word-edge',
  B: 'no-word-edge',
  A: 'start',
  z: 'end',
  Z: 'end',
  G: 'start',
}

interface Flags {
  readonly isFolded: boolean
  readonly isDotAll: boolean
  readonly isMultiLine: boolean
  readonly isExtended: boolean
}

const MAX_DEPTH = 200
const MAX_REPEAT = 1000

/**
 * Parses a pattern into its tree.
 * @throws PatternError for syntax that PCRE refuses or this reader does not know
 */
export function parsePattern(source: string): PatternNode {
  const parser = new Parser(source)
  const node = parser.readChoice({ isFolded: false, isDotAll: true, isMultiLine: true, isExtended: false }, 0)
  if (!parser.isAtEnd()) throw new PatternError(`unmatched ) at ${parser.at}`)
  return node
}

class Parser {
  at = 0
  private readonly source: string
  private captures = 0

  constructor(source: string) {
    this.source = source
  }

  isAtEnd(): boolean {
    return this.at >= this.source.length
  }

  readChoice(outer: Flags, depth: number): PatternNode {
    if (depth > MAX_DEPTH) throw new PatternError('groups are nested too deeply')
    const items: PatternNode[] = []
    let sequence: PatternNode[] = []
    let flags = outer
    while (!this.isAtEnd() && this.peek() !== ')') {
      if (this.eat('|')) {
        items.push(sequenceOf(sequence))
        sequence = []
        continue
      }
      const changed = this.readFlags(flags)
      if (changed !== undefined) {
        flags = changed
        continue
      }
      const atom = this.readAtom(flags, depth)
      if (atom !== undefined) sequence.push(this.readRepeat(atom))
    }
    items.push(sequenceOf(sequence))
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'choice', items }
  }

  private peek(): string {
    return this.source.charAt(this.at)
  }

  private eat(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.source)
    if (found !== null) this.at = pattern.lastIndex
    return found
  }

  /** `(?i)` and the like: flags for the rest of the group. */
  private readFlags(flags: Flags): Flags | undefined {
    const found = this.match(/\(\?([a-zA-Z]*)(?:-([a-zA-Z]+))?\)/y)
    return found === null ? undefined : changeFlags(flags, found[1], found[2])
  }

  private readAtom(flags: Flags, depth: number): PatternNode | undefined {
    const character = this.peek()
    this.at += 1
    switch (character) {
      case '(':
        return this.readGroup(flags, depth)
      case '[':
        return { kind: 'set', set: this.readSet(flags) }
      case '.':
        return { kind: 'set', set: flags.isDotAll ? ANY : NOT_LINE_FEED }
      case '^':
        return { kind: 'assertion', at: flags.isMultiLine ? 'line-start' : 'start' }
      case '$':
        return { kind: 'assertion', at: flags.isMultiLine ? 'line-end' : 'end' }
      case '\\':
        return this.readEscape(flags)
      case '*':
      case '+':
      case '?':
        throw new PatternError(`nothing to repeat at ${this.at - 1}`)
      default:
        if (flags.isExtended && /\s/.test(character)) return undefined
        if (flags.isExtended && character === '#') {
          this.match(/[^\n]*/y)
          return undefined
        }
        return byteNode(character.charCodeAt(0) & 0xff, flags)
    }
  }

  private readGroup(outer: Flags, depth: number): PatternNode {
    if (this.match(/\?#[^)]*\)/y) !== null) return EMPTY
    const look = this.match(/\?(<?)([=!])/y)
    if (look !== null) {
      const item = this.readClosed(outer, depth)
      return { kind: 'look', item, isBehind: look[1] === '<', isNegated: look[2] === '!' }
    }
    if (this.match(/\?[>|]/y) !== null) return this.readClosed(outer, depth)
    const scoped = this.match(/\?([a-zA-Z]*)(?:-([a-zA-Z]+))?:/y)
    if (scoped !== null) return this.readClosed(changeFlags(outer, scoped[1], scoped[2]), depth)
    const isNamed = this.match(/\?P?<\w+>|\?'\w+'/y) !== null
    if (!isNamed && this.peek() === '?') throw new PatternError(`unknown group at ${this.at}`)
    this.captures += 1
    const index = this.captures
    return { kind: 'capture', item: this.readClosed(outer, depth), index }
  }

  private readClosed(flags: Flags, depth: number): PatternNode {
    const item = this.readChoice(flags, depth + 1)
    if (!this.eat(')')) throw new PatternError('a group is not closed')
    return item
  }

  private readRepeat(atom: PatternNode): PatternNode {
    let item = atom
    for (;;) {
      const found = this.match(/[*+?]|\{(\d+)(,(\d*))?\}/y)
      if (found === null) return item
      const [quantifier, from, comma, to] = found
      const isLazy = this.eat('?')
      if (!isLazy) this.eat('+')
      const [min, max] =
        from === undefined ? SIMPLE[quantifier as '*'] /* one of the three */ : boundsOf(from, comma, to)
      if (min > MAX_REPEAT || (max > MAX_REPEAT && max !== Infinity)) {
        throw new PatternError(`a repetition of more than ${MAX_REPEAT}`)
      }
      item = { kind: 'repeat', item, min, max, isLazy }
    }
  }

  private readEscape(flags: Flags): PatternNode {
    const character = this.peek()
    const assertion = ASSERTIONS[character]
    if (assertion !== undefined) {
      this.at += 1
      return { kind: 'assertion', at: assertion }
    }
    const named = CLASSES[character]
    if (named !== undefined) {
      this.at += 1
      return { kind: 'set', set: named }
    }
    const quoted = this.match(/Q([\s\S]*?)(?:\\E|$)/y)
    if (quoted?.[1] !== undefined) {
      return sequenceOf(Array.from(quoted[1], (one) => byteNode(one.charCodeAt(0) & 0xff, flags)))
    }
    const reference = this.match(/([1-9])(?!\d)|g\{?(\d+)\}?/y)
    if (reference !== null) {
      return { kind: 'reference', index: Number(reference[1] ?? reference[2]), isFolded: flags.isFolded }
    }
    return byteNode(this.readEscapedByte(), flags)
  }

  /** After the backslash; in and outside of classes. */
  private readEscapedByte(): number {
    const hex = this.match(/x\{([0-9a-fA-F]+)\}|x([0-9a-fA-F]{0,2})/y)
    if (hex !== null) return Number.parseInt(hex[1] ?? `0${hex[2]}`, 16) & 0xff
    const octal = this.match(/0[0-7]{0,2}|[0-3][0-7]{2}/y)
    if (octal !== null) return Number.parseInt(octal[0], 8) & 0xff
    const control = this.match(/c([\s\S])/y)
    if (control?.[1] !== undefined) return (control[1].toUpperCase().charCodeAt(0) ^ 64) & 0xff
    const character = this.peek()
    if (character === '') throw new PatternError('a backslash at the end')
    this.at += 1
    const known = CONTROLS[character]
    if (known !== undefined) return known
    if (/[a-zA-Z0-9]/.test(character)) throw new PatternError(`unknown escape \\${character}`)
    return character.charCodeAt(0) & 0xff
  }

  private readSet({ isFolded }: Flags): ByteSet {
    const isNegated = this.eat('^')
    let set = emptySet()
    let isFirst = true
    for (;;) {
      if (this.isAtEnd()) throw new PatternError('a class is not closed')
      if (this.peek() === ']' && !isFirst) break
      isFirst = false
      const low = this.readSetItem()
      if (typeof low !== 'number') {
        set = unite(set, low)
        continue
      }
      const isRange =
        this.peek() === '-' && this.at + 1 < this.source.length && this.source[this.at + 1] !== ']'
      if (!isRange) {
        addRange(set, low, low)
        continue
      }
      this.at += 1
      const high = this.readSetItem()
      // A class cannot end a range: the hyphen is itself.
      if (typeof high === 'number') addRange(set, low, high)
      else set = unite(addRange(addRange(set, low, low), 45, 45), high)
    }
    this.at += 1
    const folded = isFolded ? foldSet(set) : set
    return isNegated ? complement(folded) : folded
  }

  private readSetItem(): ByteSet | number {
    const posix = this.match(/\[:(\^?)(\w+):\]/y)
    if (posix?.[2] !== undefined) {
      const named = POSIX[posix[2]]
      if (named === undefined) throw new PatternError(`unknown class ${posix[2]}`)
      return posix[1] === '^' ? complement(named) : named
    }
    const character = this.peek()
    this.at += 1
    if (character !== '\\') return character.charCodeAt(0) & 0xff
    const escaped = this.peek()
    const named = CLASSES[escaped]
    if (named !== undefined && escaped !== 'R' && escaped !== 'N') {
      this.at += 1
      return named
    }
    if (escaped === 'b') {
      this.at += 1
      return 8
    }
    return this.readEscapedByte()
  }
}

const SIMPLE = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] } as const

const boundsOf = (
  from: string,
  comma: string | undefined,
  to: string | undefined,
): readonly [number, number] => [
  Number(from),
  comma === undefined ? Number(from) : to === undefined || to === '' ? Infinity : Number(to),
]

function changeFlags(flags: Flags, on: string | undefined, off: string | undefined): Flags {
  const read = (letter: string, current: boolean): boolean =>
    off?.includes(letter) === true ? false : on?.includes(letter) === true ? true : current
  return {
    isFolded: read('i', flags.isFolded),
    isDotAll: read('s', flags.isDotAll),
    isMultiLine: read('m', flags.isMultiLine),
    isExtended: read('x', flags.isExtended),
  }
}

const sequenceOf = (items: readonly PatternNode[]): PatternNode =>
  items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'sequence', items }

function byteNode(byte: number, { isFolded }: Flags): PatternNode {
  const set = setOf([byte, byte])
  return { kind: 'set', set: isFolded ? foldSet(set) : set }
}
