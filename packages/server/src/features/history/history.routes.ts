// HTTP for the history of a zone, and of the threat feeds, which belong to none.
import { changes as operations } from '@zonereeve/contract'
import { route, type Reply, type Route } from '../../http/index.ts'
import { FEEDS_SCOPE } from '../threat-feeds/index.ts'
import type { History, Reverted } from './history.service.ts'
import { toWireChange, toWireSummary } from './history.wire.ts'

const PER_PAGE = 50

export function historyRoutes(history: History): Route[] {
  async function listed(scopeId: string, query: { page?: number; per_page?: number }): Promise<Reply> {
    const page = query.page ?? 1
    const perPage = query.per_page ?? PER_PAGE
    const { changes, totalCount } = await history.list(scopeId, {
      offset: (page - 1) * perPage,
      limit: perPage,
    })
    const items = changes.map((change) => JSON.stringify(toWireSummary(change))).join(',')
    return { items, page, perPage, count: changes.length, totalCount }
  }

  return [
    route(operations.list, ({ params, query }) => listed(params.zone_id, query)),
    route(operations.get, async ({ params, caller }) => {
      const { change, notices } = await history.get(params.zone_id, Number(params.number), caller)
      return { result: toWireChange(change), notices }
    }),
    route(operations.listOfThreatFeeds, ({ query }) => listed(FEEDS_SCOPE, query)),
    route(operations.getOfThreatFeeds, async ({ params }) => ({
      result: toWireChange(await history.getOfScope(FEEDS_SCOPE, Number(params.number))),
    })),
    route(operations.revert, async ({ params, actor, ifMatch }) =>
      reverted(await history.revert(params.zone_id, Number(params.number), actor, ifMatch)),
    ),
    route(operations.restore, async ({ params, body, actor, ifMatch }) =>
      reverted(await history.restore(params.zone_id, { number: body.number, at: body.at }, actor, ifMatch)),
    ),
  ]
}

const reverted = ({ notices, ...counts }: Reverted): Reply => ({ result: counts, notices })
