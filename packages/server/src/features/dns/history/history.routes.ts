// HTTP routes for the history of a zone, and of the threat feeds, which belong to no zone.
import { changes as operations, type ChangeListQuery } from '@zonereeve/contract'
import { pageRange } from '@zonereeve/platform'
import { route, type Reply, type Route } from '../../../http/index.ts'
import type { History, Reverted } from './history.service.ts'
import { toChangeText, toComparedText, toSummaryText } from './history.wire.ts'

const PER_PAGE = 50

/** @param feedsScope Scope of the change sets of threat feeds. */
export function historyRoutes(history: History, feedsScope: string): Route[] {
  async function listChanges(
    scopeId: string,
    { page = 1, per_page: perPage = PER_PAGE, ...filter }: ChangeListQuery,
  ): Promise<Reply> {
    const { changes, totalCount } = await history.list(scopeId, filter, pageRange(page, perPage))
    const items = changes.map(toSummaryText).join(',')
    return { items, page, perPage, count: changes.length, totalCount }
  }

  return [
    route(operations.list, ({ params, query }) => listChanges(params.zone_id, query)),
    route(operations.get, async ({ params, caller, signalOnce }) => {
      const number = Number(params.number)
      const { change, notices } = await history.get(params.zone_id, number, caller, signalOnce())
      return { text: toChangeText(change), notices }
    }),
    route(operations.compare, async ({ params, query, signalOnce }) => ({
      text: toComparedText(
        await history.compare(params.zone_id, Number(query.from), Number(query.to), signalOnce()),
      ),
    })),
    route(operations.listOfThreatFeeds, ({ query }) => listChanges(feedsScope, query)),
    route(operations.getOfThreatFeeds, async ({ params, signalOnce }) => ({
      text: toChangeText(await history.getOfScope(feedsScope, Number(params.number), signalOnce())),
    })),
    route(operations.revert, async ({ params, actor, ifMatch }) =>
      revertReply(await history.revert(params.zone_id, Number(params.number), actor, ifMatch)),
    ),
    route(operations.restore, async ({ params, body, actor, ifMatch }) =>
      revertReply(
        await history.restore(params.zone_id, { number: body.number, at: body.at }, actor, ifMatch),
      ),
    ),
  ]
}

const revertReply = ({ notices, ...counts }: Reverted): Reply => ({ result: counts, notices })
