// What webhooks and e-mail alerts have in common: a position in recorded events, and the retry schedule.
import { backoffMillis } from '@zonereeve/cooperate'

/** A subscription to events with increasing numbers. */
export interface Subscription<Kind extends string = string> {
  readonly id: string
  /** null = all, those of newer versions too. */
  readonly kinds: readonly Kind[] | null
  readonly isEnabled: boolean
  readonly createdOn: string
  /** Number of the last event that was delivered or skipped. */
  readonly lastEvent: number
  readonly deliveredAt: string | null
  /** Consecutive failures. */
  readonly failures: number
  /** null = the last attempt succeeded, or there was none. */
  readonly problem: string | null
  readonly nextAttemptAt: string
}

/** Delay after the first failure. */
export const FIRST_BACKOFF_MILLIS = 30_000
const LONGEST_BACKOFF_MILLIS = 6 * 3_600_000

/** Delay after this many consecutive failures: 30 seconds, one minute, two, up to six hours. */
export const retryMillis = (failures: number): number =>
  backoffMillis(failures, FIRST_BACKOFF_MILLIS, LONGEST_BACKOFF_MILLIS)
