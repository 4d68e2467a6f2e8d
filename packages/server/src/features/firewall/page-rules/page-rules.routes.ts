// HTTP routes for page rules.
import { pageRules as operations } from '@zonereeve/contract'
import { replyRemoved, route, type Reply, type Route } from '../../../http/index.ts'
import type { PageRules, WrittenPageRule } from './page-rules.service.ts'
import { toWirePageRule } from './page-rules.wire.ts'

export function pageRuleRoutes(rules: PageRules): Route[] {
  return [
    route(operations.list, async ({ params, query }) => {
      const desired = {
        order: query.order ?? 'priority',
        descending: query.direction !== 'asc',
        status: query.status,
      }
      return { result: (await rules.list(params.zone_id, desired)).map(toWirePageRule) }
    }),
    route(operations.create, async ({ params, body, actor }) =>
      writeReply(await rules.create(params.zone_id, body, actor)),
    ),
    route(operations.settings, async ({ params }) => ({ result: await rules.settings(params.zone_id) })),
    route(operations.get, async ({ params }) => ({
      result: toWirePageRule(await rules.get(params.zone_id, params.pagerule_id)),
    })),
    route(operations.update, async ({ params, body, actor }) =>
      writeReply(await rules.replace(params.zone_id, params.pagerule_id, body, actor)),
    ),
    route(operations.edit, async ({ params, body, actor }) =>
      writeReply(await rules.edit(params.zone_id, params.pagerule_id, body, actor)),
    ),
    route(operations.delete, ({ params, actor }) =>
      replyRemoved(params.pagerule_id, rules.remove(params.zone_id, params.pagerule_id, actor)),
    ),
  ]
}

const writeReply = ({ rule, notices }: WrittenPageRule): Reply => ({ result: toWirePageRule(rule), notices })
