// Sections of a script that are also analyzed separately, because hostile code in a library or a bundle is a small
// part of the whole. Of a script that is too long to be interpreted, only sections are analyzed.
import { type Block, scanBlocks } from './blocks.ts'
import { parseSource, statementsOf, type Stretch } from './syntax-tree.ts'

export interface Part {
  readonly source: string
  /** Counted from 1. */
  readonly firstLine: number
  readonly firstColumn: number
  readonly lastLine: number
}

/** Sections of a script that is too long to be interpreted. */
export interface LongParts {
  readonly parts: readonly Part[]
  /** Sections with the same marks that were not analyzed, because there are too many; those with the most marks first. */
  readonly left: readonly Omit<Part, 'source'>[]
}

/** Shorter scripts are only analyzed as a whole. */
const MIN_WHOLE = 2500
const MIN_PART = 60
const MAX_PART = 40_000
/** A section that is nearly the whole adds nothing. */
const MAX_SHARE = 0.75
/** Maximum characters of statements at either end. */
const END_LENGTH = 5000
const MAX_ENDS = 3
/** Characters of one module; larger blocks are divided into the blocks in them. */
const MAX_MODULE = 8000
const MIN_MODULE = 150
const MAX_MODULES = 6
const MAX_CLOSING = 100
/** For a script that is too long to be interpreted as a whole. */
const MAX_MODULES_OF_LONG = 20
const MAX_LENGTH_OF_LONG = 100_000
/** Modules whose marks are looked for. */
const MAX_LOOKED_AT = 60_000

