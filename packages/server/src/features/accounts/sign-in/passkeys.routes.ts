// HTTP routes by which users manage their passkeys.
import { passkeys as operations, type WirePasskey } from '@zonereeve/contract'
import { pageOf, replyRemoved, route, type Route } from '../../../http/index.ts'
import type { Passkeys } from './passkeys.service.ts'
import type { Passkey } from './passkeys.store.ts'

const PER_PAGE = 50

export function passkeyRoutes(passkeys: Passkeys): Route[] {
  return [
    route(operations.list, async ({ caller, query }) =>
      pageOf((await passkeys.list(caller.userId)).map(toWirePasskey), query, PER_PAGE),
    ),
    route(operations.start, async ({ caller, client }) => ({
      result: await passkeys.start(caller, client.site),
    })),
    route(operations.create, async ({ caller, body, client, actor }) => {
      const draft = { name: body.name, reply: body.passkey }
      return { result: toWirePasskey(await passkeys.create(caller, draft, client.site, actor)) }
    }),
    route(operations.edit, async ({ caller, params, body, actor }) => ({
      result: toWirePasskey(await passkeys.rename(caller, params.passkey_id, body.name, actor)),
    })),
    route(operations.delete, ({ caller, params, actor }) =>
      replyRemoved(params.passkey_id, passkeys.remove(caller, params.passkey_id, actor)),
    ),
  ]
}

const toWirePasskey = ({ id, name, site, createdOn, lastUsedOn }: Passkey): WirePasskey => ({
  id,
  name,
  site,
  created_on: createdOn,
  last_used_on: lastUsedOn,
})
