// How far the analysis of a script's content came: a script without scores always says why it has none.
import type { Scores } from './scores.rules.ts'

/** By the clock, or by the end of the process that it ran in (of memory, most likely). */
export type AnalysisEnd = 'time' | 'exit'

/** Why an analysis that came to its end told no scores: too long, nested too deeply to be read, no script at all. */
export type Unscored = 'long' | 'deep' | 'none'

/**
 * - `waiting`: nothing was fetched yet.
 * - `too_long`: longer than what is scored.
 * - `too_deep`: nested more deeply than can be read.
 * - `no_script`: no script is in it, or none that could be read.
 * - `out_of_time`, `broken_off`: it was ended, and is not tried again before the content or the analysis is another.
 */
export type AnalysisState =
  | 'waiting'
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

/** What is remembered of how an analysis went. */
export interface AnalysisCourse {
  /** How it was ended before it was done; null (or not there, of older rows) = it was not. */
  readonly ended?: AnalysisEnd | null
  /** Why it told no scores; null (or not there, of older rows) = it told them, or was ended. */
  readonly unscored?: Unscored | null
}

interface Analysed {
  readonly fetchedAt: string | null
  readonly scores: Scores | null
  readonly fetchMemory: AnalysisCourse | null
}

export function analysisStateOf({ fetchedAt, scores, fetchMemory }: Analysed): AnalysisState {
  if (fetchedAt === null) return 'waiting'
  const ended = fetchMemory?.ended ?? null
  if (ended !== null) return ENDED[ended]
  const unscored = fetchMemory?.unscored ?? null
  if (unscored !== null) return UNSCORED[unscored]
  return (scores?.jsIntegrity ?? null) === null ? 'too_long' : 'scored'
}

/** Whether nobody can say what is in a content: it was ended, or is too deep to be read. */
export const isBeyondAnalysis = (course: AnalysisCourse | null): boolean =>
  (course?.ended ?? null) !== null || course?.unscored === 'deep'
