// Every limit of the language, in one place. Limits are part of the contract; changing one is a compatibility
// decision.

/** The limits for a source. Sizes are bytes of UTF-8 unless the name says otherwise. */
export type Limits = {
  /** Length of the whole expression. */
  readonly maxExpressionBytes: number
  /** Nested parentheses, `not`, function calls and quantifiers. */
  readonly maxNestingDepth: number
  /** Regular expressions in one expression. */
  readonly maxRegexes: number
  /** Estimated size of one compiled regular expression, and of all in one expression together. */
  readonly maxRegexBytes: number
  /** Stars in one wildcard. The reference has no limit; the length limit bounds it anyway. */
  readonly maxWildcardStars: number
}

export const DEFAULT_LIMITS: Limits = {
  maxExpressionBytes: 4096,
  maxNestingDepth: 128,
  maxRegexes: 64,
  maxRegexBytes: 10 * 1024 * 1024,
  maxWildcardStars: Number.MAX_SAFE_INTEGER,
}
