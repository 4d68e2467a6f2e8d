// HTTP for the history of a zone.
import { changes as operations } from '@zonereeve/contract'
import { route, type Reply, type Route } from '../../http/index.ts'
import type { History, Reverted } from './history.service.ts'
import { toWireChange, toWireSummary } from './history.wire.ts'

const PER_PAGE = 50

export function historyRoutes(history: History): Route[] {
  return [
    route(operations.list, async ({ params, query }) => {
      const page = query.page ?? 1
      const perPage = query.per_page ?? PER_PAGE
      const { changes, totalCount } = await history.list(params.zone_id, {
        offset: (page - 1) * perPage,
        limit: perPage,
      })
      const items = changes.map((change) => JSON.stringify(toWireSummary(change))).join(',')
      return { items, page, perPage, count: changes.length, totalCount }
    }),
    route(operations.get, async ({ params, caller }) => {
      const { change, notices } = await history.get(params.zone_id, Number(params.number), caller)
      return { result: toWireChange(change), notices }
    }),
    route(operations.revert, async ({ params, actor, ifMatch }) =>
      reverted(await history.revert(params.zone_id, Number(params.number), actor, ifMatch)),
    ),
    route(operations.restore, async ({ params, body, actor, ifMatch }) =>
      reverted(await history.restore(params.zone_id, { number: body.number, at: body.at }, actor, ifMatch)),
    ),
  ]
}

const reverted = ({ notices, ...counts }: Reverted): Reply => ({ result: counts, notices })
