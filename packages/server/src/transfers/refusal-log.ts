// Lines about requests that are refused. Strangers can cause them as fast as packets come in, with addresses made up: a
// secondary that is set up wrongly must be seen, and a flood must not fill the disk.
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'

/** Lines of a minute that are at level info; all others are at debug, which is usually off. */
export const MAX_REFUSALS_LOGGED = 60

const MINUTE_MILLIS = 60_000

export type RefusalLog = (fields: object, event: string) => void

export function createRefusalLog({
  log,
  clock,
}: {
  readonly log: Pick<Log, 'info' | 'debug'>
  readonly clock: Pick<Clock, 'now'>
}): RefusalLog {
  let minute = Number.NaN
  let lines = 0
  return (fields, event) => {
    const now = Math.floor(clock.now() / MINUTE_MILLIS)
    if (now !== minute) lines = 0
    minute = now
    lines += 1
    log[lines <= MAX_REFUSALS_LOGGED ? 'info' : 'debug'](fields, event)
  }
}
