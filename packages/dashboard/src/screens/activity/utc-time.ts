// Times of the activity log are in UTC, as in other logs of the same requests.
const UTC = { timeZone: 'UTC', hourCycle: 'h23' } as const
const CLOCK = new Intl.DateTimeFormat(undefined, { ...UTC, hour: '2-digit', minute: '2-digit' })
const DAY = new Intl.DateTimeFormat(undefined, { ...UTC, day: 'numeric', month: 'short' })

const WHOLE_DAY = new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', dateStyle: 'medium' })

export const utcClock = (millis: number): string => CLOCK.format(millis)
export const utcDay = (millis: number): string => DAY.format(millis)
export const utcWholeDay = (at: string): string => WHOLE_DAY.format(new Date(at))

/** `25 Nov, 16:30`, with seconds if there are some. */
export function utcTime(millis: number): string {
  const seconds = new Date(millis).toISOString().slice(16, 19)
  return `${utcDay(millis)}, ${utcClock(millis)}${seconds === ':00' ? '' : seconds}`
}
