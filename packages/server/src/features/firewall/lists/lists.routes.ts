// HTTP routes for named lists.
import { lists as operations, type SentListItem } from '@zonereeve/contract'
import { replyRemoved, route, type Route } from '../../../http/index.ts'
import { DomainError } from '@zonereeve/platform'
import { readItems } from './list-items.rules.ts'
import type { ListItems, SentItems } from './list-items.service.ts'
import type { Lists } from './lists.service.ts'
import { toWireItem, toWireList } from './lists.wire.ts'

const PER_PAGE = 100

export const listRoutes = (lists: Lists, items: ListItems): Route[] => [
  route(operations.list, async ({ params }) => ({
    result: (await lists.list(params.account_id)).map(toWireList),
  })),
  route(operations.create, async ({ params, body, actor }) => {
    const definition = { ...body, description: body.description ?? null }
    return { result: toWireList(await lists.create(params.account_id, definition, actor)) }
  }),
  route(operations.getOperation, async ({ params }) => {
    const { id, completedOn } = await items.operation(params.account_id, params.operation_id)
    return { result: { id, status: 'completed', completed: completedOn } }
  }),
  route(operations.get, async ({ params }) => ({
    result: toWireList(await lists.get(params.account_id, params.list_id)),
  })),
  route(operations.update, async ({ params, body, actor }) => {
    const { account_id: accountId, list_id: id } = params
    return { result: toWireList(await lists.describe(accountId, id, body.description ?? null, actor)) }
  }),
  route(operations.delete, ({ params, actor }) =>
    replyRemoved(params.list_id, lists.remove(params.account_id, params.list_id, actor)),
  ),
  route(operations.listItems, async ({ params, query }) => {
    const { search, cursor, per_page: perPage = PER_PAGE } = query
    const page = await items.page(params.account_id, params.list_id, { search, cursor, perPage })
    return { items: page.items.map((item) => JSON.stringify(toWireItem(item))).join(','), after: page.after }
  }),
  route(operations.createItems, async ({ params, body, actor }) =>
    replyStarted(await items.write(params.account_id, params.list_id, readSent('append', body), actor)),
  ),
  route(operations.replaceItems, async ({ params, body, actor }) =>
    replyStarted(await items.write(params.account_id, params.list_id, readSent('replace', body), actor)),
  ),
  route(operations.deleteItems, async ({ params, body, actor }) => {
    if (body.items === undefined) {
      const values = { problem: 'items is required: the items to remove' }
      throw new DomainError({ reason: 'request.invalid', pointer: '/items', values })
    }
    const ids = body.items.map(({ id }) => id)
    return replyStarted(await items.remove(params.account_id, params.list_id, ids, actor))
  }),
  route(operations.getItem, async ({ params }) => ({
    result: toWireItem(await items.get(params.account_id, params.list_id, params.item_id)),
  })),
]

const readSent = (mode: SentItems['mode'], body: readonly SentListItem[]): SentItems => ({
  mode,
  read: ({ kind }) => readItems(body, kind),
})

const replyStarted = (id: string) => ({ result: { operation_id: id } })
