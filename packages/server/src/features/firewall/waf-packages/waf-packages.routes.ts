// HTTP routes for the legacy managed rules.
import {
  wafGroups as groupOperations,
  wafPackages as operations,
  wafRules as ruleOperations,
} from '@zonereeve/contract'
import { pageOf, route, type Route } from '../../../http/index.ts'
import type { WafPackages } from './waf-packages.service.ts'
import { toWireGroup, toWirePackage, toWireRule } from './waf-packages.wire.ts'

const PER_PAGE = 50

export function wafPackageRoutes(waf: WafPackages): Route[] {
  return [...packageRoutes(waf), ...groupRoutes(waf), ...ruleRoutes(waf)]
}

function packageRoutes(waf: WafPackages): Route[] {
  return [
    route(operations.list, async ({ params, query }) => {
      const found = await waf.list(params.zone_id, {
        ...toListQuery(query),
        name: query.name,
        order: query.order,
      })
      const shown = found.map((item) => toWirePackage(item, params.zone_id))
      return pageOf(shown, query, PER_PAGE)
    }),
    route(operations.get, async ({ params }) => ({
      result: toWirePackage(await waf.get(params.zone_id, params.package_id), params.zone_id),
    })),
    route(operations.edit, async ({ params, body, actor }) => {
      const { sensitivity, action_mode: actionMode } = body
      const desired = {
        ...(sensitivity === undefined ? {} : { sensitivity }),
        ...(actionMode === undefined ? {} : { actionMode }),
      }
      const edited = await waf.edit(params.zone_id, params.package_id, desired, actor)
      return { result: toWirePackage(edited, params.zone_id) }
    }),
  ]
}

function groupRoutes(waf: WafPackages): Route[] {
  return [
    route(groupOperations.list, async ({ params, query }) => {
      const { mode, name, order, package_id: packageId, rules_count: ruleCount } = query
      const desired = { ...toListQuery(query), mode, name, order, packageId, ruleCount }
      const found = await waf.listGroups(params.zone_id, params.package_id, desired)
      return pageOf(found.map(toWireGroup), query, PER_PAGE)
    }),
    route(groupOperations.get, async ({ params }) => ({
      result: toWireGroup(await waf.getGroup(params.zone_id, params.package_id, params.group_id)),
    })),
    route(groupOperations.edit, async ({ params, body, actor }) => ({
      result: toWireGroup(
        await waf.editGroup(params.zone_id, params.package_id, params.group_id, body.mode, actor),
      ),
    })),
  ]
}

function ruleRoutes(waf: WafPackages): Route[] {
  return [
    route(ruleOperations.list, async ({ params, query }) => {
      const { mode, order, description, priority, group_id: groupId, package_id: packageId } = query
      const desired = { ...toListQuery(query), mode, order, description, priority, groupId, packageId }
      const found = await waf.listRules(params.zone_id, params.package_id, desired)
      return pageOf(found.map(toWireRule), query, PER_PAGE)
    }),
    route(ruleOperations.get, async ({ params }) => ({
      result: toWireRule(await waf.getRule(params.zone_id, params.package_id, params.rule_id)),
    })),
    route(ruleOperations.edit, async ({ params, body, actor }) => ({
      result: toWireRule(
        await waf.editRule(params.zone_id, params.package_id, params.rule_id, body.mode, actor),
      ),
    })),
  ]
}

const toListQuery = (query: { readonly match?: 'any' | 'all'; readonly direction?: 'asc' | 'desc' }) => ({
  match: query.match ?? 'all',
  descending: query.direction === 'desc',
})
