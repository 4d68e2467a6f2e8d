// Time, injected: everything that needs to know when takes a Clock, so tests can hold it still.
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** UTC with microseconds, `2025-08-27T20:36:17.634961Z`: the resolution that clients see in timestamps. */
  timestamp(): string
}

/** More than any number of writes takes: then the clock was put back, and is followed. */
const MOST_AHEAD_MICROS = 1_000_000

export function systemClock(): Clock {
  let last = 0
  return {
    now: () => Date.now(),
    timestamp() {
      // Strictly increasing, so that two writes of one process never carry the same instant, unless the clock is put back.
      const micros = Date.now() * 1000 + Math.floor((performance.now() * 1000) % 1000)
      last = micros > last || last - micros > MOST_AHEAD_MICROS ? micros : last + 1
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
