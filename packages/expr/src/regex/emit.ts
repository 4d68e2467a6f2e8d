// Writes the byte form of a pattern in the syntax of the engine. Bytes are characters 0..255 there.
import type { Hir, Look } from './hir.ts'

/** The engine refuses more copies than this, also as a product of nested repetitions. */
const MAX_REPEAT = 1000

const LOOKS: Readonly<Record<Look, string>> = {
  'start-text': '\\A',
  'end-text': '\\z',
  'start-line': '(?m:^)',
  'end-line': '(?m:$)',
  word: '\\b',
  'not-word': '\\B',
  'word-start': '(?:(?<!\\w)\\b)',
  'word-end': '(?:(?<=\\w)\\b)',
  'word-start-half': '(?<!\\w)',
  'word-end-half': '(?:(?<=\\w)\\b|(?<!\\w)\\B)',
}

const LOOK_BEHINDS: ReadonlySet<Look> = new Set<Look>([
  'word-start',
  'word-end',
  'word-start-half',
  'word-end-half',
])

/** True if the text needs the engine's look-behind mode (which stays linear). */
export function needsLookBehind(hir: Hir): boolean {
  if (hir.kind === 'look') return LOOK_BEHINDS.has(hir.look)
  if (hir.kind === 'repeat' || hir.kind === 'capture') return needsLookBehind(hir.item)
  return (hir.kind === 'concat' || hir.kind === 'alternation') && hir.items.some(needsLookBehind)
}

/** The pattern as engine source. */
export function emit(hir: Hir): string {
  switch (hir.kind) {
    case 'empty':
      return '(?:)'
    case 'literal':
      return [...hir.bytes].map((byte) => escapeByte(byte.charCodeAt(0))).join('')
    case 'set':
      return emitSet(hir.ranges)
    case 'class':
      return emit(hir.bytes())
    case 'look':
      return LOOKS[hir.look]
    case 'capture':
      return `(${emit(hir.item)})`
    case 'repeat':
      return emitRepeat(hir)
    case 'concat':
      return hir.items.map(emit).join('')
    case 'alternation':
      return `(?:${hir.items.map(emit).join('|')})`
  }
}

function emitSet(ranges: readonly (readonly [number, number])[]): string {
  if (ranges.length === 0) return '[^\\x00-\\x{10FFFF}]'
  const parts = ranges.map(([first, last]) =>
    first === last ? escapeByte(first) : `${escapeByte(first)}-${escapeByte(last)}`,
  )
  return `[${parts.join('')}]`
}

const escapeByte = (byte: number): string => `\\x${byte.toString(16).padStart(2, '0')}`

/** Counts above the engine's limit are written as several repetitions in a row. */
function emitRepeat({ item, min, max, greedy }: Extract<Hir, { kind: 'repeat' }>): string {
  const unit = `(?:${emit(item)})`
  const mode = greedy ? '' : '?'
  const chunk = Math.max(1, Math.floor(MAX_REPEAT / copies(item)))
  const exact = inChunks(min, chunk, (count) => (count === 1 ? unit : `${unit}{${count}}`))
  if (max === Number.POSITIVE_INFINITY) return `(?:${exact}${unit}*${mode})`
  const open = inChunks(max - min, chunk, (count) => `${unit}{0,${count}}${mode}`)
  return `(?:${exact}${open})`
}

function inChunks(count: number, chunk: number, write: (count: number) => string): string {
  const rest = count % chunk
  return write(chunk).repeat(Math.floor(count / chunk)) + (rest === 0 ? '' : write(rest))
}

/** The product of the nested repetition counts. */
function copies(hir: Hir): number {
  switch (hir.kind) {
    case 'repeat': {
      const bound = hir.max === Number.POSITIVE_INFINITY ? Math.max(1, hir.min) : hir.max
      return Math.min(MAX_REPEAT, Math.max(1, Math.min(bound, MAX_REPEAT)) * copies(hir.item))
    }
    case 'capture':
      return copies(hir.item)
    case 'concat':
    case 'alternation':
      return Math.max(1, ...hir.items.map(copies))
    default:
      return 1
  }
}
