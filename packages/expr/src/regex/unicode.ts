// Unicode tables. They are those of the regular-expression engine: a class is compiled and its ranges are read back,
// so that no table is shipped twice.
import { elementAt } from '../checked-reads.ts'
import { RE2JS } from 're2js'
import { inheritClosure } from './folding.ts'
import { complement, FEW_RANGES, normalise, type Range, type Ranges, subtract, unite } from './ranges.ts'

export const MAX_POINT = 0x10ffff

/** A code point that no property contains; with it a class is never reduced to a single letter. */
const SENTINEL = MAX_POINT

const RUNE_INSTRUCTION = 8

/** The parts of the engine's program that are used here; the engine does not type them. */
type Instruction = { readonly op: number; readonly runes: readonly number[] }

/** Properties by lower-case name. Only existing names are cached, so the cache is bounded. */
const cache = new Map<string, Ranges>()

const ANY: Ranges = [[0, MAX_POINT]]
const ASCII: Ranges = [[0, 0x7f]]

/**
 * The code points of a general category or script (`L`, `Greek`), or undefined for an unknown name. Computed once.
 */
export function propertyRanges(name: string): Ranges | undefined {
  const key = PROPERTY_ALIASES[simplify(name)] ?? name
  if (key === 'any') return ANY
  if (key === 'ascii') return ASCII
  if (!isPropertyName(key)) return undefined
  const known = cache.get(key.toLowerCase())
  if (known !== undefined) return known
  const ranges = readClass(`\\p{${key}}`)
  if (ranges !== undefined) cache.set(key.toLowerCase(), ranges)
  return ranges
}

function isPropertyName(name: string): boolean {
  for (const c of name) if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c === '_')) return false
  return name !== ''
}

/** Unicode's loose matching: ignores case, spaces, hyphens and underscores. */
const simplify = (name: string): string =>
  name.toLowerCase().replaceAll('_', '').replaceAll('-', '').replaceAll(' ', '')

const PROPERTY_ALIASES: Readonly<Record<string, string>> = {
  any: 'any',
  ascii: 'ascii',
  letter: 'L',
  l: 'L',
  uppercaseletter: 'Lu',
  lu: 'Lu',
  lowercaseletter: 'Ll',
  ll: 'Ll',
  titlecaseletter: 'Lt',
  modifierletter: 'Lm',
  otherletter: 'Lo',
  mark: 'M',
  m: 'M',
  number: 'N',
  n: 'N',
  decimalnumber: 'Nd',
  nd: 'Nd',
  digit: 'Nd',
  letternumber: 'Nl',
  othernumber: 'No',
  punctuation: 'P',
  punct: 'P',
  p: 'P',
  symbol: 'S',
  s: 'S',
  separator: 'Z',
  z: 'Z',
  other: 'C',
  c: 'C',
  control: 'Cc',
  cntrl: 'Cc',
  greek: 'Greek',
  latin: 'Latin',
  cyrillic: 'Cyrillic',
  han: 'Han',
  hebrew: 'Hebrew',
  arabic: 'Arabic',
  hiragana: 'Hiragana',
  katakana: 'Katakana',
  hangul: 'Hangul',
  thai: 'Thai',
}

const complements = new WeakMap<Ranges, Ranges>()

/** Every code point that is not in the set, computed once for each large array. */
export function negateUnicode(ranges: Ranges): Ranges {
  if (ranges.length <= FEW_RANGES) return complement(ranges, MAX_POINT)
  let out = complements.get(ranges)
  if (out === undefined) {
    out = complement(ranges, MAX_POINT)
    complements.set(ranges, out)
    complements.set(out, ranges)
    inheritClosure(ranges, out)
  }
  return out
}

/** The ranges of one class, given in the engine's own syntax. */
function readClass(inside: string): Ranges | undefined {
  const text = `[${inside}\\x{${SENTINEL.toString(16)}}]`
  try {
    // The program is untyped in the engine's declarations; its shape is checked by a test.
    const instructions = RE2JS.compile(text).re2().prog.inst as readonly Instruction[]
    const classes = instructions.filter((instruction) => instruction.op === RUNE_INSTRUCTION)
    const found = classes.flatMap(({ runes }) => pairs(runes))
    return subtract(normalise(found), [[SENTINEL, SENTINEL]], MAX_POINT)
  } catch {
    // Only an unknown name can fail: the text is built from checked parts.
    return undefined
  }
}

function pairs(runes: readonly number[]): Range[] {
  const out: Range[] = []
  for (let i = 0; i < runes.length; i += 2) {
    const first = elementAt(runes, i)
    out.push([first, runes[i + 1] ?? first])
  }
  return out
}

const WHITE_SPACE: Ranges = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0x85, 0x85],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
]

/** Word characters that are not in category L: joiners and circled or squared letters. */
const EXTRA_WORD: Ranges = [
  [0x200c, 0x200d],
  [0x24b6, 0x24e9],
  [0x1f130, 0x1f149],
  [0x1f150, 0x1f169],
  [0x1f170, 0x1f189],
]

let wordRanges: Ranges | undefined

/** `\d`, `\s` and `\w` of Unicode (UTS 18, annex C). */
export function unicodePerlClass(name: 'd' | 's' | 'w'): Ranges {
  if (name === 's') return WHITE_SPACE
  if (name === 'd') return knownRanges('Nd')
  wordRanges ??= ['L', 'Nl', 'M', 'Nd', 'Pc'].reduce((all, part) => unite(all, knownRanges(part)), EXTRA_WORD)
  return wordRanges
}

function knownRanges(name: string): Ranges {
  const ranges = propertyRanges(name)
  if (ranges === undefined) throw new Error(`the engine does not know the class ${name}`)
  return ranges
}
