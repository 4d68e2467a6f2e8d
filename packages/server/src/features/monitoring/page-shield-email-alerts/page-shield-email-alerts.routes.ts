// HTTP routes for e-mail alerts of monitoring.
import { EMAIL_ALERTS_PER_PAGE, pageShieldEmailAlerts as operations } from '@zonereeve/contract'
import type { Tests } from '@zonereeve/alerts'
import { pageOf, replyRemoved, route, type Route } from '../../../http/index.ts'
import type { EmailAlerts } from './page-shield-email-alerts.service.ts'
import { toWireTest } from '../event-deliveries/index.ts'
import type { EmailAlert } from './page-shield-email-alerts.rules.ts'
import { toEmailAlertFields, toEmailAlertPatch, toWireEmailAlert } from './page-shield-email-alerts.wire.ts'

export function pageShieldEmailAlertRoutes(alerts: EmailAlerts, deliveries: Tests<EmailAlert>): Route[] {
  return [
    route(operations.list, async ({ params, query }) =>
      pageOf((await alerts.list(params.zone_id)).map(toWireEmailAlert), query, EMAIL_ALERTS_PER_PAGE),
    ),
    route(operations.create, async ({ params, body, actor }) => ({
      result: toWireEmailAlert(await alerts.create(params.zone_id, toEmailAlertFields(body), actor)),
    })),
    route(operations.get, async ({ params }) => ({
      result: toWireEmailAlert(await alerts.get(params.zone_id, params.alert_id)),
    })),
    route(operations.edit, async ({ params, body, actor }) => ({
      result: toWireEmailAlert(
        await alerts.edit(params.zone_id, params.alert_id, toEmailAlertPatch(body), actor),
      ),
    })),
    route(operations.test, async ({ params }) => ({
      result: toWireTest(await deliveries.test(await alerts.get(params.zone_id, params.alert_id))),
    })),
    route(operations.delete, ({ params, actor }) =>
      replyRemoved(params.alert_id, alerts.remove(params.zone_id, params.alert_id, actor)),
    ),
  ]
}
