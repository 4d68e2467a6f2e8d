// The difference between two versions of a script, in hunks, with code that only moved.
import { beautify, breakText } from './beautify.ts'
import { diffLines } from './diff-lines.ts'

export interface ScriptDiff {
  /** `syntax`: both are printed from their syntax; `text`: one cannot be parsed, and lines are broken by characters. */
  readonly form: 'syntax' | 'text'
  /** Lines of each kind, including those beyond the limit. */
  readonly added: number
  readonly removed: number
  readonly moved: number
  readonly hunks: readonly DiffHunk[]
  /** There are more lines than are shown, or a line was shortened. */
  readonly isShortened: boolean
}

export interface DiffHunk {
  /** Line numbers in the printed form, from 1. */
  readonly beforeLine: number
  readonly afterLine: number
  readonly lines: readonly ShownLine[]
}

export interface ShownLine {
  /** `moved_from` and `moved_to`: the same lines, elsewhere. */
  readonly kind: LineKind
  readonly text: string
}

type LineKind = 'same' | 'removed' | 'added' | 'moved_from' | 'moved_to'

interface PlacedLine {
  kind: LineKind
  readonly text: string
  readonly beforeLine: number
  readonly afterLine: number
}

const CONTEXT_LINES = 3
export const MAX_SHOWN_LINES = 4000
export const MAX_LINE_CHARACTERS = 500
/** Shorter runs of equal lines are coincidence: every script has `});` and `return;`. */
const MIN_MOVED_LINES = 3
const MIN_MOVED_CHARACTERS = 40
/** Places that a removed line is compared with. */
const MAX_CANDIDATES = 32

export function diffScripts(before: string, after: string): ScriptDiff {
  const printedBefore = beautify(before)
  const printedAfter = printedBefore && beautify(after)
  const isSyntax = printedBefore !== undefined && printedAfter !== undefined
  const lines = isSyntax
    ? placeLines(printedBefore, printedAfter)
    : placeLines(breakText(before), breakText(after))
  markMoved(lines)
  const count = (kind: LineKind) => lines.filter((line) => line.kind === kind).length
  return {
    form: isSyntax ? 'syntax' : 'text',
    added: count('added'),
    removed: count('removed'),
    moved: count('moved_to'),
    ...toHunks(lines),
  }
}

function placeLines(before: readonly string[], after: readonly string[]): PlacedLine[] {
  let [beforeLine, afterLine] = [1, 1]
  return diffLines(before, after).map(({ kind, text }) => {
    const line = { kind, text, beforeLine, afterLine }
    if (kind !== 'added') beforeLine += 1
    if (kind !== 'removed') afterLine += 1
    return line
  })
}

/** Finds, for each run of removed lines, the longest equal run of added lines. Indentation does not count. */
function markMoved(lines: readonly PlacedLine[]): void {
  const removed = lines.filter(({ kind }) => kind === 'removed')
  const added = lines.filter(({ kind }) => kind === 'added')
  const places = placesOf(added)
  for (let index = 0; index < removed.length;) {
    const candidates = places.get(removed[index]?.text.trim() ?? '') ?? [] // no added line is equal
    let best = { start: 0, length: 0 }
    for (const start of candidates) {
      const length = runLength(removed, index, added, start)
      if (length > best.length) best = { start, length }
    }
    const run = removed.slice(index, index + best.length)
    const characters = run.reduce((sum, { text }) => sum + text.trim().length, 0)
    if (best.length >= MIN_MOVED_LINES && characters >= MIN_MOVED_CHARACTERS) {
      for (const line of run) line.kind = 'moved_from'
      for (const line of added.slice(best.start, best.start + best.length)) line.kind = 'moved_to'
    }
    index += Math.max(1, best.length)
  }
}

/** The first indexes of each text. */
function placesOf(lines: readonly PlacedLine[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  lines.forEach((line, index) => {
    const text = line.text.trim()
    const known = places.get(text)
    if (known === undefined) places.set(text, [index])
    else if (known.length < MAX_CANDIDATES) known.push(index)
  })
  return places
}

/** Lines from both starts that are equal, adjacent in their version, and not marked yet. */
function runLength(
  removed: readonly PlacedLine[],
  removedStart: number,
  added: readonly PlacedLine[],
  addedStart: number,
): number {
  let length = 0
  for (;;) {
    const one = removed[removedStart + length]
    const other = added[addedStart + length]
    if (one === undefined || other === undefined || other.kind !== 'added') return length
    if (one.text.trim() !== other.text.trim()) return length
    const first = { one: removed[removedStart], other: added[addedStart] }
    if (one.beforeLine - length !== first.one?.beforeLine) return length
    if (other.afterLine - length !== first.other?.afterLine) return length
    length += 1
  }
}

function toHunks(lines: readonly PlacedLine[]): Pick<ScriptDiff, 'hunks' | 'isShortened'> {
  const isShown = new Uint8Array(lines.length)
  lines.forEach(({ kind }, index) => {
    if (kind !== 'same') isShown.fill(1, Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1)
  })
  const hunks: { beforeLine: number; afterLine: number; lines: ShownLine[] }[] = []
  let shown = 0
  let isShortened = false
  for (const [index, { kind, text, beforeLine, afterLine }] of lines.entries()) {
    if (isShown[index] !== 1) continue
    if (shown === MAX_SHOWN_LINES) return { hunks, isShortened: true }
    if (isShown[index - 1] !== 1) hunks.push({ beforeLine, afterLine, lines: [] })
    if (text.length > MAX_LINE_CHARACTERS) isShortened = true
    hunks.at(-1)?.lines.push({ kind, text: shorten(text) })
    shown += 1
  }
  return { hunks, isShortened }
}

const shorten = (text: string): string =>
  text.length > MAX_LINE_CHARACTERS ? `${text.slice(0, MAX_LINE_CHARACTERS)}…` : text
