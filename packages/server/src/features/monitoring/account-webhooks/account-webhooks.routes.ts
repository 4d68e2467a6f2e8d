// HTTP routes for webhooks of accounts.
import type { Tests } from '@zonereeve/alerts'
import { accountWebhooks as operations, WEBHOOKS_PER_PAGE } from '@zonereeve/contract'
import { pageOf, replyRemoved, route, type Route } from '../../../http/index.ts'
import { toWireTest } from '../event-deliveries/index.ts'
import type { AccountWebhook } from './account-webhooks.rules.ts'
import type { AccountWebhooks } from './account-webhooks.service.ts'
import { toFields, toNewWire, toPatch, toWire } from './account-webhooks.wire.ts'

export function accountWebhookRoutes(webhooks: AccountWebhooks, deliveries: Tests<AccountWebhook>): Route[] {
  return [
    route(operations.list, async ({ params, query }) =>
      pageOf((await webhooks.list(params.account_id)).map(toWire), query, WEBHOOKS_PER_PAGE),
    ),
    route(operations.create, async ({ params, body, actor }) => ({
      result: toNewWire(await webhooks.create(params.account_id, toFields(body), actor)),
    })),
    route(operations.get, async ({ params }) => ({
      result: toWire(await webhooks.get(params.account_id, params.webhook_id)),
    })),
    route(operations.edit, async ({ params, body, actor }) => ({
      result: toWire(await webhooks.edit(params.account_id, params.webhook_id, toPatch(body), actor)),
    })),
    route(operations.test, async ({ params }) => ({
      result: toWireTest(await deliveries.test(await webhooks.get(params.account_id, params.webhook_id))),
    })),
    route(operations.delete, ({ params, actor }) =>
      replyRemoved(params.webhook_id, webhooks.remove(params.account_id, params.webhook_id, actor)),
    ),
  ]
}
