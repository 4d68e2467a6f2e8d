// HTTP routes for the sessions of the caller.
import { sessions as operations } from '@zonereeve/contract'
import { pageOf, replyRemoved, route, writeCookie, type Route } from '../../../http/index.ts'
import type { Sessions } from './sessions.service.ts'
import { toWireListedSession, toWireSession } from './sessions.wire.ts'

const PER_PAGE = 50

export function sessionRoutes(sessions: Sessions): Route[] {
  return [
    route(operations.get, async ({ caller }) => ({ result: toWireSession(await sessions.current(caller)) })),
    route(operations.end, async ({ caller, actor, client }) => {
      const { session } = await sessions.current(caller)
      await sessions.end(caller.userId, session.id, actor)
      return { result: { id: session.id }, cookie: writeCookie(client.site, undefined, 0) }
    }),
    route(operations.list, async ({ caller, query }) => {
      const all = await sessions.list(caller.userId)
      return pageOf(
        all.map((session) => toWireListedSession(session, caller.session?.id)),
        query,
        PER_PAGE,
      )
    }),
    route(operations.endOther, ({ caller, params, actor }) =>
      replyRemoved(params.session_id, sessions.end(caller.userId, params.session_id, actor)),
    ),
  ]
}
