// Time, injected: everything that needs the time takes a Clock, so that tests can stop it.
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** UTC with microseconds, `2025-08-27T20:36:17.634961Z`: the resolution that clients see in timestamps. */
  timestamp(): string
}

/**
 * Maximum drift between wall clock and monotonic clock before re-anchoring: the clock was set, or the machine
 * slept.
 */
const MAX_DRIFT_MILLIS = 1_000

export function systemClock(): Clock {
  let last = 0
  let origin = performance.timeOrigin
  return {
    now: () => Date.now(),
    timestamp() {
      const passed = performance.now()
      if (Math.abs(Date.now() - origin - passed) > MAX_DRIFT_MILLIS) origin = Date.now() - passed
      // Strictly increasing, so that no two writes of one process have the same timestamp, unless the clock is
      // set back.
      const micros = Math.floor((origin + passed) * 1000)
      last = micros > last || last - micros > MAX_DRIFT_MILLIS * 1000 ? micros : last + 1
      return formatMicros(last)
    },
  }
}

/** A clock that tests advance by hand. */
export function manualClock(startMillis: number): Clock & { advance(millis: number): void } {
  let millis = startMillis
  let micros = 0
  return {
    now: () => millis,
    timestamp: () => formatMicros(millis * 1000 + (micros += 1)),
    advance: (by) => {
      millis += by
      micros = 0
    },
  }
}

/** In the form of {@link Clock.timestamp}. */
export const formatTimestamp = (millis: number): string => formatMicros(millis * 1000)

const MICROS_PER_SECOND = 1_000_000
/** Many timestamps of a busy server are of the same second. */
let lastSecond = { second: Number.NaN, text: '' }

function formatMicros(micros: number): string {
  const second = Math.floor(micros / MICROS_PER_SECOND)
  if (second !== lastSecond.second) {
    const text = new Date(second * 1000).toISOString().slice(0, -'000Z'.length)
    lastSecond = { second, text }
  }
  const rest = Math.floor(micros - second * MICROS_PER_SECOND)
  return `${lastSecond.text}${String(rest).padStart(6, '0')}Z`
}
