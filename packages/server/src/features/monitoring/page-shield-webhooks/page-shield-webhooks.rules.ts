// Rules of webhooks: validation.
import { type Issue, parseUrl } from '@zonereeve/platform'
import type { ZoneSubscription } from '../event-deliveries/index.ts'

export const MAX_WEBHOOKS = 10

export interface WebhookFields extends Pick<ZoneSubscription, 'kinds' | 'isEnabled'> {
  readonly url: string
}

export interface Webhook extends ZoneSubscription {
  readonly url: string
  readonly secret: string
}

export function urlIssues(text: string): readonly Issue[] {
  const url = parseUrl(text)
  const isPosted =
    url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return isPosted ? [] : [{ reason: 'page_shield_webhook.url', pointer: '/url' }]
}
