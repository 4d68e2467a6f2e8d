// A managed rule: its place in the new and in the legacy product, and what it detects.
import type { RequestPart } from './request-parts.ts'
import type { Transform } from './transforms.ts'

export interface ManagedRule {
  /** 32 hex digits: the ID in the new managed ruleset. */
  readonly id: string
  /** 32 hex digits, constant over versions of the ruleset. */
  readonly ref: string
  /**
   * The new ruleset that it belongs to. A rule whose `legacy.kind` is `allow` belongs to none: it has no counterpart.
   */
  readonly ruleset: 'managed' | 'owasp'
  readonly description: string
  /** New tags. Rules of `owasp` have exactly one `paranoia-level-N`. */
  readonly categories: readonly string[]
  /** The default in the new ruleset; always `score` for `owasp`. */
  readonly action: 'block' | 'log' | 'managed_challenge' | 'js_challenge' | 'score'
  /** The default in the new ruleset. */
  readonly enabled: boolean
  /** What a match adds to the anomaly score; null outside `owasp`. */
  readonly score: 5 | 4 | 3 | 2 | null
  /** Its place in the legacy managed rules; null for newer rules. */
  readonly legacy: LegacyRule | null
  readonly detection: Detection
}

export interface LegacyRule {
  /** For example `100005` or `WP0025B`. */
  readonly id: string
  readonly packageId: string
  readonly groupId: string
  /** Rules of the traditional package deny or allow; those of the anomaly package add to a score. */
  readonly kind: 'deny' | 'allow' | 'anomaly'
  /** For `deny` rules one of the first four, for the others `on` or `off`. */
  readonly defaultMode: 'block' | 'challenge' | 'simulate' | 'disable' | 'on' | 'off'
  /** The order within the package, as the API shows it. */
  readonly priority: string
}

export type Detection =
  /** A filter of the expression language. */
  | { readonly kind: 'expression'; readonly expression: string }
  /**
   * Matches if each check finds one of its patterns in one of its parts. The finding of the last check is reported.
   */
  | { readonly kind: 'patterns'; readonly all: readonly PatternCheck[] }
  /**
   * Matches a request of which a part was not inspected, because it is beyond a limit. `level`: the paranoia level at
   * which the Core Rule Set inspects it, if the same entry point executes that.
   */
  | { readonly kind: 'incomplete'; readonly level?: number }
  /** A rule of the imported Core Rule Set, in an evaluation at a paranoia level. */
  | { readonly kind: 'core-rule'; readonly number: number; readonly level: number }

export interface PatternCheck {
  readonly parts: readonly RequestPart[]
  /** Applied in order to each text of the parts before the patterns are searched. */
  readonly transforms: readonly Transform[]
  /** Any of these regular expressions of the filter language: over bytes, in linear time. */
  readonly patterns: readonly string[]
}

/** A finding: a field named as in the expression language, and the text around the match. */
export interface Detected {
  readonly field: string
  readonly excerpt: string
  /** What it adds to the score instead of the rule's score: a rule may match several values. */
  readonly points?: number
  /** True if the request was too large to be inspected whole. */
  readonly isIncomplete?: true
}

/** How many ordinary strings, written by others, the rules stop. */
export interface OrdinaryRates {
  /** Strings that were tried, each as one value of a request. */
  readonly tried: number
  /** Those that were stopped. */
  readonly stopped: number
  /** Those stopped by each rule, by its ID: only rules that decide alone, and only those that stop any. */
  readonly stoppedBy: Readonly<Record<string, number>>
}
