// HTTP routes for IP access rules.
import {
  ACCESS_RULES_PER_PAGE,
  accountAccessRules,
  userAccessRules,
  zoneAccessRules,
} from '@zonereeve/contract'
import { pathId } from '../../../http/path-id.ts'
import { pageOf, replyRemoved, route, type Route } from '../../../http/index.ts'
import type { AccessRules } from './access-rules.service.ts'
import type { AccessScope } from './access-rules.store.ts'
import {
  searchAccessRules,
  toAccessRuleChange,
  toNewAccessRule,
  toWireAccessRule,
} from './access-rules.wire.ts'

export const accessRuleRoutes = (rules: AccessRules): Route[] => [
  ...routesOf(zoneAccessRules, (ids) => ({ kind: 'zone', id: pathId(ids, 'zone_id') }), rules),
  ...routesOf(accountAccessRules, (ids) => ({ kind: 'account', id: pathId(ids, 'account_id') }), rules),
  ...routesOf(userAccessRules, () => ({ kind: 'user' }), rules),
]

type Operations = typeof zoneAccessRules | typeof accountAccessRules | typeof userAccessRules
type Ids = Readonly<Record<string, string>>

function routesOf(operations: Operations, scopeOf: (ids: Ids) => AccessScope, rules: AccessRules): Route[] {
  const ruleId = (params: Ids): string => pathId(params, 'rule_id')
  return [
    route(operations.list, async ({ params = {}, query, caller }) => {
      const scope = scopeOf(params)
      const found = searchAccessRules(await rules.list(scope), query)
      const shown = found.map((rule) => toWireAccessRule(rule, scope, caller.userId))
      return pageOf(shown, query, ACCESS_RULES_PER_PAGE)
    }),
    route(operations.create, async ({ params = {}, body, caller, actor }) => {
      const scope = scopeOf(params)
      const rule = await rules.create(scope, toNewAccessRule(body), actor)
      return { result: toWireAccessRule(rule, scope, caller.userId) }
    }),
    route(operations.get, async ({ params, caller }) => {
      const scope = scopeOf(params)
      return { result: toWireAccessRule(await rules.get(scope, ruleId(params)), scope, caller.userId) }
    }),
    route(operations.edit, async ({ params, body, caller, actor }) => {
      const scope = scopeOf(params)
      const rule = await rules.edit(scope, ruleId(params), toAccessRuleChange(body), actor)
      return { result: toWireAccessRule(rule, scope, caller.userId) }
    }),
    route(operations.delete, ({ params, actor }) =>
      replyRemoved(ruleId(params), rules.remove(scopeOf(params), ruleId(params), actor)),
    ),
  ]
}
