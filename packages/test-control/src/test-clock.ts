// A clock that a test suite sets, advances and stops.
import { formatTimestamp, type Clock } from '@zonereeve/platform'

export interface TestClock extends Clock {
  /** Sets the time, in milliseconds since the epoch; it runs on from there, unless the clock is stopped. */
  set(millis: number): void
  advance(millis: number): void
  stop(): void
  /** Lets a stopped clock run on. */
  start(): void
  /** Returns to the time of the system. */
  reset(): void
  readonly isStopped: boolean
}

export function createTestClock(system: Clock): TestClock {
  let offset = 0
  let stoppedAt: number | undefined
  let lastMicros = 0
  const now = (): number => stoppedAt ?? system.now() + offset
  const set = (millis: number): void => {
    if (stoppedAt !== undefined) stoppedAt = millis
    offset = millis - system.now()
    lastMicros = 0
  }
  return {
    now,
    timestamp() {
      if (stoppedAt === undefined && offset === 0) return system.timestamp()
      // Strictly increasing within a millisecond, as clients expect of writes that follow each other.
      const micros = now() * 1000
      lastMicros = Math.max(micros, lastMicros + 1)
      const millis = Math.floor(lastMicros / 1000)
      const rest = String(lastMicros - millis * 1000).padStart(3, '0')
      return formatTimestamp(millis).replace('000Z', `${rest}Z`)
    },
    set,
    advance: (millis) => set(now() + millis),
    stop() {
      stoppedAt = now()
    },
    start() {
      if (stoppedAt === undefined) return
      const from = stoppedAt
      stoppedAt = undefined
      set(from)
    },
    reset() {
      stoppedAt = undefined
      offset = 0
      lastMicros = 0
    },
    get isStopped() {
      return stoppedAt !== undefined
    },
  }
}
