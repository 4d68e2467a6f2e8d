// HTTP for tokens: the caller's own and an account's.
import { accountTokens, userTokens } from '@zonereeve/contract'
import { pageOf, route, type Reply, type Route } from '../../http/index.ts'
import type { TokenOwner } from './tokens.store.ts'
import type { Tokens, TokenWithStatus } from './tokens.service.ts'
import { toDefinition, toWireToken, toWireVerified, wirePermissionGroups } from './tokens.wire.ts'

const PER_PAGE = 20

export function tokenRoutes(tokens: Tokens): Route[] {
  const ofUser = (id: string): TokenOwner => ({ kind: 'user', id })
  const ofAccount = (id: string): TokenOwner => ({ kind: 'account', id })
  return [
    route(userTokens.list, async ({ caller, query }) =>
      page(await tokens.list(ofUser(caller.userId)), query),
    ),
    route(userTokens.create, async ({ caller, body, actor }) =>
      created(await tokens.create(ofUser(caller.userId), toDefinition(body), actor)),
    ),
    // An account's token may be verified here too.
    route(userTokens.verify, async ({ caller }) => {
      const owner =
        caller.ownerAccountId === undefined ? ofUser(caller.userId) : ofAccount(caller.ownerAccountId)
      return verified(await tokens.verify(caller, owner))
    }),
    route(userTokens.permissionGroups, async ({ query }) =>
      pageOf(wirePermissionGroups(query), {}, ALL_GROUPS),
    ),
    route(userTokens.get, async ({ caller, params }) =>
      shown(await tokens.get(ofUser(caller.userId), params.token_id)),
    ),
    route(userTokens.update, async ({ caller, params, body, actor }) =>
      shown(await tokens.update(ofUser(caller.userId), params.token_id, toDefinition(body), actor)),
    ),
    route(userTokens.delete, async ({ caller, params, actor }) => {
      await tokens.remove(ofUser(caller.userId), params.token_id, actor)
      return { result: { id: params.token_id } }
    }),
    route(userTokens.roll, async ({ caller, params, actor }) => ({
      result: await tokens.roll(ofUser(caller.userId), params.token_id, actor),
    })),

    route(accountTokens.list, async ({ params, query }) =>
      page(await tokens.list(ofAccount(params.account_id)), query),
    ),
    route(accountTokens.create, async ({ params, body, actor }) =>
      created(await tokens.create(ofAccount(params.account_id), toDefinition(body), actor)),
    ),
    route(accountTokens.verify, async ({ caller, params }) =>
      verified(await tokens.verify(caller, ofAccount(params.account_id))),
    ),
    route(accountTokens.permissionGroups, async ({ query }) =>
      pageOf(wirePermissionGroups(query), {}, ALL_GROUPS),
    ),
    route(accountTokens.get, async ({ params }) =>
      shown(await tokens.get(ofAccount(params.account_id), params.token_id)),
    ),
    route(accountTokens.update, async ({ params, body, actor }) =>
      shown(await tokens.update(ofAccount(params.account_id), params.token_id, toDefinition(body), actor)),
    ),
    route(accountTokens.delete, async ({ params, actor }) => {
      await tokens.remove(ofAccount(params.account_id), params.token_id, actor)
      return { result: { id: params.token_id } }
    }),
    route(accountTokens.roll, async ({ params, actor }) => ({
      result: await tokens.roll(ofAccount(params.account_id), params.token_id, actor),
    })),
  ]
}

const ALL_GROUPS = 1000

interface TokenPage {
  readonly page?: number
  readonly per_page?: number
  readonly direction?: 'asc' | 'desc'
  readonly include_expired?: boolean
}

function page(all: TokenWithStatus[], query: TokenPage): Reply {
  const wanted = query.include_expired === false ? all.filter(({ status }) => status !== 'expired') : all
  const ordered = query.direction === 'desc' ? wanted.toReversed() : wanted
  return pageOf(
    ordered.map((token) => toWireToken(token)),
    query,
    PER_PAGE,
  )
}

const created = ({ token, value }: { token: TokenWithStatus; value: string }): Reply => ({
  result: toWireToken(token, value),
})

const shown = (token: TokenWithStatus): Reply => ({ result: toWireToken(token) })

const verified = (token: TokenWithStatus): Reply => ({
  result: toWireVerified(token),
  notices: [{ notice: 'token.verified' }],
})
