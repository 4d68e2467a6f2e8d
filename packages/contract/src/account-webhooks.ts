// Webhooks of accounts: changes of an account and its zones, or its security events, posted to a server of the user's
// choice as they happen.
import { Type, type Static } from 'typebox'
import { AUDIT_READ } from './audit-logs.ts'
import { operations } from './operation.ts'
import {
  deliveryEnabled,
  deliveryStatus,
  DeliveryTest,
  webhookUrl,
  WEBHOOKS_PER_PAGE,
} from './page-shield-webhooks.ts'
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

const base = '/zonereeve/accounts/{account_id}/webhooks'

/** What changes are about. */
export const CHANGE_KINDS = [
  'zone',
  'records',
  'settings',
  'dnssec',
  'transfers',
  'firewall',
  'migration',
  'monitoring',
  'access',
  'account',
] as const

const source = oneOf(['changes', 'security_events'], {
  description:
    '`changes`: those of the account and its zones, as entries of the audit log. `security_events`: what the firewall did in its zones, counted by zone, action and rule, at most once a minute.',
})
const kinds = Type.Array(oneOf(CHANGE_KINDS), {
  minItems: 1,
  uniqueItems: true,
  description:
    'Changes to deliver; default: all. `migration` is that of the firewall, `access` are tokens of the account, `account` is everything else. Only with the source `changes`.',
})

const WireAccountWebhook = namedObject('AccountWebhook', {
  id: objectId('the webhook'),
  source,
  url: webhookUrl,
  kinds: nullable(kinds),
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
export type WireAccountWebhook = Static<typeof WireAccountWebhook>

const AccountWebhookPost = closedObject({
  source,
  url: webhookUrl,
  kinds: Type.Optional(kinds),
  enabled: Type.Optional(deliveryEnabled),
})
export type AccountWebhookPost = Static<typeof AccountWebhookPost>

const AccountWebhookPatch = Type.Partial(Type.Object({ url: webhookUrl, kinds, enabled: deliveryEnabled }), {
  additionalProperties: false,
})
export type AccountWebhookPatch = Static<typeof AccountWebhookPatch>

const reading = { on: 'account', anyOf: AUDIT_READ } as const
const writing = { on: 'account', anyOf: ['Account Settings Write'] } as const

export const accountWebhooks = operations(
  'account_webhooks',
  { tag: 'Accounts', params: { account_id: objectId('the account'), webhook_id: objectId('the webhook') } },
  {
    list: {
      route: `GET ${base}`,
      summary: 'List the webhooks of an account',
      permission: reading,
      query: Type.Object({ page, per_page: perPage(1, 100, WEBHOOKS_PER_PAGE) }),
      onceInQuery: 'all',
      result: WireAccountWebhook,
      list: true,
    },
    create: {
      route: `POST ${base}`,
      summary: 'Create a webhook for changes or security events',
      description:
        'Changes are posted as entries of the audit log, without the addresses of clients, oldest first, at least once each. Requests are signed and retried like those of monitoring: header `zonereeve-signature: t=SECONDS,v1=HEX`, the HMAC-SHA256 of `SECONDS.BODY` with the secret in this reply. Any status from 200 to 299 confirms them.',
      permission: writing,
      body: AccountWebhookPost,
      result: WireAccountWebhook,
    },
    get: {
      route: `GET ${base}/{webhook_id}`,
      summary: 'Get a webhook of an account with its delivery status',
      permission: reading,
      result: WireAccountWebhook,
    },
    edit: {
      route: `PATCH ${base}/{webhook_id}`,
      summary: 'Change a webhook of an account',
      description:
        'Members that are not sent are not changed. After failures, waiting events are retried at once.',
      permission: writing,
      body: AccountWebhookPatch,
      result: WireAccountWebhook,
    },
    test: {
      route: `POST ${base}/{webhook_id}/test`,
      summary: 'Post a test to a webhook of an account',
      description:
        'A signed request without events is posted at once, also while the webhook is off. Waiting events stay. At most one test in 30 seconds for all webhooks of an account.',
      permission: writing,
      body: closedObject({}),
      result: DeliveryTest,
    },
    delete: {
      route: `DELETE ${base}/{webhook_id}`,
      summary: 'Delete a webhook of an account',
      description: 'Waiting events are not delivered.',
      permission: writing,
      result: Type.Object({ id: objectId('the webhook') }),
    },
  },
)
