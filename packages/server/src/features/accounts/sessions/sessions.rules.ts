// When sessions end.
import { formatTimestamp } from '@zonereeve/platform'

const HOUR = 3_600_000

/** A session ends when it was not used for this long, */
export const IDLE_MILLIS = 12 * HOUR
/** and at the latest this long after signing in. */
export const SESSION_MILLIS = 30 * 24 * HOUR
/** How long a user counts as recently authenticated. */
export const RECENT_MILLIS = 300_000

interface Times {
  readonly lastUsedOn: string
  readonly expiresOn: string
}

/** False also for times that cannot be read. */
export const isLive = ({ lastUsedOn, expiresOn }: Times, now: number): boolean =>
  Date.parse(expiresOn) > now && Date.parse(lastUsedOn) + IDLE_MILLIS > now

/** When the session ends if it is not used before. */
export const idleEndOf = ({ lastUsedOn, expiresOn }: Times): string =>
  formatTimestamp(Math.min(Date.parse(lastUsedOn) + IDLE_MILLIS, Date.parse(expiresOn)))
