// What a webhook may be, how what it is told is signed, and when a failed delivery is tried again.
import { createHmac } from 'node:crypto'
import type { Issue } from '../../platform/domain-error.ts'
import { parseUrl } from '../../platform/parse-url.ts'
import type { EventKind } from '../page-shield/index.ts'

export const MAX_WEBHOOKS = 10

export interface WebhookFields {
  readonly url: string
  /** undefined = all, those of newer versions too. */
  readonly kinds: readonly EventKind[] | undefined
  readonly isEnabled: boolean
}

export interface Webhook extends WebhookFields {
  readonly id: string
  readonly zoneId: string
  readonly secret: string
  readonly createdOn: string
  /** Number of the last event that was told or passed over. */
  readonly lastEvent: number
  readonly deliveredAt: string | null
  /** In a row. */
  readonly failures: number
  /** null = the last try went well, or there was none. */
  readonly problem: string | null
  readonly nextAttemptAt: string
}

export function urlIssues(text: string): readonly Issue[] {
  const url = parseUrl(text)
  const isPosted =
    url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return isPosted ? [] : [{ reason: 'page_shield_webhook.url', pointer: '/url' }]
}

/** `t=SECONDS,v1=HEX`: the time is signed with the body, so that nobody can send an old one again unnoticed. */
export function signatureOf(secret: string, body: string, nowMillis: number): string {
  const seconds = Math.floor(nowMillis / 1000)
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${digest}`
}

export const FIRST_BACKOFF_MILLIS = 30_000
const LONGEST_BACKOFF_MILLIS = 6 * 3_600_000

/** After that many failures in a row: half a minute, one, two, up to six hours. */
export const backoffMillis = (failures: number): number =>
  Math.min(FIRST_BACKOFF_MILLIS * 2 ** (failures - 1), LONGEST_BACKOFF_MILLIS)
