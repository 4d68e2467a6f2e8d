// HTTP routes for queries to the nameserver.
import { query as operations } from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import type { Query } from './query.service.ts'
import { toWireAnswer } from './query.wire.ts'

export function queryRoutes(query: Query): Route[] {
  return [
    route(operations.ask, async ({ params, query: { name, type } }) => ({
      result: toWireAnswer(await query.ask(params.zone_id, name, type)),
    })),
  ]
}
