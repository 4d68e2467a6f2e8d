// A pattern reduced to bytes, after flags, cases and encodings are resolved.
import type { Assertion } from './syntax.ts'
import type { Ranges } from './ranges.ts'

export type Look = Exclude<Assertion, 'start-line' | 'end-line'> | 'start-line' | 'end-line'

/** The UTF-8 of one code point of a set. The estimates are known at once; the bytes are computed on demand. */
export type ClassHir = {
  readonly kind: 'class'
  readonly sizeBytes: number
  readonly shortest: number
  readonly bytes: () => Hir
}

export type Hir =
  | { readonly kind: 'empty' }
  /** One byte of a set; the empty set never matches. */
  | { readonly kind: 'set'; readonly ranges: Ranges }
  | ClassHir
  /** Consecutive bytes. */
  | { readonly kind: 'literal'; readonly bytes: string }
  | { readonly kind: 'look'; readonly look: Look }
  | {
      readonly kind: 'repeat'
      readonly item: Hir
      readonly min: number
      readonly max: number
      readonly greedy: boolean
    }
  | { readonly kind: 'capture'; readonly item: Hir }
  | { readonly kind: 'concat'; readonly items: readonly Hir[] }
  | { readonly kind: 'alternation'; readonly items: readonly Hir[] }

/** The minimum number of bytes of a match. */
export function shortestMatch(hir: Hir): number {
  switch (hir.kind) {
    case 'literal':
      return hir.bytes.length
    case 'set':
      return hir.ranges.length === 0 ? Number.POSITIVE_INFINITY : 1
    case 'class':
      return hir.shortest
    case 'repeat':
      return hir.min === 0 ? 0 : hir.min * shortestMatch(hir.item)
    case 'capture':
      return shortestMatch(hir.item)
    case 'concat':
      return hir.items.reduce((sum, item) => sum + shortestMatch(item), 0)
    case 'alternation':
      return hir.items.reduce((least, item) => Math.min(least, shortestMatch(item)), Number.POSITIVE_INFINITY)
    default:
      return 0
  }
}

export const STATE_BYTES = 32
export const TRANSITION_BYTES = 8
export const BRANCH_BYTES = 4

/**
 * Estimates the memory of an automaton for the pattern as the reference engine does: 32 bytes per state plus its
 * transitions. Bounded repetitions count once for each copy.
 */
export function automatonBytes(hir: Hir): number {
  switch (hir.kind) {
    case 'literal':
      return hir.bytes.length * STATE_BYTES
    case 'set':
      return STATE_BYTES + (hir.ranges.length > 1 ? hir.ranges.length * TRANSITION_BYTES : 0)
    case 'class':
      return hir.sizeBytes
    case 'repeat':
      return repeatBytes(automatonBytes(hir.item), hir.min, hir.max)
    case 'capture':
      return automatonBytes(hir.item) + 2 * STATE_BYTES
    case 'concat':
      return hir.items.reduce((sum, item) => sum + automatonBytes(item), 0)
    case 'alternation':
      return hir.items.reduce((sum, item) => sum + automatonBytes(item) + BRANCH_BYTES, 2 * STATE_BYTES)
    default:
      return STATE_BYTES
  }
}

function repeatBytes(item: number, min: number, max: number): number {
  const fork = STATE_BYTES + 2 * BRANCH_BYTES
  if (max === Number.POSITIVE_INFINITY) return Math.max(1, min) * item + 2 * fork
  return min * item + (max - min) * (item + fork) + STATE_BYTES
}
