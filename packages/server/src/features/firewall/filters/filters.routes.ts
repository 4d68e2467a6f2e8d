// HTTP routes for filters, and for checking expressions.
import { filters as operations } from '@zonereeve/contract'
import { pageOf, replyRemoved, route, type Reply, type Route } from '../../../http/index.ts'
import { DomainError } from '@zonereeve/platform'
import { readExpression } from '@zonereeve/firewall'
import type { Filters } from './filters.service.ts'
import { readIds, toFilterDefinition, toWireFilter, withPointers } from './filters.wire.ts'

const PER_PAGE = 25

export function filterRoutes(filters: Filters): Route[] {
  return [
    route(operations.validate, async ({ body }) => validateReply(body.expression)),
    route(operations.validateQuery, async ({ query }) => validateReply(query.expression)),
    route(operations.list, async ({ params, query }) => {
      const { id, paused, expression, description, ref } = query
      const found = await filters.list(params.zone_id, { id, paused, expression, description, ref })
      return pageOf(found.map(toWireFilter), query, PER_PAGE)
    }),
    route(operations.create, async ({ params, body, actor }) => {
      const definitions = withPointers(body).map(({ item, pointer }) => toFilterDefinition(item, pointer))
      return { result: (await filters.create(params.zone_id, definitions, actor)).map(toWireFilter) }
    }),
    route(operations.updateMany, async ({ params, body, actor }) => {
      const changes = withPointers(body).map(({ item, pointer }) => ({
        id: item.id,
        ...toFilterDefinition(item, pointer),
      }))
      return { result: (await filters.replace(params.zone_id, changes, actor)).map(toWireFilter) }
    }),
    route(operations.deleteMany, async ({ params, query, actor }) => {
      const ids = readIds(query.id)
      await filters.remove(params.zone_id, ids, actor)
      return { result: ids.map((id) => ({ id })) }
    }),
    route(operations.get, async ({ params }) => ({
      result: toWireFilter(await filters.get(params.zone_id, params.filter_id)),
    })),
    route(operations.update, async ({ params, body, actor }) => {
      const change = { id: params.filter_id, ...toFilterDefinition(body, '') }
      return { result: (await filters.replace(params.zone_id, [change], actor)).map(toWireFilter)[0] }
    }),
    route(operations.delete, ({ params, actor }) =>
      replyRemoved(params.filter_id, filters.remove(params.zone_id, [params.filter_id], actor)),
    ),
  ]
}

function validateReply(expression: string): Reply {
  const read = readExpression(expression, '/expression')
  if (!('ok' in read)) throw new DomainError(read)
  const { canonical, usage } = read
  return { result: { expression, canonical, fields: usage.fields, functions: usage.functions } }
}
