// What rulesets are: ordered rules of a zone or an account, each change a version; and those that come with the program.
import type { ActionName } from './actions/registry.ts'
import type { PhaseName } from './phases.ts'

export type Level = 'zone' | 'account'

/** Whom a ruleset belongs to. */
export interface Owner {
  readonly level: Level
  readonly id: string
}

/** `zone` and `root` are the entry points of a phase, of a zone and of an account; `custom` ones are executed by them. */
export type RulesetKind = 'managed' | 'custom' | 'root' | 'zone'

export type JsonObject = Readonly<Record<string, unknown>>

/** What its author says of a rule. Objects are kept as they were sent, because that is how they are shown again. */
export interface RuleDefinition {
  readonly action: ActionName
  readonly parameters?: JsonObject
  readonly expression: string
  readonly description?: string
  readonly enabled: boolean
  readonly logging?: JsonObject
  readonly ratelimit?: JsonObject
}

export interface Rule {
  readonly id: string
  /** From 1; moving the rule does not count. */
  readonly version: number
  /** Says which rule it is over updates. */
  readonly ref: string
  readonly lastUpdated: string
  /** Estimated size of the automatons of its regular expressions. */
  readonly regexBytes: number
  readonly definition: RuleDefinition
}

export interface RulesetSummary {
  readonly id: string
  readonly kind: RulesetKind
  readonly phase: PhaseName
  readonly name: string
  readonly description: string
  /** From 1, without gaps as long as no version is deleted. */
  readonly version: number
  readonly lastUpdated: string
}

export interface Ruleset extends RulesetSummary {
  readonly owner: Owner
  readonly rules: readonly Rule[]
}

/** A rule as it is given: which one it is, and what it says. */
export interface RuleDraft {
  /** JSON pointer to it. */
  readonly at: string
  readonly id: string | undefined
  readonly ref: string | undefined
  readonly regexBytes: number
  readonly definition: RuleDefinition
}

/** Where a rule goes: before or behind another (the first or last place for an empty id), or to a place from 1. */
export type Position =
  | { readonly kind: 'before' | 'after'; readonly id: string }
  | { readonly kind: 'index'; readonly index: number }

/** The kind that the entry points of a level have. */
export const ENTRY_POINT_KIND = { zone: 'zone', account: 'root' } as const satisfies Record<
  Level,
  RulesetKind
>
