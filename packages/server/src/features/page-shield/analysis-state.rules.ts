// How far the analysis of a script's content came: a script without scores always says why it has none.
import type { Scores } from './scores.rules.ts'

/** By the clock, or by the end of the process that it ran in (of memory, most likely). */
export type AnalysisEnd = 'time' | 'exit'

/**
 * - `waiting`: nothing was fetched yet.
 * - `too_long`: longer than what is scored.
 * - `out_of_time`, `broken_off`: it was ended, and is not tried again before the content or the analysis is another.
 */
export type AnalysisState = 'waiting' | 'scored' | 'too_long' | 'out_of_time' | 'broken_off'

const ENDED = { time: 'out_of_time', exit: 'broken_off' } as const satisfies Record<
  AnalysisEnd,
  AnalysisState
>

interface Analysed {
  readonly fetchedAt: string | null
  readonly scores: Scores | null
  readonly fetchMemory: { readonly ended?: AnalysisEnd | null } | null
}

export function analysisStateOf({ fetchedAt, scores, fetchMemory }: Analysed): AnalysisState {
  if (fetchedAt === null) return 'waiting'
  const ended = fetchMemory?.ended ?? null
  if (ended !== null) return ENDED[ended]
  return (scores?.jsIntegrity ?? null) === null ? 'too_long' : 'scored'
}
