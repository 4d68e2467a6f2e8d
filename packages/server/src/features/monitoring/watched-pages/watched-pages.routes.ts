// HTTP routes for watched pages.
import { DEFAULT_CHECK_MINUTES, PAGES_PER_PAGE, pageShieldPages as operations } from '@zonereeve/contract'
import { pageOf, route, type Route } from '../../../http/index.ts'
import type { WatchedPages } from './watched-pages.service.ts'
import { toWireChangedSnapshot, toWireWatchedPage } from './watched-pages.wire.ts'

export function watchedPageRoutes(pages: WatchedPages): Route[] {
  return [
    route(operations.list, async ({ params, query }) =>
      pageOf((await pages.list(params.zone_id)).map(toWireWatchedPage), query, PAGES_PER_PAGE),
    ),
    route(operations.create, async ({ params, body, actor }) => {
      const { url, interval_minutes: intervalMinutes = DEFAULT_CHECK_MINUTES } = body
      return {
        result: toWireWatchedPage(await pages.create(params.zone_id, { url, intervalMinutes }, actor)),
      }
    }),
    route(operations.get, async ({ params }) => ({
      result: toWireWatchedPage(await pages.get(params.zone_id, params.page_id)),
    })),
    route(operations.edit, async ({ params, body, actor }) => ({
      result: toWireWatchedPage(
        await pages.edit(params.zone_id, params.page_id, { intervalMinutes: body.interval_minutes }, actor),
      ),
    })),
    route(operations.check, async ({ params }) => ({
      result: toWireWatchedPage(await pages.check(params.zone_id, params.page_id)),
    })),
    route(operations.history, async ({ params, query }) => {
      const { page = 1, per_page: perPage = PAGES_PER_PAGE } = query
      const slice = { offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER), limit: perPage }
      const { items, totalCount } = await pages.history(params.zone_id, params.page_id, slice)
      const text = items.map((item) => JSON.stringify(toWireChangedSnapshot(item))).join(',')
      return { items: text, page, perPage, count: items.length, totalCount }
    }),
    route(operations.delete, async ({ params, actor }) => {
      await pages.remove(params.zone_id, params.page_id, actor)
      return { result: { id: params.page_id } }
    }),
  ]
}
