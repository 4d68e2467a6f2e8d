// What a token may grant at most: what the token, session or role behind the request grants.
import {
  type Actor,
  type Caller,
  type Clock,
  DomainError,
  type Issue,
  throwIfIssues,
} from '@zonereeve/platform'
import type { Transaction } from '@zonereeve/storage'
import { append, changeOp } from '../../changes/index.ts'
import { findUser } from '../users/index.ts'
import { boundIssues, zoneIdsIn } from './token-bounds.rules.ts'
import { rolePolicies, type RoleHolder } from './tokens.rules.ts'
import { findTokenById, listTokens, updateToken, type Token } from './tokens.store.ts'

/** The token or session of the request, which bounds the tokens it creates. A legacy key has no bounds. */
export interface Bound {
  readonly caller: Pick<Caller, 'kind' | 'id'>
  /** Reads in the transaction of the token: other writers wait for its end. */
  accountOfZone(tx: Transaction, zoneId: string): Promise<string | undefined>
}

type BoundedToken = Pick<Token, 'owner' | 'policies' | 'condition' | 'expiresOn'>

/**
 * @param pointer of the member that names the token, if the request does not describe it.
 * @throws DomainError for each way in which the token exceeds the token of the request.
 */
export async function requireBounded(
  tx: Transaction,
  token: BoundedToken,
  bound: Bound | undefined,
  pointer?: string,
): Promise<void> {
  if (bound === undefined) return
  const minter = await minterOf(tx, bound.caller)
  if (minter === undefined) return
  const accounts = new Map<string, string | undefined>()
  for (const zoneId of [token, minter].flatMap(({ policies }) => zoneIdsIn(policies)))
    if (!accounts.has(zoneId)) accounts.set(zoneId, await bound.accountOfZone(tx, zoneId))
  const issues = boundIssues(token, minter, (zoneId) => accounts.get(zoneId))
  throwIfIssues(pointer === undefined ? issues : joinGroups(issues, pointer))
}

/** The request names no groups: one issue has all of them that are missing for the same reason on the same resources. */
function joinGroups(issues: readonly Issue[], pointer: string): Issue[] {
  const joined = new Map<string, { readonly issue: Issue; readonly groups: Set<string | number> }>()
  for (const { reason, values: { group, ...values } = {} } of issues) {
    const key = JSON.stringify([reason, values])
    const { issue, groups } = joined.get(key) ?? { issue: { reason, pointer, values }, groups: new Set() }
    if (group !== undefined) groups.add(group)
    joined.set(key, { issue, groups })
  }
  return [...joined.values()].map(({ issue, groups }) =>
    groups.size === 0 ? issue : { ...issue, values: { ...issue.values, group: [...groups].join('", "') } },
  )
}

/** @throws DomainError for each way in which a user with these roles exceeds the caller. */
export function requireRoles(tx: Transaction, user: RoleHolder, caller: Caller, bound: Bound): Promise<void> {
  const owner = { kind: 'user', id: caller.userId } as const
  const policies = rolePolicies(user)
  return requireBounded(tx, { owner, policies, condition: null, expiresOn: null }, bound, '/role')
}

/** After a change of a user's roles: disables their tokens that exceed them. */
export async function disableStrongerTokens(
  tx: Transaction,
  clock: Clock,
  userId: string,
  accountOfZone: Bound['accountOfZone'],
  actor: Actor,
): Promise<void> {
  const bound: Bound = { caller: { kind: 'session', id: userId }, accountOfZone }
  for (const before of await listTokens(tx, { kind: 'user', id: userId })) {
    if (before.status === 'disabled' || (await isBounded(tx, before, bound))) continue
    const after: Token = { ...before, status: 'disabled', modifiedOn: clock.timestamp() }
    await updateToken(tx, after)
    await append(tx, { scopeId: userId, actor }, [changeOp('token.update', after.id, before, after)])
  }
}

async function isBounded(tx: Transaction, token: BoundedToken, bound: Bound): Promise<boolean> {
  try {
    await requireBounded(tx, token, bound)
    return true
  } catch (error) {
    // Any way in which it exceeds the roles.
    if (error instanceof DomainError) return false
    throw error
  }
}

/** The token of the request, or what a session may do; undefined for a caller without bounds. */
async function minterOf(tx: Transaction, { kind, id }: Bound['caller']) {
  if (kind === 'token') {
    const token = await findTokenById(tx, id)
    if (token === undefined) throw new DomainError({ reason: 'auth.unknown_token' })
    return token
  }
  if (kind !== 'session') return undefined
  const user = await findUser(tx, id)
  if (user === undefined) throw new DomainError({ reason: 'session.unknown' })
  const owner = { kind: 'user', id } as const
  return { owner, policies: rolePolicies(user), condition: null, expiresOn: null }
}
