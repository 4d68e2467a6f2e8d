// What a managed rule is: its place in the new and in the previous product, what it looks for, and two requests that
// show it.
import type { RequestPart } from './request-parts.ts'
import type { RequestSample } from './request-sample.ts'
import type { Transform } from './transforms.ts'

export interface ManagedRule {
  /** 32 hex: the rule in the new managed ruleset. */
  readonly id: string
  /** 32 hex, stays the same over versions of the ruleset. */
  readonly ref: string
  /** The new ruleset that it belongs to. A rule whose `legacy.kind` is `allow` is in none: it has no counterpart. */
  readonly ruleset: 'managed' | 'owasp'
  readonly description: string
  /** New tags. Rules of `owasp` carry exactly one `paranoia-level-N`. */
  readonly categories: readonly string[]
  /** The default in the new ruleset; of `owasp`, always `score`. */
  readonly action: 'block' | 'log' | 'managed_challenge' | 'js_challenge' | 'score'
  /** The default in the new ruleset. */
  readonly enabled: boolean
  /** What a match adds to the anomaly score; null outside `owasp`. */
  readonly score: 5 | 4 | 3 | 2 | null
  /** Its place in the previous product; null for rules that came later. */
  readonly legacy: LegacyRule | null
  readonly detection: Detection
  readonly samples: { readonly matching: RequestSample; readonly passing: RequestSample }
}

export interface LegacyRule {
  /** Such as `100005` or `WP0025B`. */
  readonly id: string
  readonly packageId: string
  readonly groupId: string
  /** Rules of the traditional package refuse or let pass; those of the anomaly package add to a score. */
  readonly kind: 'deny' | 'allow' | 'anomaly'
  /** Of `deny` rules one of the first four, of the others `on` or `off`. */
  readonly defaultMode: 'block' | 'challenge' | 'simulate' | 'disable' | 'on' | 'off'
  /** The order within the package, as the API shows it. */
  readonly priority: string
}

export type Detection =
  /** A filter of the expression language. */
  | { readonly kind: 'expression'; readonly expression: string }
  /** Holds where each check finds one of its patterns in one of its parts. The last check says what was found. */
  | { readonly kind: 'patterns'; readonly all: readonly PatternCheck[] }

export interface PatternCheck {
  readonly parts: readonly RequestPart[]
  /** Applied one after the other to each text of the parts, before any pattern is looked for. */
  readonly transforms: readonly Transform[]
  /** Any of them, in the regular expressions of the filter language: over bytes, in linear time. */
  readonly patterns: readonly string[]
}

/** What a rule found: a field as the expression language would name it, and the text around it. */
export interface Detected {
  readonly field: string
  readonly excerpt: string
}
