// With which part of a zone's documents monitoring's header goes: quiet zones are to miss nothing, and of busy ones a part
// tells the same.
import type { Issue } from '../../platform/domain-error.ts'

/** One document of so many has the header, chosen anew for each response. */
export type Sampling = {
  /** Paths whose documents always have it, with all below them: pages where payment data is entered. */
  readonly wholePaths: readonly string[]
} & ({ readonly mode: 'adaptive' } | { readonly mode: 'fixed'; readonly oneIn: number })

export const USUAL_SAMPLING: Sampling = { mode: 'adaptive', wholePaths: [] }

/** However busy a zone is, so many are told of at least. */
export const MAX_ONE_IN = 100

/** Reports of a day that adaptive sampling leaves whole: about a thousand page views, each with twenty of them. */
export const WHOLE_REPORTS_A_DAY = 20_000

/** @param reportsADay of the zone, as they would be without sampling. */
export function oneInFor(sampling: Sampling, path: string, reportsADay: number): number {
  if (sampling.wholePaths.some((whole) => isBelow(path, whole))) return 1
  if (sampling.mode === 'fixed') return sampling.oneIn
  return Math.min(MAX_ONE_IN, Math.max(1, Math.floor(reportsADay / WHOLE_REPORTS_A_DAY)))
}

const isBelow = (path: string, whole: string): boolean =>
  path === whole || path.startsWith(whole.endsWith('/') ? whole : `${whole}/`)

export interface SamplingPatch {
  readonly mode: Sampling['mode'] | undefined
  readonly oneIn: number | undefined
  readonly wholePaths: readonly string[] | undefined
}

/** Lays a patch over a sampling. @returns it, and the rules that it breaks. */
export function patchSampling(
  before: Sampling,
  { mode = before.mode, oneIn, wholePaths = before.wholePaths }: SamplingPatch,
): { readonly sampling: Sampling; readonly issues: readonly Issue[] } {
  if (mode === 'adaptive') {
    const issue = { reason: 'page_shield.sampling_rate_unused', pointer: '/one_in' } as const
    return { sampling: { mode, wholePaths }, issues: oneIn === undefined ? [] : [issue] }
  }
  const rate = oneIn ?? (before.mode === 'fixed' ? before.oneIn : undefined)
  if (rate !== undefined) return { sampling: { mode, oneIn: rate, wholePaths }, issues: [] }
  return { sampling: before, issues: [{ reason: 'page_shield.sampling_rate', pointer: '/one_in' }] }
}
