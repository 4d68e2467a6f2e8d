// The tree of a regular expression over bytes. Case is spelled out in the sets.
import type { ByteSet } from './byte-set.ts'

export type PatternNode =
  | { readonly kind: 'set'; readonly set: ByteSet }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly items: readonly PatternNode[] }
  | {
      readonly kind: 'repeat'
      readonly item: PatternNode
      readonly min: number
      readonly max: number
      readonly isLazy: boolean
    }
  | { readonly kind: 'capture'; readonly item: PatternNode; readonly index: number }
  | { readonly kind: 'assertion'; readonly at: Assertion }
  | {
      readonly kind: 'look'
      readonly item: PatternNode
      readonly isBehind: boolean
      readonly isNegated: boolean
    }
  | {
      readonly kind: 'reference'
      readonly index: number
      /** True if case does not matter. */
      readonly isFolded: boolean
    }

export type Assertion = 'line-start' | 'line-end' | 'start' | 'end' | 'word-edge' | 'no-word-edge'

export const EMPTY: PatternNode = { kind: 'sequence', items: [] }
