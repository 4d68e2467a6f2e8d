// Latencies of a run, in milliseconds.

export interface Latencies {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** Nearest rank; all 0 if there is none. @param millis in any order; sorted in place. */
export function latenciesOf(millis: number[]): Latencies {
  millis.sort((a, b) => a - b)
  const at = (share: number): number => millis[Math.max(0, Math.ceil(share * millis.length) - 1)] ?? 0 // none
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}
