// HTTP routes for the keys that sign updates.
import { updateKeys as operations } from '@zonereeve/contract'
import { pageOf, replyRemoved, route, type Route } from '../../../http/index.ts'
import type { BoundOf } from '../../accounts/index.ts'
import type { UpdateKeys } from './update-keys.service.ts'
import { toKeyDefinition, toWireNewKey, toWireUpdateKey } from './update-keys.wire.ts'

const PER_PAGE = 20

export function updateKeyRoutes(keys: UpdateKeys, boundOf: BoundOf): Route[] {
  return [
    route(operations.list, async ({ caller, query }) =>
      pageOf((await keys.list(caller.userId)).map(toWireUpdateKey), query, PER_PAGE),
    ),
    route(operations.create, async ({ caller, body, actor }) => ({
      result: toWireNewKey(await keys.create(caller.userId, toKeyDefinition(body), actor, boundOf(caller))),
    })),
    route(operations.get, async ({ caller, params }) => ({
      result: toWireUpdateKey(await keys.get(caller.userId, params.key_id)),
    })),
    route(operations.delete, ({ caller, params, actor }) =>
      replyRemoved(params.key_id, keys.remove(caller.userId, params.key_id, actor)),
    ),
  ]
}
