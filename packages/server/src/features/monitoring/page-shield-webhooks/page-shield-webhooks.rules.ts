// Rules of webhooks: validation and signatures.
import { createHmac } from 'node:crypto'
import { type Issue, parseUrl } from '@zonereeve/platform'
import type { Subscription } from '../event-deliveries/index.ts'

export const MAX_WEBHOOKS = 10

export interface WebhookFields extends Pick<Subscription, 'kinds' | 'isEnabled'> {
  readonly url: string
}

export interface Webhook extends Subscription {
  readonly url: string
  readonly secret: string
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
