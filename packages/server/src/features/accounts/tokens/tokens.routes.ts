// HTTP routes for tokens: the caller's own and an account's.
import { accountTokens, userTokens } from '@zonereeve/contract'
import { pageOf, replyRemoved, route, type Reply, type Route } from '../../../http/index.ts'
import type { TokenOwner } from './tokens.store.ts'
import type { BoundOf, Tokens, TokenWithStatus } from './tokens.service.ts'
import { toDefinition, toWireToken, toWireVerified, wirePermissionGroups } from './tokens.wire.ts'

const PER_PAGE = 20

export function tokenRoutes(tokens: Tokens, boundOf: BoundOf): Route[] {
  const ofUser = (id: string): TokenOwner => ({ kind: 'user', id })
  const ofAccount = (id: string): TokenOwner => ({ kind: 'account', id })
  return [
    route(userTokens.list, async ({ caller, query }) =>
      page(await tokens.list(ofUser(caller.userId)), query),
    ),
    route(userTokens.create, async ({ caller, body, actor }) =>
      createdTokenReply(
        await tokens.create(ofUser(caller.userId), toDefinition(body), actor, { bound: boundOf(caller) }),
      ),
    ),
    // An account token may be verified here too.
    route(userTokens.verify, async ({ caller }) => {
      const owner =
        caller.ownerAccountId === undefined ? ofUser(caller.userId) : ofAccount(caller.ownerAccountId)
      return verifyReply(await tokens.verify(caller, owner))
    }),
    route(userTokens.permissionGroups, async ({ query }) =>
      pageOf(wirePermissionGroups(query), {}, ALL_GROUPS),
    ),
    route(userTokens.get, async ({ caller, params }) =>
      tokenReply(await tokens.get(ofUser(caller.userId), params.token_id)),
    ),
    route(userTokens.update, async ({ caller, params, body, actor }) =>
      tokenReply(
        await tokens.update(
          ofUser(caller.userId),
          params.token_id,
          toDefinition(body),
          actor,
          boundOf(caller),
        ),
      ),
    ),
    route(userTokens.delete, ({ caller, params, actor }) =>
      replyRemoved(params.token_id, tokens.remove(ofUser(caller.userId), params.token_id, actor)),
    ),
    route(userTokens.roll, async ({ caller, params, actor }) => ({
      result: await tokens.roll(ofUser(caller.userId), params.token_id, actor, { bound: boundOf(caller) }),
    })),

    route(accountTokens.list, async ({ params, query }) =>
      page(await tokens.list(ofAccount(params.account_id)), query),
    ),
    route(accountTokens.create, async ({ caller, params, body, actor }) =>
      createdTokenReply(
        await tokens.create(ofAccount(params.account_id), toDefinition(body), actor, {
          bound: boundOf(caller),
        }),
      ),
    ),
    route(accountTokens.verify, async ({ caller, params }) =>
      verifyReply(await tokens.verify(caller, ofAccount(params.account_id))),
    ),
    route(accountTokens.permissionGroups, async ({ query }) =>
      pageOf(wirePermissionGroups(query), {}, ALL_GROUPS),
    ),
    route(accountTokens.get, async ({ params }) =>
      tokenReply(await tokens.get(ofAccount(params.account_id), params.token_id)),
    ),
    route(accountTokens.update, async ({ caller, params, body, actor }) =>
      tokenReply(
        await tokens.update(
          ofAccount(params.account_id),
          params.token_id,
          toDefinition(body),
          actor,
          boundOf(caller),
        ),
      ),
    ),
    route(accountTokens.delete, ({ params, actor }) =>
      replyRemoved(params.token_id, tokens.remove(ofAccount(params.account_id), params.token_id, actor)),
    ),
    route(accountTokens.roll, async ({ caller, params, actor }) => ({
      result: await tokens.roll(ofAccount(params.account_id), params.token_id, actor, {
        bound: boundOf(caller),
      }),
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
  const desired = query.include_expired === false ? all.filter(({ status }) => status !== 'expired') : all
  const ordered = query.direction === 'desc' ? desired.toReversed() : desired
  return pageOf(
    ordered.map((token) => toWireToken(token)),
    query,
    PER_PAGE,
  )
}

const createdTokenReply = ({ token, value }: { token: TokenWithStatus; value: string }): Reply => ({
  result: toWireToken(token, value),
})

const tokenReply = (token: TokenWithStatus): Reply => ({ result: toWireToken(token) })

const verifyReply = (token: TokenWithStatus): Reply => ({
  result: toWireVerified(token),
  notices: [{ notice: 'token.verified' }],
})
