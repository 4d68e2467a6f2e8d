// Translates the tree of a pattern to bytes. Unicode is off until `(?u)`: without it `.` and classes match one byte.
import { encodeScalar } from '../bytes.ts'
import type { ClassHir, Hir } from './hir.ts'
import {
  complement,
  FEW_RANGES,
  foldAscii,
  intersect,
  normalise,
  type Range,
  type Ranges,
  subtract,
  unite,
} from './ranges.ts'
import {
  type Assertion,
  type Ast,
  type BracketAst,
  type Flag,
  type LiteralAst,
  PatternFault,
  type PatternSpan,
  type PerlClassName,
  type PropertyAst,
  type SetAst,
  type SetItemAst,
} from './syntax.ts'
import { casesOf, foldUnicode, mostAdded } from './folding.ts'
import { MAX_POINT, negateUnicode, propertyRanges, unicodePerlClass } from './unicode.ts'
import { classOf, unreadClass } from './utf8-sequences.ts'

type Flags = Readonly<Record<Flag, boolean>>

const INITIAL: Flags = { i: false, m: false, s: false, U: false, u: false, R: false, x: false }

const NOTHING: Ranges = []
const NEWLINE: Ranges = [[0x0a, 0x0a]]
const NEWLINES: Ranges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
]

/** The code points of `.`, by what it excludes. */
const DOTS = new Map<Ranges, Ranges>()

/** Average maximum size of a range, and of an additional code point, in an automaton. */
const RANGE_BYTES = 512
const POINT_BYTES = 128

/** The size of a class: its ranges, and its automaton. */
type Weight = { readonly ranges: number; readonly bytes: number }

const add = (a: Weight, b: Weight): Weight => ({ ranges: a.ranges + b.ranges, bytes: a.bytes + b.bytes })

/** Thrown for a pattern whose classes alone are larger than allowed. */
export class PatternTooBig {
  readonly maxBytes: number

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }
}

/**
 * The pattern as bytes. @throws PatternFault if it needs Unicode where that is off, or something unsupported.
 * @throws PatternTooBig if its Unicode classes alone take more than `maxBytes`
 */
export function translate(ast: Ast, maxBytes: number): Hir {
  return new Translator(maxBytes, INITIAL).visit(ast)
}

/** Holds the current flags; a group restores them when it ends. */
class Translator {
  private flags: Flags
  private readonly maxBytes: number
  private usedBytes = 0

  constructor(maxBytes: number, flags: Flags) {
    this.maxBytes = maxBytes
    this.flags = flags
  }

  visit(ast: Ast): Hir {
    switch (ast.kind) {
      case 'empty':
        return { kind: 'empty' }
      case 'flags':
        this.flags = { ...this.flags, ...Object.fromEntries(ast.changes) }
        return { kind: 'empty' }
      case 'literal':
        return this.literal(ast)
      case 'dot':
        return this.dot()
      case 'perl':
      case 'property':
        return this.choice(this.item(ast))
      case 'bracket':
        return this.bracket(ast)
      case 'assertion':
        return { kind: 'look', look: this.look(ast.assertion, ast.span) }
      case 'repeat':
        return {
          kind: 'repeat',
          item: this.visit(ast.item),
          min: ast.min,
          max: ast.max,
          greedy: ast.greedy !== this.flags.U,
        }
      case 'group':
        return this.group(ast)
      case 'concat':
        return joinLiterals(ast.items.map((item) => this.visit(item)))
      case 'alternation':
        return { kind: 'alternation', items: ast.items.map((item) => this.visit(item)) }
    }
  }

  private group(ast: Extract<Ast, { kind: 'group' }>): Hir {
    const outer = this.flags
    this.flags = { ...outer, ...Object.fromEntries(ast.changes) }
    const item = this.visit(ast.item)
    this.flags = outer
    return ast.captures ? { kind: 'capture', item } : item
  }

  private dot(): Hir {
    const left = this.flags.s ? NOTHING : this.flags.R ? NEWLINES : NEWLINE
    if (!this.flags.u) return this.choice(this.negate(left))
    const ranges = DOTS.get(left) ?? this.negate(left)
    DOTS.set(left, ranges)
    return this.charge(classOf(ranges, true))
  }

