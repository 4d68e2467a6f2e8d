// Webhooks of zones, and how events are posted to them. Secrets are never part of a change set.
import { type Channel, type Outcome, signatureOf } from '@zonereeve/alerts'
import { type Clock, throwIfIssues } from '@zonereeve/platform'
import {
  createSubscriptions,
  ofZones,
  pendingOfZone,
  subscriptionsOfZone,
  type SubscriptionsDeps,
  type SubscriptionType,
} from '../event-deliveries/index.ts'
import type { NumberedEvent } from '../page-shield/index.ts'
import { MAX_WEBHOOKS, urlIssues, type Webhook, type WebhookFields } from './page-shield-webhooks.rules.ts'
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
  ...ofZones,
  kind: 'page_shield.webhook',
  limit: MAX_WEBHOOKS,
  reasons: { unknown: 'page_shield_webhook.unknown', quota: 'page_shield_webhook.quota' },
  of: webhooksOf,
  find: findWebhook,
  insert: insertWebhook,
  save: saveWebhook,
  remove: deleteWebhook,
  check: ({ url }) => throwIfIssues(urlIssues(url)),
  toLogJson: ({ id, url, kinds, isEnabled, createdOn }) =>
    JSON.stringify({ id, url, kinds, isEnabled, createdOn }),
}

export type Webhooks = ReturnType<typeof createWebhooks>

export const createWebhooks = (deps: SubscriptionsDeps) =>
  createSubscriptions(deps, TYPE, (fields, common, zoneId) => ({
    ...common,
    zoneId,
    ...fields,
    secret: deps.ids.tokenValue(),
  }))

export const zoneWebhooks = subscriptionsOfZone('webhooks', TYPE, deleteWebhooks)

/** Events per request. */
export const EVENTS_PER_REQUEST = 100

export interface PostingDeps {
  readonly clock: Clock
  readonly post: PostWebhook
}

export const webhookChannel = (deps: PostingDeps): Channel<Webhook, NumberedEvent> => ({
  name: 'webhook',
  scopeOf: ({ zoneId }) => zoneId,
  due: dueWebhooks,
  find: findWebhook,
  pending: (db, webhook) => pendingOfZone(db, webhook, EVENTS_PER_REQUEST),
  save: saveWebhook,
  isSame: (one, other) => one.url === other.url,
  pauseMillis: () => 0,
  send: (webhook, events, signal) =>
    postSigned(deps, webhook, toDeliveryText(webhook.id, webhook.zoneId, events), signal),
})

/** Posts a message with the ID of its webhook, signed with the webhook's secret. */
export async function postSigned(
  { clock, post }: PostingDeps,
  { id, url, secret }: Pick<Webhook, 'id' | 'url' | 'secret'>,
  body: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const headers = {
    'content-type': 'application/json',
    'zonereeve-signature': signatureOf(secret, body, clock.now()),
    'zonereeve-webhook': id,
  }
  const problem = await post({ url, body, headers, signal })
  return { isAccepted: problem === undefined, problem: problem ?? null }
}
