// Sections of a script that are also analyzed separately: hostile code before or after a library is a small part of
// the whole.
import { parseSource } from './syntax-tree.ts'

export interface Part {
  readonly source: string
  /** Counted from 1. */
  readonly firstLine: number
  readonly lastLine: number
}

/** Shorter scripts are only analyzed as a whole. */
const MIN_WHOLE = 2500
const MIN_PART = 60
const MAX_PART = 40_000
/** A section that is nearly the whole adds nothing. */
const MAX_SHARE = 0.75
/** Maximum characters of statements at either end. */
const END_LENGTH = 5000
const MAX_PARTS = 3

/** What a section must contain to be analyzed: code that sends, loads, redirects or decodes. */
const ACTS =
  /\bsrc\b|action\b|fetch|XMLHttp|[sS]end|Socket|\beval\b|Function\s*\(|atob|fromCharCode|location|createElement|document\s*\.\s*write|\.\s*(?:ajax|post|get)\s*\(|unescape|_0x|\\x[\da-f]{2}|Anonymous|ActiveX/u

interface Stretch {
  readonly start: number
  readonly end: number
}

/**
 * The code before and after the longest statement, and the statements at both ends; at most three, the last ones
 * first.
 */
export function partsOf(source: string): readonly Part[] {
  if (source.length < MIN_WHOLE) return []
  const statements = statementsOf(source)
  const [first] = statements
  const last = statements.at(-1)
  if (first === undefined || last === undefined || statements.length < 2) return []
  const longest = statements.reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a))
  const tail = statements.findLast(({ start }) => last.end - start > END_LENGTH)
  const scriptClass = statements.find(({ end }) => end - first.start > END_LENGTH)
  const stretches = [
    { start: longest.end, end: last.end },
    { start: tail?.end ?? last.start, end: last.end },
    { start: first.start, end: longest.start },
    { start: first.start, end: scriptClass?.start ?? first.end },
  ]
  const parts = new Map<string, Stretch>()
  for (const stretch of stretches) {
    const length = stretch.end - stretch.start
    const text = source.slice(stretch.start, stretch.end)
    const isFit = length >= MIN_PART && length <= Math.min(MAX_PART, source.length * MAX_SHARE)
    if (isFit && parts.size < MAX_PARTS && ACTS.test(text)) parts.set(text, stretch)
  }
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length
  return [...parts].map(([text, { start, end }]) => ({
    source: text,
    firstLine: lineAt(start + (text.length - text.trimStart().length)),
    lastLine: lineAt(end),
  }))
}

function statementsOf(source: string): readonly Stretch[] {
  const program = parseSource(source)
  if (program === null) return []
  return program.body.flatMap(({ start, end }) =>
    start === undefined || end === undefined ? [] : [{ start, end }],
  )
}
