// HTTP routes for security events.
import { securityEvents as operations } from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import type { SecurityEvents } from './security-events.service.ts'
import { toWireEvent } from './security-events.wire.ts'

const PER_PAGE = 50

export const securityEventRoutes = ({ list }: SecurityEvents): Route[] => [
  route(operations.list, async ({ params, query }) => {
    const {
      cursor,
      per_page: perPage,
      rule_id: ruleId,
      ruleset_id: rulesetId,
      ray_id: rayId,
      ...rest
    } = query
    const filter = {
      ...rest,
      ...(ruleId === undefined ? {} : { ruleId }),
      ...(rulesetId === undefined ? {} : { rulesetId }),
      ...(rayId === undefined ? {} : { rayId }),
    }
    const page = await list(params.zone_id, filter, cursor, perPage ?? PER_PAGE)
    const items = page.events.map((event) => JSON.stringify(toWireEvent(event))).join(',')
    return { items, after: page.after }
  }),
]
