// HTTP routes for user-agent rules.
import { uaRules as operations, type WireUserAgentRule, ZONE_ACCESS_PER_PAGE } from '@zonereeve/contract'
import { pageOf, replyRemoved, route, type Route } from '../../../http/index.ts'
import type { StoredUserAgentRule } from './ua-rules.store.ts'
import type { UserAgentRules } from './ua-rules.service.ts'

export const userAgentRuleRoutes = (rules: UserAgentRules): Route[] => [
  route(operations.list, async ({ params, query }) => {
    const { description = query.description_search, user_agent: userAgent = query.ua_search, paused } = query
    const found = (await rules.list(params.zone_id)).filter(
      (rule) =>
        hasText(rule.description, description) &&
        hasText(rule.userAgent, userAgent) &&
        (paused === undefined || rule.paused === paused),
    )
    return pageOf(found.map(toWire), query, ZONE_ACCESS_PER_PAGE)
  }),
  route(operations.create, async ({ params, body, actor }) => ({
    result: toWire(await rules.create(params.zone_id, body, actor)),
  })),
  route(operations.get, async ({ params }) => ({
    result: toWire(await rules.get(params.zone_id, params.ua_rule_id)),
  })),
  route(operations.update, async ({ params, body, actor }) => ({
    result: toWire(await rules.replace(params.zone_id, params.ua_rule_id, body, actor)),
  })),
  route(operations.delete, ({ params, actor }) =>
    replyRemoved(params.ua_rule_id, rules.remove(params.zone_id, params.ua_rule_id, actor)),
  ),
]

const hasText = (text: string, sought: string | undefined): boolean =>
  sought === undefined || text.toLowerCase().includes(sought.toLowerCase())

const toWire = ({ id, description, mode, userAgent, paused }: StoredUserAgentRule): WireUserAgentRule => ({
  id,
  description,
  mode,
  configuration: { target: 'ua', value: userAgent },
  paused,
})