  private literal(ast: LiteralAst): Hir {
    const isRawByte = ast.isByte && !this.flags.u
    if (this.flags.i && this.flags.u) {
      const cases = casesOf(ast.point)
      if (cases !== undefined) return this.charge(classOf(cases, true))
    } else if (this.flags.i && ast.point < 0x80) {
      const folded = foldAscii([[ast.point, ast.point]])
      if (folded.length > 1) return this.choice(folded)
    }
    return { kind: 'literal', bytes: isRawByte ? String.fromCharCode(ast.point) : encodeScalar(ast.point) }
  }

  /** One element of the set: a byte, or the UTF-8 of a code point. */
  private choice(ranges: Ranges): Hir {
    return this.flags.u ? this.charge(classOf(ranges)) : { kind: 'set', ranges }
  }

  private charge(hir: ClassHir): Hir {
    this.usedBytes += hir.sizeBytes
    if (this.usedBytes > this.maxBytes) throw new PatternTooBig(this.maxBytes)
    return hir
  }

  /** A class with one table is identified by it; small ones are computed, and large ones only on demand. */
  private bracket(ast: BracketAst): Hir {
    if (!this.flags.u) return this.choice(this.item(ast))
    const { ranges, bytes } = this.weigh(ast)
    if (ranges <= FEW_RANGES || isTable(ast)) return this.choice(this.item(ast))
    const { flags } = this
    const read = () => new Translator(Number.POSITIVE_INFINITY, flags).item(ast)
    return this.charge(unreadClass(bytes, read))
  }

  /** An estimate that takes time for each member, but not for its code points. It finds every error. */
  private weigh(ast: SetItemAst): Weight {
    switch (ast.kind) {
      case 'literal':
        return this.weighRange(this.member(ast), ast.point)
      case 'range':
        return this.weighRange(this.member(ast.first), this.member(ast.last))
      case 'bracket':
        return add(this.weighSet(ast.set), ast.negated ? ALL_WEIGHT : NO_WEIGHT)
      default: {
        const ranges = this.fold(this.item(ast))
        return { ranges: ranges.length, bytes: classOf(ranges).sizeBytes }
      }
    }
  }

  private weighSet(ast: SetAst): Weight {
    if (ast.kind === 'operation') return add(this.weighSet(ast.lhs), this.weighSet(ast.rhs))
    return ast.items.reduce((sum, item) => add(sum, this.weigh(item)), NO_WEIGHT)
  }

  private weighRange(first: number, last: number): Weight {
    const added = this.flags.i ? mostAdded(first, last) : 0
    const own = first === last ? POINT_BYTES : RANGE_BYTES
    return { ranges: 1 + added, bytes: own + added * POINT_BYTES }
  }

  private fold(ranges: Ranges): Ranges {
    if (!this.flags.i) return ranges
    return this.flags.u ? foldUnicode(ranges) : foldAscii(ranges)
  }

  private get top(): number {
    return this.flags.u ? MAX_POINT : 0xff
  }

  private negate(ranges: Ranges): Ranges {
    return this.flags.u ? negateUnicode(ranges) : complement(ranges, this.top)
  }

  private item(ast: SetItemAst): Ranges {
    switch (ast.kind) {
      case 'literal':
        return [[this.member(ast), this.member(ast)]]
      case 'range':
        return [[this.member(ast.first), this.member(ast.last)]]
      case 'perl':
        return this.signed(this.flags.u ? unicodePerlClass(ast.name) : PERL_CLASSES[ast.name], ast.negated)
      case 'ascii':
        return this.signed(this.fold(ASCII_CLASSES[ast.name] ?? NOTHING), ast.negated)
      case 'property':
        return this.signed(this.fold(this.property(ast)), ast.negated)
      case 'bracket':
        return this.signed(this.fold(this.set(ast.set)), ast.negated)
    }
  }

  private signed(ranges: Ranges, negated: boolean): Ranges {
    return negated ? this.negate(ranges) : ranges
  }

  private member(ast: LiteralAst): number {
    if (!this.flags.u && ast.point > 0x7f && !ast.isByte) throw unicodeNotAllowed(ast.span)
    return ast.point
  }

  private property(ast: PropertyAst): Ranges {
    if (!this.flags.u) throw unicodeNotAllowed(ast.span)
    const { name, isOpposite } = splitProperty(ast.name)
    const ranges = propertyRanges(name)
    if (ranges === undefined) throw fault('Unicode property not found', ast.span)
    return isOpposite ? this.negate(ranges) : ranges
  }

