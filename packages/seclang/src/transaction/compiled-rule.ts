// The compiled form of a rule set.
import type { Bytes } from '../bytes.ts'
import type { Pattern } from '../pattern/pattern.ts'
import type { Scanner } from '../pattern/literal-automaton.ts'
import type { Requirement } from '../pattern/required-literals.ts'
import type { SecRule } from '../rules/rule-set.ts'
import type { Comparison } from './operators.ts'
import type { RepeatedStrings } from './repeated-strings.ts'
import type { TransformChain } from './transform-chains.ts'

/** Text with `%{…}` in it. */
export interface Template {
  readonly literal: Bytes
  /** Undefined if there are no macros. */
  readonly parts: readonly (Bytes | Macro)[] | undefined
}

export interface Macro {
  readonly collection: string
  readonly key: Bytes
}

export type CompiledOperator =
  | { readonly kind: 'always' }
  | {
      readonly kind: 'pattern'
      readonly number: number
      readonly requirement: Requirement
      readonly pattern: Pattern
    }
  | {
      readonly kind: 'words'
      readonly number: number
      readonly requirement: Requirement
      readonly words: readonly Bytes[]
      /** Whether one of the words is in a text that meets the requirement; undefined if that is sure. */
      readonly isFound: ((text: Bytes) => boolean) | undefined
    }
  /** A pattern with macros: compiled for each argument that occurs. */
  | { readonly kind: 'dynamic-pattern'; readonly argument: Template }
  | { readonly kind: 'comparison'; readonly matches: Comparison; readonly argument: Template }

/** Which entries of a collection; shared by all units that read the same. */
export interface Selection {
  readonly number: number
  readonly collection: string
  /** Only entries of this key, in lower case. */
  readonly key: Bytes | undefined
  /** Only entries whose key passes. */
  readonly selects: ((key: Bytes) => boolean) | undefined
  readonly excludes: readonly ((key: Bytes) => boolean)[]
  /** False for collections that rules change. */
  readonly isStable: boolean
}

/** A selection and what is done to its values; shared by all rules that read the same. */
export interface Unit {
  readonly number: number
  readonly selection: Selection
  readonly isCount: boolean
  readonly chain: TransformChain
}

export type Effect =
  | {
      readonly kind: 'set'
      readonly collection: string
      readonly name: Template
      readonly value: Template
      readonly sign: '=' | '+' | '-'
    }
  | { readonly kind: 'unset'; readonly collection: string; readonly name: Template }
  | { readonly kind: 'force-body' }
  | { readonly kind: 'body-processor'; readonly processor: string }
  | { readonly kind: 'remove-rules'; readonly ids: string }
  | { readonly kind: 'remove-tagged'; readonly tag: string }
  | {
      readonly kind: 'remove-target'
      readonly by: 'id' | 'tag'
      readonly which: string
      readonly excludes: TargetFilter
    }
  | { readonly kind: 'engine-off' }

export interface TargetFilter {
  readonly collection: string
  readonly selects: ((key: Bytes) => boolean) | undefined
}

export interface CompiledLink {
  readonly rule: SecRule
  readonly units: readonly Unit[]
  readonly operator: CompiledOperator
  readonly isNegated: boolean
  readonly effects: readonly Effect[]
  /** True if groups of the match are read by this chain. */
  readonly isCapturing: boolean
  /** With `multiMatch`: the chains of its first transformations, from none to all. Undefined without. */
  readonly multiMatch: readonly TransformChain[] | undefined
}

export interface CompiledRule {
  readonly id: number
  readonly links: readonly CompiledLink[]
  /** Where to continue in its phase after a match; undefined for the next rule. */
  readonly skipTo: number | undefined
  /** What the rule asks for if it matches, such as `block` or `deny`. */
  readonly disruption: string | undefined
}

export interface CompiledRuleSet {
  /** By number of the phase: its rules in order. */
  readonly phases: readonly (readonly CompiledRule[])[]
  readonly unitCount: number
  readonly selectionCount: number
  /** Those whose values change when the body is read. */
  readonly bodyUnits: readonly Unit[]
  readonly scan: () => Scanner
  /** What is known of headers, from one request to the next. */
  readonly repeated: RepeatedStrings
  /** Patterns to warm up. */
  readonly patterns: readonly Pick<Pattern, 'test'>[]
}
