// HTTP routes for monitoring webhooks.
import { pageShieldWebhooks as operations, WEBHOOKS_PER_PAGE } from '@zonereeve/contract'
import type { Tests } from '@zonereeve/alerts'
import { pageOf, replyRemoved, route, type Route } from '../../../http/index.ts'
import { toWireTest } from '../event-deliveries/index.ts'
import type { Webhook } from './page-shield-webhooks.rules.ts'
import type { Webhooks } from './page-shield-webhooks.service.ts'
import {
  toNewWireWebhook,
  toWebhookFields,
  toWebhookPatch,
  toWireWebhook,
} from './page-shield-webhooks.wire.ts'

export function pageShieldWebhookRoutes(webhooks: Webhooks, deliveries: Tests<Webhook>): Route[] {
  return [
    route(operations.list, async ({ params, query }) =>
      pageOf((await webhooks.list(params.zone_id)).map(toWireWebhook), query, WEBHOOKS_PER_PAGE),
    ),
    route(operations.create, async ({ params, body, actor }) => ({
      result: toNewWireWebhook(await webhooks.create(params.zone_id, toWebhookFields(body), actor)),
    })),
    route(operations.get, async ({ params }) => ({
      result: toWireWebhook(await webhooks.get(params.zone_id, params.webhook_id)),
    })),
    route(operations.edit, async ({ params, body, actor }) => ({
      result: toWireWebhook(
        await webhooks.edit(params.zone_id, params.webhook_id, toWebhookPatch(body), actor),
      ),
    })),
    route(operations.test, async ({ params }) => ({
      result: toWireTest(await deliveries.test(await webhooks.get(params.zone_id, params.webhook_id))),
    })),
    route(operations.delete, ({ params, actor }) =>
      replyRemoved(params.webhook_id, webhooks.remove(params.zone_id, params.webhook_id, actor)),
    ),
  ]
}
