// Webhooks of zones, and how events are posted to them. Secrets are never part of a change set.
import { type Clock, throwIfIssues } from '@zonereeve/platform'
import {
  type Channel,
  createSubscriptions,
  subscriptionsOfZone,
  type SubscriptionsDeps,
  type SubscriptionType,
} from '../event-deliveries/index.ts'
import {
  MAX_WEBHOOKS,
  signatureOf,
  urlIssues,
  type Webhook,
  type WebhookFields,
} from './page-shield-webhooks.rules.ts'
import {
  deleteWebhook,
  deleteWebhooks,
  dueWebhooks,
  findWebhook,
  insertWebhook,
  saveWebhook,
  webhooksOf,
} from './page-shield-webhooks.store.ts'
import { toDeliveryText } from './page-shield-webhooks.wire.ts'

export interface WebhookRequest {
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/**
 * Posts to an external URL, never to a private network.
 * @returns why the delivery failed; undefined on success.
 */
export type PostWebhook = (request: WebhookRequest) => Promise<string | undefined>

const TYPE: SubscriptionType<Webhook, WebhookFields> = {
  kind: 'page_shield.webhook',
  limit: MAX_WEBHOOKS,
  reasons: { unknown: 'page_shield_webhook.unknown', quota: 'page_shield_webhook.quota' },
  of: webhooksOf,
  find: findWebhook,
  insert: insertWebhook,
  save: saveWebhook,
  remove: deleteWebhook,
  removeAll: deleteWebhooks,
  check: ({ url }) => throwIfIssues(urlIssues(url)),
  toLogJson: ({ id, url, kinds, isEnabled, createdOn }) =>
    JSON.stringify({ id, url, kinds, isEnabled, createdOn }),
}

export type Webhooks = ReturnType<typeof createWebhooks>

export const createWebhooks = (deps: SubscriptionsDeps) =>
  createSubscriptions(deps, TYPE, (fields, common) => ({
    ...common,
    ...fields,
    secret: deps.ids.tokenValue(),
  }))

export const zoneWebhooks = subscriptionsOfZone('webhooks', TYPE)

/** Events per request. */
export const EVENTS_PER_REQUEST = 100

export const webhookChannel = ({
  clock,
  post,
}: {
  readonly clock: Clock
  readonly post: PostWebhook
}): Channel<Webhook> => ({
  name: 'webhook',
  eventsPerMessage: EVENTS_PER_REQUEST,
  due: dueWebhooks,
  find: findWebhook,
  save: saveWebhook,
  isSame: (one, other) => one.url === other.url,
  pauseMillis: () => 0,
  async send({ id, zoneId, url, secret }, events, signal) {
    const body = toDeliveryText(id, zoneId, events)
    const headers = {
      'content-type': 'application/json',
      'zonereeve-signature': signatureOf(secret, body, clock.now()),
      'zonereeve-webhook': id,
    }
    const problem = await post({ url, body, headers, signal })
    return { isAccepted: problem === undefined, problem: problem ?? null }
  },
})
