// From the tree of a pattern to bytes. Unicode is off until `(?u)`: then `.` and classes mean one byte.
import { encodeScalar } from '../bytes.ts'
import { automatonBytes, type Hir } from './hir.ts'
import {
  complement,
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
  type Flag,
  type LiteralAst,
  PatternFault,
  type PatternSpan,
  type PerlClassName,
  type PropertyAst,
  type SetAst,
  type SetItemAst,
} from './syntax.ts'
import { foldUnicode, MAX_POINT, propertyRanges, unicodePerlClass } from './unicode.ts'
import { encodeRanges } from './utf8-sequences.ts'

type Flags = Readonly<Record<Flag, boolean>>

const INITIAL: Flags = { i: false, m: false, s: false, U: false, u: false, R: false, x: false }

const NEWLINE: Ranges = [[0x0a, 0x0a]]
const NEWLINES: Ranges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
]

/** Thrown for a pattern whose classes alone are larger than allowed. */
export class PatternTooBig {
  readonly maxBytes: number

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }
}

/**
 * The pattern as bytes. @throws PatternFault: it asks for Unicode where that is off, or for what we do not do.
 * @throws PatternTooBig: its Unicode classes alone take more than `maxBytes`
 */
export function translate(ast: Ast, maxBytes: number): Hir {
  return new Translator(maxBytes).visit(ast)
}

/** Holds the flags in force; a group restores them when it ends. */
class Translator {
  private flags = INITIAL
  private readonly maxBytes: number
  private usedBytes = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
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
        return this.choice(this.negate(this.flags.s ? [] : this.flags.R ? NEWLINES : NEWLINE))
      case 'perl':
      case 'property':
        return this.choice(this.item(ast))
      case 'bracket':
        return this.choice(this.item(ast))
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

  private literal(ast: LiteralAst): Hir {
    const isRawByte = ast.isByte && !this.flags.u
    const isFolded = this.flags.i && (this.flags.u || ast.point < 0x80)
    if (isFolded) {
      const folded = this.fold([[ast.point, ast.point]])
      if (folded.length > 1 || folded[0]?.[0] !== folded[0]?.[1]) return this.choice(folded)
    }
    return { kind: 'literal', bytes: isRawByte ? String.fromCharCode(ast.point) : encodeScalar(ast.point) }
  }

  /** One element of the set: a byte, or the UTF-8 of a code point. */
  private choice(ranges: Ranges): Hir {
    if (!this.flags.u) return { kind: 'set', ranges }
    const hir = encodeRanges(ranges)
    this.usedBytes += automatonBytes(hir)
    if (this.usedBytes > this.maxBytes) throw new PatternTooBig(this.maxBytes)
    return hir
  }

  private fold(ranges: Ranges): Ranges {
    if (!this.flags.i) return ranges
    return this.flags.u ? foldUnicode(ranges) : foldAscii(ranges)
  }

  private get top(): number {
    return this.flags.u ? MAX_POINT : 0xff
  }

  private negate(ranges: Ranges): Ranges {
    return complement(ranges, this.top)
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
        return this.signed(this.fold(ASCII_CLASSES[ast.name] ?? []), ast.negated)
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
    if (ast.kind === 'union') return normalise(ast.items.flatMap((item) => [...this.item(item)]))
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

const fault = (reason: string, span: PatternSpan) => new PatternFault(reason, span.start, span.end)
const unicodeNotAllowed = (span: PatternSpan) => fault('Unicode not allowed here', span)

/** `gc=L`, `script:Greek`, `L`; `!=` turns the class round. */
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