  private set(ast: SetAst): Ranges {
    if (ast.kind === 'union') {
      const [only] = ast.items
      if (only !== undefined && ast.items.length === 1) return this.item(only)
      return normalise(ast.items.flatMap((item) => [...this.item(item)]))
    }
    const lhs = this.fold(this.set(ast.lhs))
    const rhs = this.fold(this.set(ast.rhs))
    if (ast.op === '&&') return intersect(lhs, rhs)
    const left = subtract(lhs, rhs, this.top)
    return ast.op === '--' ? left : unite(left, subtract(rhs, lhs, this.top))
  }

  private look(assertion: Assertion, span: PatternSpan): Assertion {
    const isLine = assertion === 'start-line' || assertion === 'end-line'
    if (isLine && !this.flags.m) return assertion === 'start-line' ? 'start-text' : 'end-text'
    if (isLine && this.flags.R) throw fault('multi-line mode with CRLF line ends is not supported', span)
    const isBoundary = !isLine && assertion !== 'start-text' && assertion !== 'end-text'
    if (isBoundary && this.flags.u)
      throw fault('Unicode word boundaries are not supported, write (?-u:\\b)', span)
    return assertion
  }
}

/** True if the brackets contain only a named table. */
function isTable(ast: SetItemAst): boolean {
  if (ast.kind !== 'bracket') return ast.kind !== 'literal' && ast.kind !== 'range'
  const [only] = ast.set.kind === 'union' ? ast.set.items : []
  return only !== undefined && ast.set.kind === 'union' && ast.set.items.length === 1 && isTable(only)
}

const NO_WEIGHT: Weight = { ranges: 0, bytes: 0 }
const ALL_WEIGHT: Weight = { ranges: 1, bytes: RANGE_BYTES }

const fault = (reason: string, span: PatternSpan) => new PatternFault(reason, span.start, span.end)
const unicodeNotAllowed = (span: PatternSpan) => fault('Unicode not allowed here', span)

/** `gc=L`, `script:Greek`, `L`; `!=` negates the class. */
function splitProperty(text: string): { name: string; isOpposite: boolean } {
  for (const separator of ['!=', ':', '=']) {
    const at = text.indexOf(separator)
    if (at !== -1) return { name: text.slice(at + separator.length), isOpposite: separator === '!=' }
  }
  return { name: text, isOpposite: false }
}

function joinLiterals(items: readonly Hir[]): Hir {
  const out: Hir[] = []
  for (const item of items) {
    const previous = out.at(-1)
    if (item.kind === 'literal' && previous?.kind === 'literal') {
      out[out.length - 1] = { kind: 'literal', bytes: previous.bytes + item.bytes }
    } else if (item.kind !== 'empty') out.push(item)
  }
  const [only] = out
  if (only === undefined) return { kind: 'empty' }
  return out.length === 1 ? only : { kind: 'concat', items: out }
}

const DIGIT: Range = [0x30, 0x39]
const UPPER: Range = [0x41, 0x5a]
const LOWER: Range = [0x61, 0x7a]
const UNDERSCORE: Range = [0x5f, 0x5f]

const SPACE: Ranges = [
  [0x09, 0x0d],
  [0x20, 0x20],
]

const PERL_CLASSES: Readonly<Record<PerlClassName, Ranges>> = {
  d: [DIGIT],
  s: SPACE,
  w: [DIGIT, UPPER, UNDERSCORE, LOWER],
}

const ASCII_CLASSES: Readonly<Record<string, Ranges>> = {
  alnum: [DIGIT, UPPER, LOWER],
  alpha: [UPPER, LOWER],
  ascii: [[0, 0x7f]],
  blank: [
    [0x09, 0x09],
    [0x20, 0x20],
  ],
  cntrl: [
    [0, 0x1f],
    [0x7f, 0x7f],
  ],
  digit: [DIGIT],
  graph: [[0x21, 0x7e]],
  lower: [LOWER],
  print: [[0x20, 0x7e]],
  punct: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ],
  space: SPACE,
  upper: [UPPER],
  word: [DIGIT, UPPER, UNDERSCORE, LOWER],
  xdigit: [DIGIT, [0x41, 0x46], [0x61, 0x66]],
}
