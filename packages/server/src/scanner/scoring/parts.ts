// Stretches of a script that are looked at on their own, too: hostile code before or behind somebody's library is a small part of the whole.
import { parseSource } from './syntax-tree.ts'

export interface Part {
  readonly source: string
  /** Counted from 1. */
  readonly firstLine: number
  readonly lastLine: number
}

/** Below that length the whole says enough. */
const MIN_WHOLE = 2500
const MIN_PART = 60
const MAX_PART = 40_000
/** A stretch that is nearly the whole says nothing that the whole does not. */
const MAX_SHARE = 0.75
/** Statements at either end, as many as fit. */
const END_LENGTH = 5000
const MAX_PARTS = 3

/** What a stretch must have in it to be worth a look: something that sends, loads, leads elsewhere or decodes. */
const ACTS =
  /\bsrc\b|action\b|fetch|XMLHttp|[sS]end|Socket|\beval\b|Function\s*\(|atob|fromCharCode|location|createElement|document\s*\.\s*write|\.\s*(?:ajax|post|get)\s*\(|unescape|_0x|\\x[\da-f]{2}|Anonymous|ActiveX/u

interface Stretch {
  readonly start: number
  readonly end: number
}

/** What stands before and behind the longest statement, and the statements at both ends; at most three, the last ones first. */
export function partsOf(source: string): readonly Part[] {
  if (source.length < MIN_WHOLE) return []
  const statements = statementsOf(source)
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
  return (parseSource(source)?.body ?? []).flatMap(({ start, end }) =>
    start === undefined || end === undefined ? [] : [{ start, end }],
  )
}
