// Answers per second in each bin, and the lines that a chart draws of them.
import type { WireZoneAnswers } from '../../api/zone-answers.ts'

export interface Rates {
  readonly answered: number
  readonly noSuchName: number
  readonly failed: number
}

export interface RateBin extends Rates {
  /** RFC 3339. */
  readonly start: string
}

/** The last bin is not over: it is divided by what has passed of it, but by no less than a minute. */
const MIN_SECONDS = 60

export const binRates = (
  { bins, bin_seconds: whole }: Pick<WireZoneAnswers, 'bins' | 'bin_seconds'>,
  now: number,
): readonly RateBin[] =>
  bins.map(({ start, answered, no_such_name: noSuchName, failed }) => {
    const passed = (now - Date.parse(start)) / 1_000
    const seconds = Math.min(whole, Math.max(MIN_SECONDS, passed))
    return { start, answered: answered / seconds, noSuchName: noSuchName / seconds, failed: failed / seconds }
  })

export function recentRates({ recent }: Pick<WireZoneAnswers, 'recent'>): Rates {
  if (recent === null || recent.seconds === 0) return { answered: 0, noSuchName: 0, failed: 0 }
  const { seconds, answered, no_such_name: noSuchName, failed } = recent
  return { answered: answered / seconds, noSuchName: noSuchName / seconds, failed: failed / seconds }
}

/** Lines of the scale above zero. */
const LINES = 3

/** Not less than `highest`, and each line of the scale has a round number: 1, 2, 4, 5, 10, 20 … */
export function scaleTop(highest: number): number {
  if (highest <= 0) return LINES
  const least = highest / LINES
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 4, 5, 10].find((factor) => factor * power >= least)
  return (step ?? 10) * power * LINES // ten powers are always enough
}
