// HTTP routes for overrides of the legacy managed rules.
import { wafOverrides as operations } from '@zonereeve/contract'
import { pageOf, replyRemoved, route, type Reply, type Route } from '../../../http/index.ts'
import type { WafOverrides, WrittenOverride } from './waf-overrides.service.ts'
import { toOverrideContent, toWireOverride } from './waf-overrides.wire.ts'

const PER_PAGE = 50

export function wafOverrideRoutes(overrides: WafOverrides): Route[] {
  return [
    route(operations.list, async ({ params, query }) =>
      pageOf((await overrides.list(params.zone_id)).map(toWireOverride), query, PER_PAGE),
    ),
    route(operations.create, async ({ params, body, actor }) =>
      writeReply(await overrides.create(params.zone_id, toOverrideContent(body), actor)),
    ),
    route(operations.get, async ({ params }) => ({
      result: toWireOverride(await overrides.get(params.zone_id, params.overrides_id)),
    })),
    route(operations.update, async ({ params, body, actor }) =>
      writeReply(
        await overrides.replace(params.zone_id, params.overrides_id, toOverrideContent(body), actor),
      ),
    ),
    route(operations.delete, ({ params, actor }) =>
      replyRemoved(params.overrides_id, overrides.remove(params.zone_id, params.overrides_id, actor)),
    ),
  ]
}

const writeReply = ({ override, notices }: WrittenOverride): Reply => ({
  result: toWireOverride(override),
  notices,
})
