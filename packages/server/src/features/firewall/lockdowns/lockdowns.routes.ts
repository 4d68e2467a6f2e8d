// HTTP routes for zone lockdown.
import { lockdowns as operations, type WireLockdown, ZONE_ACCESS_PER_PAGE } from '@zonereeve/contract'
import { pageOf, replyRemoved, route, type Route } from '../../../http/index.ts'
import type { Lockdowns } from './lockdowns.service.ts'
import type { StoredLockdown } from './lockdowns.store.ts'

export const lockdownRoutes = (rules: Lockdowns): Route[] => [
  route(operations.list, async ({ params, query }) => {
    const { description = query.description_search, ip = query.ip_search, priority } = query
    const found = (await rules.list(params.zone_id)).filter(
      (rule) =>
        hasText([rule.description], description) &&
        hasText(rule.urls, query.uri_search) &&
        hasAddress(rule, 'ip', ip) &&
        hasAddress(rule, 'ip_range', query.ip_range_search) &&
        (priority === undefined || rule.priority === priority),
    )
    return pageOf(found.map(toWire), query, ZONE_ACCESS_PER_PAGE)
  }),
  route(operations.create, async ({ params, body, actor }) => ({
    result: toWire(await rules.create(params.zone_id, body, actor)),
  })),
  route(operations.get, async ({ params }) => ({
    result: toWire(await rules.get(params.zone_id, params.lock_downs_id)),
  })),
  route(operations.update, async ({ params, body, actor }) => ({
    result: toWire(await rules.replace(params.zone_id, params.lock_downs_id, body, actor)),
  })),
  route(operations.delete, ({ params, actor }) =>
    replyRemoved(params.lock_downs_id, rules.remove(params.zone_id, params.lock_downs_id, actor)),
  ),
]

const hasText = (strings: readonly string[], sought: string | undefined): boolean =>
  sought === undefined || strings.some((text) => text.toLowerCase().includes(sought.toLowerCase()))

const hasAddress = (
  { configurations }: StoredLockdown,
  target: 'ip' | 'ip_range',
  sought: string | undefined,
): boolean =>
  sought === undefined || configurations.some((one) => one.target === target && one.value === sought)

const toWire = (rule: StoredLockdown): WireLockdown => ({
  id: rule.id,
  created_on: rule.createdOn,
  modified_on: rule.modifiedOn,
  paused: rule.paused,
  description: rule.description,
  urls: [...rule.urls],
  configurations: rule.configurations.map(({ target, value }) => ({ target, value })),
  ...(rule.priority !== null && { priority: rule.priority }),
})
