// Time, injected: everything that needs to know when takes a Clock, so tests can hold it still.
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** UTC with microseconds, `2025-08-27T20:36:17.634961Z`: the resolution that clients see in timestamps. */
  timestamp(): string
}

/** By how much the time of day may leave what has passed since the start before it is followed: a clock is set, or a machine slept. */
const MAX_DRIFT_MILLIS = 1_000

export function systemClock(): Clock {
  let last = 0
  let origin = performance.timeOrigin
  return {
    now: () => Date.now(),
    timestamp() {
      const passed = performance.now()
      if (Math.abs(Date.now() - origin - passed) > MAX_DRIFT_MILLIS) origin = Date.now() - passed
      // Strictly increasing, so that two writes of one process never carry the same instant, unless the clock is put back.
      const micros = Math.floor((origin + passed) * 1000)
      last = micros > last || last - micros > MAX_DRIFT_MILLIS * 1000 ? micros : last + 1
      return formatMicros(last)
    },
  }
}

/** A clock that tests move by hand. */
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

function formatMicros(micros: number): string {
  const millis = Math.floor(micros / 1000)
  const rest = String(micros - millis * 1000).padStart(3, '0')
  return new Date(millis).toISOString().replace('Z', `${rest}Z`)
}