/** What a section must contain to be analyzed: code that sends, loads, redirects, decodes or asks a wallet. */
const ACTS =
  /\bsrc\b|action\b|fetch|XMLHttp|[sS]end|Socket|\beval\b|Function\s*\(|atob|fromCharCode|location|createElement|document\s*\.\s*write|\.\s*(?:ajax|post|get)\s*\(|unescape|_0x|\\x[\da-f]{2}|Anonymous|ActiveX|\bethereum\b|\bsolana\b|\btronWeb\b|[sS]igner\b|[tT]ransaction\b/u

/** Marks of a module; modules with more kinds of them are analyzed first. */
const MARKS: readonly (readonly [weight: number, pattern: RegExp])[] = [
  [
    2,
    /\.(?:value|val|serialize(?:Array)?|cookie)\b|\bFormData\b|key(?:press|down|up)\b|clipboard|\b(?:local|session)Storage\b/u,
  ],
  [
    2,
    /\bfetch\s*\(|XMLHttp|sendBeacon|WebSocket|new Image|\.src\s*=|\.\s*(?:ajax|post|getScript)\s*\(|\.action\s*=|\.submit\s*\(/u,
  ],
  [2, /card|\bcc[-_.]|cvv|cvc\d?\b|checkout|billing|payment|expir|passw/iu],
  [2, /\batob\b|fromCharCode|unescape|\\x[\da-f]{2}\\x|_0x[\da-f]{2}|charCodeAt/u],
  [2, /\beval\s*\(|Function\s*\(|document\s*\.\s*write|createElement\s*\(\s*["'](?:script|iframe)/u],
  [2, /\bethereum\b|\beth_|approve|sendTransaction|seed ?phrase|mnemonic|\bpermit/iu],
  [2, /Anonymous\s*\(|hashes?per|stratum|job_id|ActiveX|WScript|shellcode|powershell|clsid/iu],
  [1, /https?:\\?\/\\?\/|["'`]\/\/[\w-]+\.|wss?:\/\//u],
  [1, /[A-Za-z\d+/=]{120}/u],
]
/** A section that is only read if it has marks of two kinds. */
const LEAST_MARKS = 3

/**
 * The modules with the most marks; then the code before and after the longest statement, and the statements at both
 * ends, at most three, the last ones first.
 */
export function partsOf(source: string, program = parseSource(source)): readonly Part[] {
  if (source.length < MIN_WHOLE) return []
  const ends = endsOf(source, statementsOf(program))
  if (source.length < MAX_MODULE) return ends
  const modules = rankModules(source, Math.min(MAX_MODULE, source.length * MAX_SHARE))
  const taken = modules.slice(0, MAX_MODULES).map(({ stretch }) => stretch)
  return [...toParts(source, taken), ...ends]
}

/** The sections of a script that is too long to be interpreted: those with the most marks, and its ends. */
export function longPartsOf(source: string): LongParts {
  const lastLines = source.indexOf('\n', source.length - END_LENGTH) + 1
  const ends = [
    { start: 0, end: endOfStatement(source, 0, END_LENGTH) },
    { start: lastLines === 0 ? source.length - END_LENGTH : lastLines, end: source.length },
  ]
  const taken: Stretch[] = []
  const left: Stretch[] = []
  let length = 0
  for (const { stretch } of rankModules(source, MAX_MODULE)) {
    const isIn = taken.length < MAX_MODULES_OF_LONG && length < MAX_LENGTH_OF_LONG
    if (isIn) {
      taken.push(stretch)
      length += stretch.end - stretch.start
    } else left.push(stretch)
  }
  return { parts: toParts(source, [...ends, ...taken]), left: toParts(source, left) }
}

interface Ranked {
  readonly stretch: Stretch
  readonly marks: number
}

/** The modules with marks of several kinds, most marks first. */
function rankModules(source: string, most: number): readonly Ranked[] {
  return modulesOf(source, scanBlocks(source).root, most)
    .slice(0, MAX_LOOKED_AT)
    .map((stretch) => ({ stretch, marks: marksOf(source.slice(stretch.start, stretch.end)) }))
    .filter(({ marks }) => marks >= LEAST_MARKS)
    .toSorted((a, b) => b.marks - a.marks)
}

const marksOf = (text: string): number =>
  MARKS.reduce((sum, [weight, pattern]) => sum + (pattern.test(text) ? weight : 0), 0)

/** The largest blocks of at most `most` characters, and the code between them, all in source order. */
function modulesOf(source: string, root: Block, most: number): readonly Stretch[] {
  const found: Stretch[] = []
  const between = (start: number, end: number): void => {
    // What ends the block before it does not belong to it.
    const [closing = ''] = /^[\s)\]},;]*/u.exec(source.slice(start, start + MAX_CLOSING)) ?? []
    for (let at = start + closing.length; at < end;) {
      const to = end - at <= most ? end : endOfStatement(source, at, at + most)
      if (to - at >= MIN_PART) found.push({ start: at, end: to })
      at = to
    }
  }
  const waiting: Block[] = [root]
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    let at = block.start
    for (const child of block.children) {
      const length = child.end - child.start
      if (length < MIN_MODULE) continue
      between(at, child.start)
      at = child.end
      if (length <= most) found.push(child)
      else waiting.push(child)
    }
    between(at, block.end)
  }
  return found.toSorted((a, b) => a.start - b.start)
}

/** The last end of a line, otherwise of a statement, before `most`. */
function endOfStatement(source: string, start: number, most: number): number {
  const text = source.slice(start, most)
  const half = text.length / 2
  const end = ['\n', ';', '}'].map((mark) => text.lastIndexOf(mark)).find((at) => at > half)
  return end === undefined ? most : start + end + 1
}

/** The code before and after the longest statement, and the statements at both ends. */
function endsOf(source: string, statements: readonly Stretch[]): readonly Part[] {
  const [first] = statements
  const last = statements.at(-1)
  if (first === undefined || last === undefined || statements.length < 2) return []
  const longest = statements.reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a))
  const tail = statements.findLast(({ start }) => last.end - start > END_LENGTH)
  const head = statements.find(({ end }) => end - first.start > END_LENGTH)
  const stretches = [
    { start: longest.end, end: last.end },
    { start: tail?.end ?? last.start, end: last.end },
    { start: first.start, end: longest.start },
    { start: first.start, end: head?.start ?? first.end },
  ]
  const most = Math.min(MAX_PART, source.length * MAX_SHARE)
  const fit = stretches.filter(({ start, end }) => end - start >= MIN_PART && end - start <= most)
  const parts = new Map<string, Stretch>()
  for (const stretch of fit) {
    const text = source.slice(stretch.start, stretch.end)
    if (parts.size < MAX_ENDS && ACTS.test(text)) parts.set(text, stretch)
  }
  return toParts(source, [...parts.values()])
}

/** With the lines of each stretch. */
function toParts(source: string, stretches: readonly Stretch[]): readonly Part[] {
  const lineAt = lineCounter(source)
  return stretches.map(({ start, end }) => {
    const whole = source.slice(start, end)
    const text = whole.trimStart()
    const from = end - text.length
    return {
      // Where a block begins, a section ends: it is closed, so that the cut does not look like broken code.
      source: text.endsWith('{') ? `${text}}` : text,
      firstLine: lineAt(from),
      firstColumn: from - source.lastIndexOf('\n', from - 1),
      lastLine: lineAt(end),
    }
  })
}

/** Counts lines up to an offset; the line breaks are searched once. */
function lineCounter(source: string): (offset: number) => number {
  let breaks: readonly number[] | null = null
  return (offset) => {
    breaks ??= Array.from(source.matchAll(/\n/gu), ({ index }) => index)
    let [low, high] = [0, breaks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((breaks[middle] ?? offset) < offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}
