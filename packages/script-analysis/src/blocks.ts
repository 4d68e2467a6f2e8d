// Finds the blocks, comments and strings of a script without parsing it, in one pass over its characters: for scripts
// that are too long to be parsed, or that no parser accepts.

/** The contents of one pair of braces, without them. */
export interface Block {
  readonly start: number
  readonly end: number
  /** Blocks directly inside, in source order. */
  readonly children: readonly Block[]
}

export interface Scan {
  /** The whole text as a block. */
  readonly root: Block
  /** The text without comments, with line breaks and spaces reduced to one. Only if `trims` was set. */
  readonly trimmed: string
}

interface OpenBlock {
  readonly start: number
  readonly children: Block[]
}

/** Smaller blocks belong to the block around them. */
const MIN_BLOCK = 40
/** A template or a deeper nesting than this is not followed; the rest belongs to the block around it. */
const MAX_DEPTH = 2000
/** Whether a slash after these begins a regular expression. */
const BEFORE_PATTERN =
  /[(,=:[!&|?{};+\-*%<>~^\n]$|(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|else|do)$/u

/** What a condition in parentheses belongs to; a pattern may follow it. */
const CONDITION = /(?:^|[^\w$.])(?:if|while|for|with)$/u

/**
 * Finds blocks by their braces, outside strings, comments, templates and regular expressions. What it takes for a
 * regular expression is a guess from the preceding word, and ends at the line's end, as a string does.
 */
export function scanBlocks(source: string, trims = false): Scan {
  const open: OpenBlock[] = [{ start: 0, children: [] }]
  const trimmedChunks: string[] = []
  let from = 0
  /** Braces that are open, and how many were where the expressions of templates begin. */
  let depth = 0
  const inTemplates: number[] = []
  /** For each open parenthesis, whether it begins a condition; and where the last condition ended. */
  const conditions: boolean[] = []
  let endOfCondition = -1
  /** Slashes that were taken for the beginning of a pattern that does not end. */
  let failed = 0
  /** Offset after the last character that is neither whitespace nor comment. */
  let significant = 0
  let at = 0
  const drop = (to: number, gap: string): void => {
    if (trims) {
      if (at > from) trimmedChunks.push(source.slice(from, at), gap)
      // A gap of several spaces and comments is one gap.
      else if (gap === '\n' || trimmedChunks.length === 0)
        trimmedChunks[Math.max(0, trimmedChunks.length - 1)] = gap
    }
    from = to
    at = to
  }
  while (at < source.length) {
    const code = source.charCodeAt(at)
    if (code === 32 || (code >= 9 && code <= 13)) {
      const end = endOfWhitespace(source, at)
      drop(end, /[\n\r]/u.test(source.slice(at, end)) ? '\n' : ' ')
      continue
    }
    const next = source.charCodeAt(at + 1)
    if (code === SLASH && (next === SLASH || next === STAR)) {
      const end = next === STAR ? endOfComment(source, at) : endOfLine(source, at)
      drop(end, ' ')
      continue
    }
    if (code === OPEN) {
      if (open.length < MAX_DEPTH) open.push({ start: at + 1, children: [] })
      depth += 1
      at += 1
    } else if (code === BACKTICK || (code === CLOSE && inTemplates.at(-1) === depth)) {
      if (code === CLOSE) inTemplates.pop()
      at = endOfTemplateText(source, at + 1)
      if (source.startsWith('${', at - 2)) inTemplates.push(depth)
    } else if (code === CLOSE) {
      closeBlock(open, at)
      depth = Math.max(0, depth - 1)
      at += 1
    } else if (code === LEFT) {
      conditions.push(CONDITION.test(source.slice(Math.max(0, significant - 7), significant)))
      at += 1
    } else if (code === RIGHT) {
      at += 1
      if (conditions.pop() === true) endOfCondition = at
    } else if (code === SLASH) {
      const isPattern =
        significant === endOfCondition ||
        BEFORE_PATTERN.test(source.slice(Math.max(0, significant - 12), significant))
      const end = isPattern
        ? endOfPattern(source, at, failed < MAX_FAILED ? MAX_PATTERN : MAX_PATTERN_LATER)
        : at + 1
      if (isPattern && end === at + 1) failed += 1
      at = end
    } else at = QUOTES.has(code) ? endOfQuoted(source, at, code) : at + 1
    significant = at
  }
  if (trims) trimmedChunks.push(source.slice(from))
  while (open.length > 1) closeBlock(open, source.length)
  const [root] = open
  if (root === undefined) throw new Error('the outermost block was closed')
  return { root: { ...root, end: source.length }, trimmed: trimmedChunks.join('') }
}

const SLASH = 47
const STAR = 42
const LEFT = 40
const RIGHT = 41
const OPEN = 123
const CLOSE = 125
const BACKSLASH = 92
const QUOTES: ReadonlySet<number> = new Set([34, 39])
const BACKTICK = 96
const DOLLAR = 36

function closeBlock(open: OpenBlock[], end: number): void {
  if (open.length < 2) return
  const block = open.pop()
  if (block !== undefined && end - block.start >= MIN_BLOCK) open.at(-1)?.children.push({ ...block, end })
}

function endOfWhitespace(source: string, start: number): number {
  let at = start
  for (
    let code = source.charCodeAt(at);
    code === 32 || (code >= 9 && code <= 13);
    code = source.charCodeAt(at)
  )
    at += 1
  return at
}

function endOfLine(source: string, start: number): number {
  const end = source.indexOf('\n', start)
  return end === -1 ? source.length : end
}

function endOfComment(source: string, start: number): number {
  const end = source.indexOf('*/', start + 2)
  return end === -1 ? source.length : end + 2
}

/** Behind the backtick that ends a template, or behind `${`. */
function endOfTemplateText(source: string, start: number): number {
  for (let at = start; at < source.length; at += 1) {
    const code = source.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === BACKTICK) return at + 1
    else if (code === DOLLAR && source.charCodeAt(at + 1) === OPEN) return at + 2
  }
  return source.length
}

function endOfQuoted(source: string, start: number, quote: number): number {
  for (let at = start + 1; at < source.length; at += 1) {
    const code = source.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === quote) return at + 1
    else if (code === 10) return at
  }
  return source.length
}

/** Longer ones are not recognized, so that no character is looked at too often. */
const MAX_PATTERN = 2000
/** After so many that do not end, only shorter ones are recognized. */
const MAX_FAILED = 5000
const MAX_PATTERN_LATER = 50

function endOfPattern(source: string, start: number, longest: number): number {
  let isClass = false
  const last = Math.min(source.length, start + longest)
  for (let at = start + 1; at < last; at += 1) {
    const code = source.charCodeAt(at)
    if (code === 10) return start + 1
    if (code === BACKSLASH) at += 1
    else if (code === 91) isClass = true
    else if (code === 93) isClass = false
    else if (code === SLASH && !isClass) return at + 1
  }
  return start + 1
}
