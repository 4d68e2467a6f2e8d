// Webhooks: events of client-side monitoring, posted to a server of the user's choice as they happen.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { PAGE_SHIELD_EVENTS } from './page-shield-extensions.ts'
import { PAGE_SHIELD_READ, PAGE_SHIELD_WRITE } from './page-shield.ts'
import {
  closedObject,
  namedObject,
  nullable,
  objectId,
  oneOf,
  page,
  perPage,
  timestamp,
} from './primitives.ts'

const base = '/zonereeve/zones/{zone_id}/page_shield/webhooks'

const MAX_URL_CHARACTERS = 2048
export const WEBHOOKS_PER_PAGE = 20

export const webhookUrl = Type.String({
  minLength: 1,
  maxLength: MAX_URL_CHARACTERS,
  description:
    'The URL that events are posted to: http or https, without credentials; redirects are not followed.',
  examples: ['https://alerts.example.com/zonereeve'],
})
export const deliveredKinds = Type.Array(oneOf(PAGE_SHIELD_EVENTS), {
  minItems: 1,
  uniqueItems: true,
  description: 'Events to deliver; default: all.',
})
export const deliveryEnabled = Type.Boolean({
  description: 'While it is off, events wait until it is on again.',
})
export const deliveryStatus = Type.Object({
  last_event: Type.Integer({ description: 'Number of the last event that was delivered or skipped.' }),
  delivered_at: nullable(timestamp('When a delivery last succeeded; null = never.')),
  failures: Type.Integer({ description: 'Failed attempts in a row.' }),
  problem: nullable(Type.String({ description: 'Why the last attempt failed; null = it did not.' })),
  next_attempt_at: timestamp('Time of the next attempt, if events are waiting.'),
})
/** The result of a test. */
export const DeliveryTest = Type.Object({
  accepted: Type.Boolean({ description: 'Whether the test was accepted.' }),
  problem: nullable(Type.String({ description: 'Why it was not, or only in part; null = no problem.' })),
})
export type WireDeliveryTest = Static<typeof DeliveryTest>

const WireWebhook = namedObject('PageShieldWebhook', {
  id: objectId('the webhook'),
  url: webhookUrl,
  kinds: deliveredKinds,
  enabled: deliveryEnabled,
  created_on: timestamp('When it was created: later events are delivered.'),
  secret: Type.Optional(
    Type.String({
      description:
        'Key that signs the requests. Shown once, in the reply to the request that created the webhook.',
    }),
  ),
  status: deliveryStatus,
})
export type WireWebhook = Static<typeof WireWebhook>

const WebhookPost = closedObject({
  url: webhookUrl,
  kinds: Type.Optional(deliveredKinds),
  enabled: Type.Optional(deliveryEnabled),
})
export type WebhookPost = Static<typeof WebhookPost>

const WebhookPatch = Type.Partial(
  Type.Object({ url: webhookUrl, kinds: deliveredKinds, enabled: deliveryEnabled }),
  {
    additionalProperties: false,
  },
)
export type WebhookPatch = Static<typeof WebhookPatch>

const section = {
  tag: 'Client-side monitoring: extensions',
  params: { zone_id: objectId('the zone'), webhook_id: objectId('the webhook') },
}

export const pageShieldWebhooks = operations('page_shield.webhooks', section, {
  list: {
    route: `GET ${base}`,
    summary: 'List the webhooks of a zone',
    permission: PAGE_SHIELD_READ,
    query: Type.Object({ page, per_page: perPage(1, 100, WEBHOOKS_PER_PAGE) }),
    onceInQuery: 'all',
    result: WireWebhook,
    list: true,
  },
  create: {
    route: `POST ${base}`,
    summary: 'Create a webhook that posts events of a zone to a URL',
    description:
      'Events are posted as JSON, oldest first, at least once each. They are signed with the secret in this reply: header `zonereeve-signature: t=SECONDS,v1=HEX`, the HMAC-SHA256 of `SECONDS.BODY`. Any status from 200 to 299 confirms them; after any other result delivery is retried with increasing delays.',
    permission: PAGE_SHIELD_WRITE,
    body: WebhookPost,
    result: WireWebhook,
  },
  get: {
    route: `GET ${base}/{webhook_id}`,
    summary: 'Get a webhook with its delivery status',
    permission: PAGE_SHIELD_READ,
    result: WireWebhook,
  },
  edit: {
    route: `PATCH ${base}/{webhook_id}`,
    summary: 'Change a webhook',
    description:
      'Members that are not sent are not changed. After failures, waiting events are retried at once.',
    permission: PAGE_SHIELD_WRITE,
    body: WebhookPatch,
    result: WireWebhook,
  },
  test: {
    route: `POST ${base}/{webhook_id}/test`,
    summary: 'Post a test to a webhook',
    description:
      'A signed request without events is posted at once, also while the webhook is off. Waiting events stay. At most one test in 30 seconds for all webhooks of a zone.',
    permission: PAGE_SHIELD_WRITE,
    body: closedObject({}),
    result: DeliveryTest,
  },
  delete: {
    route: `DELETE ${base}/{webhook_id}`,
    summary: 'Delete a webhook',
    description: 'Waiting events are not delivered.',
    permission: PAGE_SHIELD_WRITE,
    result: Type.Object({ id: objectId('the webhook') }),
  },
})
