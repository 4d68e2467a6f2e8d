// Decides which share of a zone's documents carries monitoring's header: quiet zones miss nothing, and for
// busy zones a sample is enough.
import type { AlsoReported } from '@zonereeve/csp'
import type { Issue } from '@zonereeve/platform'

/** One of this many documents carries the header, chosen at random per response. */
export type Sampling = {
  /**
   * Paths whose documents always carry it, including everything below them: pages where payment data is
   * entered.
   */
  readonly wholePaths: readonly string[]
  readonly alsoReport: readonly AlsoReported[]
  /** Whether pages may report cookies by the monitoring script. */
  readonly beacon: boolean
} & ({ readonly mode: 'adaptive' } | { readonly mode: 'fixed'; readonly oneIn: number })

export const DEFAULT_SAMPLING: Sampling = { mode: 'adaptive', wholePaths: [], alsoReport: [], beacon: false }

/** The lowest sampling rate, however busy a zone is: one of this many documents. */
export const MAX_ONE_IN = 100

/**
 * Reports per day below which adaptive sampling is off: about a thousand page views with twenty reports each.
 */
export const WHOLE_REPORTS_A_DAY = 20_000

/** @param reportsADay estimate for the zone without sampling. */
export function oneInFor(sampling: Sampling, path: string, reportsADay: number): number {
  if (sampling.wholePaths.some((whole) => isBelow(path, whole))) return 1
  if (sampling.mode === 'fixed') return sampling.oneIn
  return Math.min(MAX_ONE_IN, Math.max(1, Math.floor(reportsADay / WHOLE_REPORTS_A_DAY)))
}

const STEPS = [100, 50, 20, 10, 5, 2, 1] as const

/** The adaptive sampling in a few steps, for those that keep it for a while. */
export function steppedOneIn(reportsADay: number): number {
  const oneIn = oneInFor(DEFAULT_SAMPLING, '/', reportsADay)
  return STEPS.find((step) => step <= oneIn) ?? 1 // the last step always fits
}

const isBelow = (path: string, whole: string): boolean =>
  path === whole || path.startsWith(whole.endsWith('/') ? whole : `${whole}/`)

export interface SamplingPatch {
  readonly mode: Sampling['mode'] | undefined
  readonly oneIn: number | undefined
  readonly wholePaths: readonly string[] | undefined
  readonly alsoReport: readonly AlsoReported[] | undefined
  readonly beacon: boolean | undefined
}

/**
 * Applies a patch.
 * @returns the new sampling and every rule it violates.
 */
export function patchSampling(
  before: Sampling,
  {
    mode = before.mode,
    oneIn,
    wholePaths = before.wholePaths,
    alsoReport = before.alsoReport,
    beacon = before.beacon,
  }: SamplingPatch,
): { readonly sampling: Sampling; readonly issues: readonly Issue[] } {
  const always = { wholePaths, alsoReport, beacon }
  if (mode === 'adaptive') {
    const issue = { reason: 'page_shield.sampling_rate_unused', pointer: '/one_in' } as const
    return { sampling: { mode, ...always }, issues: oneIn === undefined ? [] : [issue] }
  }
  const rate = oneIn ?? (before.mode === 'fixed' ? before.oneIn : undefined)
  if (rate !== undefined) return { sampling: { mode, oneIn: rate, ...always }, issues: [] }
  return { sampling: before, issues: [{ reason: 'page_shield.sampling_rate', pointer: '/one_in' }] }
}
