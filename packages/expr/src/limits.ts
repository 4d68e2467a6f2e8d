// Every bound of the language, in one place. A limit is part of the contract: raising one is a decision.

/** The bounds a source text is checked against. Sizes are bytes of UTF-8 unless the name says otherwise. */
export type Limits = {
  /** Length of the whole expression. */
  readonly maxExpressionBytes: number
  /** Parentheses, `not`, function calls and quantifiers inside each other. */
  readonly maxNestingDepth: number
  /** Regular expressions in one expression. */
  readonly maxRegexes: number
  /** Estimated size of one compiled regular expression, and of all of one expression together. */
  readonly maxRegexBytes: number
  /** Stars in one wildcard. The reference leaves it open; the length limit bounds it anyway. */
  readonly maxWildcardStars: number
}

export const DEFAULT_LIMITS: Limits = {
  maxExpressionBytes: 4096,
  maxNestingDepth: 128,
  maxRegexes: 64,
  maxRegexBytes: 10 * 1024 * 1024,
  maxWildcardStars: Number.MAX_SAFE_INTEGER,
}
