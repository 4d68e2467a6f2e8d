// Answers of zones over the last day: what counters were, in bins of ten minutes, and how fast they rise now.

export interface AnswerCounts {
  /** NOERROR. */
  readonly answered: number
  /** NXDOMAIN. */
  readonly noSuchName: number
  /** All other response codes. */
  readonly failed: number
}

export interface AnswerBin extends AnswerCounts {
  readonly startMillis: number
}

export interface ZoneAnswers {
  /** Without gaps, oldest first. */
  readonly bins: readonly AnswerBin[]
  /** Since the reading before the last one, and how long that took. */
  readonly recent: AnswerCounts & { readonly millis: number }
}

/** Answers per second, of all response codes. */
export interface AnswerRates {
  readonly perSecond: number
  /** Averages of a twelfth of a day each, oldest first, without those before the first bin. */
  readonly day: readonly number[]
}

/** A response counter since the start of the process. */
export interface CounterReading {
  readonly zone: string
  readonly rcode: string
  readonly count: number
}

export const BIN_MILLIS = 600_000
const BINS = 144
const BINS_OF_A_RATE = 12

interface History {
  bins: AnswerBin[]
  total: AnswerCounts
  recent: AnswerCounts
}

const NONE: AnswerCounts = { answered: 0, noSuchName: 0, failed: 0 }

export type AnswerHistory = ReturnType<typeof createAnswerHistory>

/** Memory is bounded by the number of zones that are counted, about 10 kB for each. */
export function createAnswerHistory() {
  const zones = new Map<string, History>()
  let readAt: number | undefined
  let recentMillis = 0
  return {
    of: answersOf,
    /** @returns undefined as {@link of} does. */
    rates(zone: string, nowMillis: number): AnswerRates | undefined {
      const found = answersOf(zone, nowMillis)
      return found && ratesOf(found, nowMillis)
    },
    /** Takes a reading of all counters. @param nowMillis later than at the reading before. */
    record(readings: readonly CounterReading[], nowMillis: number): void {
      recentMillis = readAt === undefined ? 0 : nowMillis - readAt
      readAt = nowMillis
      for (const [zone, total] of totalsOf(readings)) {
        const history = zones.get(zone) ?? { bins: [], total: NONE, recent: NONE }
        history.recent = combine(total, history.total, (now, before) => now - before)
        history.total = total
        history.bins = withCounts(history.bins, history.recent, nowMillis)
        zones.set(zone, history)
      }
    },
  }

  /** @returns undefined if the zone is not counted: it got no query, or too many other zones did first. */
  function answersOf(zone: string, nowMillis: number): ZoneAnswers | undefined {
    const history = zones.get(zone)
    if (history === undefined) return undefined
    const bins = withCounts(history.bins, NONE, nowMillis)
    return { bins, recent: { ...history.recent, millis: recentMillis } }
  }
}

/** The last bin is not over, and no less than a minute of it counts. */
function ratesOf({ bins, recent }: ZoneAnswers, nowMillis: number): AnswerRates {
  const day: number[] = []
  for (let end = bins.length; end > 0; end -= BINS_OF_A_RATE) {
    const averaged = bins.slice(Math.max(0, end - BINS_OF_A_RATE), end)
    const whole = (averaged.length - 1) * BIN_MILLIS
    const last = Math.min(
      BIN_MILLIS,
      Math.max(60_000, nowMillis - (averaged.at(-1)?.startMillis ?? nowMillis)),
    ) // never empty
    day.unshift(
      perSecond(
        averaged.map(sumOf).reduce((sum, count) => sum + count, 0),
        whole + last,
      ),
    )
  }
  return { perSecond: perSecond(sumOf(recent), recent.millis), day }
}

const sumOf = ({ answered, noSuchName, failed }: AnswerCounts): number => answered + noSuchName + failed

/** Hundredths are enough for a list. */
const perSecond = (count: number, millis: number): number =>
  millis === 0 ? 0 : Math.round((count / millis) * 100_000) / 100

function totalsOf(readings: readonly CounterReading[]): ReadonlyMap<string, AnswerCounts> {
  const totals = new Map<string, AnswerCounts>()
  for (const { zone, rcode, count } of readings) {
    const member = rcode === 'NOERROR' ? 'answered' : rcode === 'NXDOMAIN' ? 'noSuchName' : 'failed'
    const before = totals.get(zone) ?? NONE
    totals.set(zone, { ...before, [member]: before[member] + count })
  }
  return totals
}

const combine = (
  one: AnswerCounts,
  other: AnswerCounts,
  by: (one: number, other: number) => number,
): AnswerCounts => ({
  answered: by(one.answered, other.answered),
  noSuchName: by(one.noSuchName, other.noSuchName),
  failed: by(one.failed, other.failed),
})

/** Up to the bin of now, which gets the counts; without those of more than a day ago. */
function withCounts(bins: readonly AnswerBin[], counts: AnswerCounts, nowMillis: number): AnswerBin[] {
  const startMillis = Math.floor(nowMillis / BIN_MILLIS) * BIN_MILLIS
  const filled = [...bins]
  const oldest = startMillis - (BINS - 1) * BIN_MILLIS
  for (
    let next = Math.max(oldest, (filled.at(-1)?.startMillis ?? startMillis - BIN_MILLIS) + BIN_MILLIS); // the first one
    next <= startMillis;
    next += BIN_MILLIS
  )
    filled.push({ startMillis: next, ...NONE })
  const last = filled.pop()
  if (last !== undefined) filled.push({ ...last, ...combine(last, counts, (one, other) => one + other) })
  return filled.filter((bin) => bin.startMillis >= oldest)
}
