// Regular expressions: the Rust dialect, matched over bytes in linear time.
import { RE2JS } from 're2js'
import type { Bytes } from './bytes.ts'
import { emit, needsLookBehind } from './regex/emit.ts'
import { automatonBytes, type Hir, type Look, shortestMatch } from './regex/hir.ts'
import { parsePattern } from './regex/parser.ts'
import { describeFault, PatternFault } from './regex/syntax.ts'
import { PatternTooBig, translate } from './regex/translate.ts'

/** A parsed pattern within the limits. It is compiled for the first text that could match. */
export type Regex = {
  readonly pattern: string
  /** The estimated size of its automaton. */
  readonly sizeBytes: number
  /** The pattern reduced to bytes. */
  readonly hir: Hir
  readonly test: (text: Bytes) => boolean
  /** The match and its groups, with the position of the match; undefined without a match. */
  readonly find: (text: Bytes) => RegexMatch | undefined
}

export type RegexMatch = {
  readonly start: number
  readonly end: number
  readonly groups: readonly (Bytes | undefined)[]
}

/**
 * Parses a pattern: Rust syntax, Unicode off unless `(?u)`, unanchored. Look-around and back-references do not exist;
 * Unicode word boundaries and multi-line CRLF mode are refused by name.
 * @returns the regex, or the error text
 */
export function parseRegex(pattern: string, maxBytes: number): Regex | string {
  let hir: Hir
  try {
    hir = translate(parsePattern(pattern), maxBytes)
  } catch (error) {
    if (error instanceof PatternFault) return describeFault(pattern, error)
    if (error instanceof PatternTooBig) return tooBig(error.maxBytes)
    throw error
  }
  const sizeBytes = automatonBytes(hir)
  if (sizeBytes > maxBytes) return tooBig(maxBytes)
  return { pattern, sizeBytes, hir, ...matcherOf(hir) }
}

const tooBig = (maxBytes: number): string => `Compiled regex exceeds size limit of ${maxBytes} bytes.`

function matcherOf(hir: Hir): Pick<Regex, 'test' | 'find'> {
  const shortest = shortestMatch(hir)
  let engine: RE2JS | undefined
  const compileOnce = (): RE2JS =>
    (engine ??= RE2JS.compile(emit(hir), needsLookBehind(hir) ? RE2JS.LOOKBEHINDS : 0))
  return {
    test: literalTest(hir) ?? ((text) => text.length >= shortest && compileOnce().test(text)),
    find: (text) => (text.length < shortest ? undefined : findFirst(compileOnce(), text)),
  }
}

function findFirst(engine: RE2JS, text: Bytes): RegexMatch | undefined {
  const matcher = engine.matcher(text)
  if (!matcher.find()) return undefined
  const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, i) => matcher.group(i) ?? undefined)
  return { start: matcher.start(), end: matcher.end(), groups }
}

const isAnchor = (item: Hir | undefined, look: Look): boolean => item?.kind === 'look' && item.look === look

/** Plain text with or without anchors needs no automaton. */
function literalTest(hir: Hir): ((text: Bytes) => boolean) | undefined {
  const items = hir.kind === 'concat' ? hir.items : [hir]
  const fromStart = isAnchor(items[0], 'start-text')
  const toEnd = isAnchor(items.at(-1), 'end-text')
  const body = items.slice(fromStart ? 1 : 0, toEnd ? -1 : undefined)
  const [only] = body
  if (body.length > 1 || (only !== undefined && only.kind !== 'literal')) return undefined
  const literal = only?.bytes ?? '' // only anchors
  if (fromStart && toEnd) return (text) => text === literal
  if (fromStart) return (text) => text.startsWith(literal)
  if (toEnd) return (text) => text.endsWith(literal)
  return only === undefined ? undefined : (text) => text.includes(literal)
}
