// HTTP routes for firewall rules.
import { firewallRules as operations } from '@zonereeve/contract'
import { pageOf, route, type Route } from '../../../http/index.ts'
import { readIds, withPointers } from '../filters/index.ts'
import type { FirewallRules, WrittenFirewallRules } from './firewall-rules.service.ts'
import {
  toRuleDefinition,
  toRulePatch,
  toRuleReplacement,
  toWireDeletedRule,
  toWireFirewallRule,
} from './firewall-rules.wire.ts'

const PER_PAGE = 25

export function firewallRuleRoutes(rules: FirewallRules): Route[] {
  return [
    route(operations.list, async ({ params, query }) => {
      const { id, description, action, paused } = query
      const found = await rules.list(params.zone_id, { id, description, action, paused })
      return pageOf(found.map(toWireFirewallRule), query, PER_PAGE)
    }),
    route(operations.create, async ({ params, body, actor }) => {
      const definitions = withPointers(body).map(({ item, pointer }) => toRuleDefinition(item, pointer))
      return writeReply(await rules.create(params.zone_id, definitions, actor))
    }),
    route(operations.updateMany, async ({ params, body, actor }) => {
      const changes = withPointers(body).map(({ item, pointer }) => toRuleReplacement(item.id, item, pointer))
      return writeReply(await rules.change(params.zone_id, changes, actor))
    }),
    route(operations.editMany, async ({ params, body, actor }) => {
      const changes = withPointers(body).map(({ item, pointer }) => toRulePatch(item.id, item, pointer))
      return writeReply(await rules.change(params.zone_id, changes, actor))
    }),
    route(operations.deleteMany, async ({ params, query, body, actor }) => {
      const alsoFilters = query.delete_filter_if_unused ?? body.delete_filter_if_unused ?? false
      const deleted = await rules.remove(params.zone_id, readIds(query.id), alsoFilters, actor)
      return { result: deleted.map((rule) => toWireDeletedRule(rule, alsoFilters)) }
    }),
    route(operations.get, async ({ params }) => ({
      result: toWireFirewallRule(await rules.get(params.zone_id, params.rule_id)),
    })),
    route(operations.update, async ({ params, body, actor }) => {
      const change = toRuleReplacement(params.rule_id, body, '')
      const { result, notices } = writeReply(await rules.change(params.zone_id, [change], actor))
      return { result: result[0], notices }
    }),
    route(operations.edit, async ({ params, body, actor }) => {
      const change = toRulePatch(params.rule_id, body, '')
      return writeReply(await rules.change(params.zone_id, [change], actor))
    }),
    route(operations.delete, async ({ params, query, body, actor }) => {
      const alsoFilters = query.delete_filter_if_unused ?? body.delete_filter_if_unused ?? false
      const deleted = await rules.remove(params.zone_id, [params.rule_id], alsoFilters, actor)
      return { result: deleted.map((rule) => toWireDeletedRule(rule, alsoFilters))[0] }
    }),
  ]
}

const writeReply = ({ rules, notices }: WrittenFirewallRules) => ({
  result: rules.map(toWireFirewallRule),
  notices,
})
