// Rules of webhooks: validation, signatures, and the retry schedule.
import { backoffMillis } from '@zonereeve/cooperate'
import { createHmac } from 'node:crypto'
import { type Issue, parseUrl } from '@zonereeve/platform'
import type { EventKind } from '../page-shield/index.ts'

export const MAX_WEBHOOKS = 10

export interface WebhookFields {
  readonly url: string
  /** null = all, those of newer versions too. */
  readonly kinds: readonly EventKind[] | null
  readonly isEnabled: boolean
}

export interface Webhook extends WebhookFields {
  readonly id: string
  readonly zoneId: string
  readonly secret: string
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

export function urlIssues(text: string): readonly Issue[] {
  const url = parseUrl(text)
  const isPosted =
    url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return isPosted ? [] : [{ reason: 'page_shield_webhook.url', pointer: '/url' }]
}

/**
 * `t=SECONDS,v1=HEX`: the time is signed together with the body, so that replays of old deliveries are
 * detected.
 */
export function signatureOf(secret: string, body: string, nowMillis: number): string {
  const seconds = Math.floor(nowMillis / 1000)
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${digest}`
}

export const FIRST_BACKOFF_MILLIS = 30_000
const LONGEST_BACKOFF_MILLIS = 6 * 3_600_000

/** Delay after this many consecutive failures: 30 seconds, one minute, two, up to six hours. */
export const retryMillis = (failures: number): number =>
  backoffMillis(failures, FIRST_BACKOFF_MILLIS, LONGEST_BACKOFF_MILLIS)
