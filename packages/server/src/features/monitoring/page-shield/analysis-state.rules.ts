// The state of a script's analysis: a script without scores always has a stated reason.
import type { Scores } from './scores.rules.ts'

/** Stopped by the time limit, or by the exit of the analyzing process (most likely out of memory). */
export type AnalysisEnd = 'time' | 'exit'

/** Why a completed analysis has no scores: too long, nested too deeply to parse, not a script. */
export type Unscored = 'long' | 'deep' | 'none'

/**
 * - `waiting`: nothing was fetched yet.
 * - `too_long`: longer than the scoring limit.
 * - `too_deep`: nested more deeply than can be parsed.
 * - `no_script`: contains no script, or none that could be parsed.
 * - `out_of_time`, `broken_off`: stopped; not retried until the content or the analysis version changes.
 */
export type AnalysisState =
  | 'waiting'
  | 'unconfirmed'
  | 'scored'
  | 'too_long'
  | 'too_deep'
  | 'no_script'
  | 'out_of_time'
  | 'broken_off'

const ENDED = { time: 'out_of_time', exit: 'broken_off' } as const satisfies Record<
  AnalysisEnd,
  AnalysisState
>

const UNSCORED = { long: 'too_long', deep: 'too_deep', none: 'no_script' } as const satisfies Record<
  Unscored,
  AnalysisState
>

/** The stored outcome of an analysis. */
export interface AnalysisCourse {
  /** How it was stopped before completion; null (or missing, in older rows) = it completed. */
  readonly ended?: AnalysisEnd | null
  /** Why it has no scores; null (or missing, in older rows) = it has scores, or was stopped. */
  readonly unscored?: Unscored | null
}

interface Analysed {
  readonly fetchedAt: string | null
  readonly soleReporter: string | null
  readonly scores: Scores | null
  readonly fetchMemory: AnalysisCourse | null
}

export function analysisStateOf({ fetchedAt, soleReporter, scores, fetchMemory }: Analysed): AnalysisState {
  if (fetchedAt === null) return soleReporter === null ? 'waiting' : 'unconfirmed'
  const ended = fetchMemory?.ended ?? null
  if (ended !== null) return ENDED[ended]
  const unscored = fetchMemory?.unscored ?? null
  if (unscored !== null) return UNSCORED[unscored]
  return (scores?.jsIntegrity ?? null) === null ? 'too_long' : 'scored'
}

/** Whether the content could not be analyzed: stopped, or nested too deeply to parse. */
export const isBeyondAnalysis = (course: AnalysisCourse | null): boolean =>
  (course?.ended ?? null) !== null || course?.unscored === 'deep'
