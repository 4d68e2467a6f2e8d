// Logs refused requests. Strangers can cause them at packet rate, with spoofed addresses: a misconfigured secondary
// must be visible, and a flood must not fill the disk.
import type { Clock, Log } from '@zonereeve/platform'

/** Lines per minute at level info; all others are at debug, which is off by default. */
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
