// Times: short in lists, exact on hover and focus, in the reader's zone and in UTC.
const UNITS = [
  { millis: 365 * 86_400_000, name: 'y' },
  { millis: 30 * 86_400_000, name: 'mo' },
  { millis: 86_400_000, name: 'd' },
  { millis: 3_600_000, name: 'h' },
  { millis: 60_000, name: 'min' },
] as const

const EXACT = { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' } as const
const LOCAL = new Intl.DateTimeFormat(undefined, EXACT)
const UTC = new Intl.DateTimeFormat(undefined, { ...EXACT, timeZone: 'UTC' })

/** `4 min`, `2 d`; `now` below a minute. */
export function age(at: string, now = Date.now()): string {
  const passed = now - Date.parse(at)
  const unit = UNITS.find(({ millis }) => passed >= millis)
  return unit === undefined ? 'now' : `${Math.floor(passed / unit.millis)} ${unit.name}`
}

const localTime = (at: string): string => LOCAL.format(new Date(at))
const utcTime = (at: string): string => UTC.format(new Date(at))

/** For hovering: in the reader's zone and in UTC, once if they are the same. */
export function exactTime(at: string): string {
  const [local, utc] = [localTime(at), utcTime(at)]
  return local === utc ? utc : `${local} (${utc})`
}

interface TimeProps {
  readonly at: string
}

/** In the reader's zone, in UTC on hover. */
export function Exact({ at }: TimeProps) {
  return (
    <time dateTime={at} title={utcTime(at)}>
      {localTime(at)}
    </time>
  )
}

const createTime = (textOf: (at: string) => string) =>
  function Time({ at }: TimeProps) {
    return (
      <time dateTime={at} title={exactTime(at)}>
        {textOf(at)}
      </time>
    )
  }

export const Age = createTime((at) => age(at))

/** `in 3 d`, `in 4 min`; `now` if it has passed. */
function untilText(at: string, now = Date.now()): string {
  const left = Date.parse(at) - now
  const unit = UNITS.find(({ millis }) => left >= millis)
  return unit === undefined ? 'now' : `in ${Math.floor(left / unit.millis)} ${unit.name}`
}

export const Until = createTime((at) => untilText(at))

const SHORT = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
})
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** `18 Nov 2026, 09:02`, for where nothing can be hovered over. */
export const dateTime = (at: string): string => SHORT.format(new Date(at))

export const DateTime = createTime(dateTime)

export const Clock = createTime((at) => CLOCK.format(new Date(at)))

export const dayOf = (at: string): string => DAY.format(new Date(at))

const MONTH = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric' })

export const monthOf = (at: string): string => MONTH.format(new Date(at))

export const Day = createTime(dayOf)
