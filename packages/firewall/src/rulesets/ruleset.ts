// Rulesets: ordered rules of a zone or an account, with a version for each change; and the built-in ones.
import type { ExposedCredentialCheck } from '../credentials/credential-check.ts'
import type { ActionName } from './actions/registry.ts'
import type { PhaseName } from './phases.ts'

export type Level = 'zone' | 'account'

/** The owner of a ruleset. */
export interface Owner {
  readonly level: Level
  readonly id: string
}

/** `zone` and `root` are the entry points of a phase, for a zone and for an account; they execute `custom` ones. */
export type RulesetKind = 'managed' | 'custom' | 'root' | 'zone'

export type JsonObject = Readonly<Record<string, unknown>>

/** A rule as defined by its author. Objects are stored as sent, because they are returned unchanged. */
export interface RuleDefinition {
  readonly action: ActionName
  readonly parameters?: JsonObject
  readonly expression: string
  readonly description?: string
  readonly enabled: boolean
  readonly logging?: JsonObject
  readonly ratelimit?: JsonObject
  readonly exposedCheck?: ExposedCredentialCheck
}

export interface Rule {
  readonly id: string
  /** Starts at 1; moving the rule does not change it. */
  readonly version: number
  /** Identifies the rule across updates. */
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
  /** Starts at 1, without gaps as long as no version is deleted. */
  readonly version: number
  readonly lastUpdated: string
}

export interface Ruleset extends RulesetSummary {
  readonly owner: Owner
  readonly rules: readonly Rule[]
}

/** A rule as sent: its identity and its definition. */
export interface RuleDraft {
  /** JSON pointer to it. */
  readonly at: string
  readonly id: string | undefined
  readonly ref: string | undefined
  readonly regexBytes: number
  readonly definition: RuleDefinition
}

/**
 * The target of a move: before or after another rule (an empty ID means the first or last place), or an index from 1.
 */
export type Position =
  | { readonly kind: 'before' | 'after'; readonly id: string }
  | { readonly kind: 'index'; readonly index: number }

/** The kind of the entry points of a level. */
export const ENTRY_POINT_KIND = { zone: 'zone', account: 'root' } as const satisfies Record<
  Level,
  RulesetKind
>

/** A ruleset as seen by rules that refer to it. */
export interface Referable {
  readonly id: string
  readonly kind: RulesetKind
  readonly phase: PhaseName
  readonly version: number
  readonly ruleIds: ReadonlySet<string>
  /** Tags of its rules. */
  readonly categories: ReadonlySet<string>
  /** The rule that compares the sum of scores; only managed rulesets have one. All their other rules add to it. */
  readonly scoreRuleId: string | undefined
  /** Whether overrides can set the sensitivity of its rules. */
  readonly hasSensitivity: boolean
}
