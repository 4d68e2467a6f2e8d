// A rule set as data: plain JSON, without anything compiled.
import type { PreparedPatterns } from '../pattern/prepared-patterns.ts'

/** `ARGS:name`, `&ARGS` (count), `!ARGS:name` (exclusion), `ARGS:/pattern/`. */
export interface Target {
  /** In upper case. */
  readonly collection: string
  readonly selector?: string
  /** True if the selector is a regular expression. */
  readonly isPattern?: true
  readonly isCount?: true
  readonly isExcluded?: true
}

export interface Operator {
  /** In lower case, without `@`. */
  readonly name: string
  readonly argument: string
  readonly isNegated?: true
}

export interface Action {
  /** In lower case. */
  readonly name: string
  readonly value?: string
}

/** One `SecRule` or `SecAction`; the rules of a chain follow in `chain`. */
export interface SecRule {
  /** 0 for the later rules of a chain. */
  readonly id: number
  readonly phase: number
  /** Empty for `SecAction`. */
  readonly targets: readonly Target[]
  /** Undefined for `SecAction`, which always matches. */
  readonly operator?: Operator
  /** Names in lower case, in order, after `t:none`. */
  readonly transforms: readonly string[]
  /** All actions except those with a member of their own. */
  readonly actions: readonly Action[]
  readonly tags: readonly string[]
  readonly message?: string
  readonly severity?: string
  readonly chain: readonly SecRule[]
  readonly file: string
  readonly line: number
}

export type RuleSetItem =
  | { readonly kind: 'rule'; readonly rule: SecRule }
  | { readonly kind: 'marker'; readonly name: string }

/** A directive that is not carried out. */
export interface IgnoredDirective {
  readonly file: string
  readonly line: number
  readonly name: string
  readonly reason: string
}

export interface RuleSet {
  /** As the files state it; empty if they do not. */
  readonly version: string
  readonly items: readonly RuleSetItem[]
  /** Lists of `@pmFromFile` and `@ipMatchFromFile` by name, without comments. */
  readonly lists: Readonly<Record<string, readonly string[]>>
  readonly ignored: readonly IgnoredDirective[]
  /** Absent until an import adds it. */
  readonly prepared?: PreparedPatterns
}
