// What is known about anomaly scores, wherever they are counted.

/** The Core Rule Set's own threshold, and those of high, medium and low sensitivity. */
export const OFFERED_THRESHOLDS = [5, 25, 40, 60] as const
/** Higher scores are counted as this one. */
export const MAX_COUNTED_SCORE = 100
