// The bars of a chart over time: how long one is, and what each one counts.

const SECOND = 1
const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

/** Round lengths in seconds; each one has a whole number of its unit. */
const LENGTHS: readonly number[] = [
  ...[1, 2, 5, 10, 20, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 20, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 28, 91, 364].map((days) => days * DAY),
]

/** The shortest round length with which at most `bars` cover the range. */
export function barSeconds(sinceMillis: number, untilMillis: number, bars: number): number {
  const fits = (seconds: number): boolean => {
    const first = Math.floor(sinceMillis / 1_000 / seconds)
    const last = Math.floor(Math.max(sinceMillis, untilMillis - 1) / 1_000 / seconds)
    return last - first < bars
  }
  // Centuries, or a range around a time at which a bar of every round length starts. Around 1970 it is two bars.
  let longest = Math.ceil((untilMillis - sinceMillis) / 1_000 / DAY + 1) * DAY
  while (sinceMillis >= 0 && !fits(longest)) longest *= 2
  return LENGTHS.find(fits) ?? longest
}

/** Characters of a stored time in which units of that length differ: seconds, minutes, hours or days. */
export function unitDigits(seconds: number): number {
  if (seconds < MINUTE) return '2026-01-05T10:20:30'.length
  if (seconds < HOUR) return '2026-01-05T10:20'.length
  return seconds < DAY ? '2026-01-05T10'.length : '2026-01-05'.length
}

const REST = '0000-01-01T00:00:00'

/** Start of the unit. */
export const unitMillis = (unit: string): number => Date.parse(`${unit}${REST.slice(unit.length)}Z`)

export interface Bar {
  readonly start: string
  readonly actions: Readonly<Record<string, number>>
}

export const barStart = (millis: number, seconds: number): string =>
  new Date(Math.floor(millis / 1_000 / seconds) * seconds * 1_000).toISOString()

/** Only bars with events, in the order of time. */
export function barsOf(
  counted: readonly { readonly unit: string; readonly action: string; readonly events: number }[],
  seconds: number,
): Bar[] {
  const bars = new Map<string, Record<string, number>>()
  for (const { unit, action, events } of counted) {
    const start = barStart(unitMillis(unit), seconds)
    const actions = bars.get(start) ?? {}
    bars.set(start, actions)
    actions[action] = (actions[action] ?? 0) + events // the first unit of the bar
  }
  return [...bars]
    .map(([start, actions]) => ({ start, actions }))
    .toSorted((a, b) => (a.start < b.start ? -1 : 1))
}
