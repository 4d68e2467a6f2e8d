// API tokens: created, shown once, checked on every request, rolled, deleted.
import { BoundedMap } from '@zonereeve/cooperate'
import { hash, timingSafeEqual } from 'node:crypto'
import { SYSTEM, type Actor } from '../../../platform/actor.ts'
import type { Caller, Reach } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import { DomainError, ifReadable, throwIfIssues } from '../../../platform/domain-error.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { Storage, Transaction } from '../../../storage/index.ts'
import { append, changeOp, unreadableDeletion } from '../../changes/index.ts'
import { findUser, findUserByEmail } from '../users/index.ts'
import { boundIssues, zoneIdsIn } from './token-bounds.rules.ts'
import {
  administratorPolicies,
  ALL_GRANTS,
  compilePolicies,
  definitionIssues,
  ipAllowed,
  rolePolicies,
  statusAt,
  withNewGroups,
  type Grants,
  type IpCondition,
  type Policy,
  type RoleHolder,
  type TokenStatus,
} from './tokens.rules.ts'
import {
  deleteToken,
  deleteTokenByHash,
  findToken,
  findTokenByHash,
  findTokenById,
  insertToken,
  listTokens,
  touchToken,
  updateToken,
  updateTokenHash,
  type Token,
  type TokenOwner,
} from './tokens.store.ts'

export interface TokenDefinition {
  readonly name: string
  readonly status: 'active' | 'disabled'
  readonly policies: readonly Omit<Policy, 'id'>[]
  readonly condition: IpCondition | null
  readonly notBefore: string | null
  readonly expiresOn: string | null
}

export interface TokenWithStatus extends Omit<Token, 'status'> {
  readonly status: TokenStatus
}

export interface TokensDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
}

/** The token or session of the request, which bounds the tokens it creates. A legacy key has no bounds. */
export interface Bound {
  readonly caller: Pick<Caller, 'kind' | 'id'>
  /** Reads in the transaction of the token: other writers wait for its end. */
  accountOfZone(tx: Transaction, zoneId: string): Promise<string | undefined>
}

type BoundedToken = Pick<Token, 'owner' | 'policies' | 'condition' | 'expiresOn'>

/** The bounds of a caller's tokens; undefined in a profile without bounded tokens. */
export type BoundOf = (caller: Caller) => Bound | undefined

/**
 * How long a token that was found valid is accepted without reading the database, which another process may write.
 */
const REMEMBER_MILLIS = 2_000
const TOKENS_REMEMBERED = 1_000

export type Tokens = ReturnType<typeof createTokens>

export function createTokens({ storage, clock, ids }: TokensDeps) {
  const remembered = new BoundedMap<string, { token: Token; grants: Grants; until: number }>(
    TOKENS_REMEMBERED,
  )
  const used = new Map<string, string>()
  const forget = () => remembered.clear()
  return {
    byToken,
    byKey,
    actingAs,
    verify,
    list,
    get,
    create,
    createAdministrator,
    setAdministrator,
    update,
    roll,
    remove,
    saveLastUse,
    requireBounded,
    requireRoles,
    disableStronger,
    forgetAfter: (tx: Transaction) => tx.onCommit(forget),
  }

  /** @throws DomainError: auth.unknown_token (also for expired and disabled ones), auth.location. */
  async function byToken(value: string, ip: string): Promise<Caller> {
    const { token, grants } = await lookUp(value)
    return admit(token, grants, ip)
  }

  function admit(token: Token, grants: Grants, ip: string): Caller {
    if (statusAt(token.status, token, clock.now()) !== 'active')
      throw new DomainError({ reason: 'auth.unknown_token' })
    if (!ipAllowed(token.condition, ip)) throw new DomainError({ reason: 'auth.location', values: { ip } })
    used.set(token.id, clock.timestamp())
    return callerOf(token, grants)
  }

  async function lookUp(value: string): Promise<{ token: Token; grants: Grants }> {
    const valueHash = digest(value)
    const known = remembered.get(valueHash)
    if (known !== undefined && known.until > clock.now()) return known
    // The index compares hashes of secrets, not secrets: its timing reveals nothing about a token.
    const token = await findTokenByHash(storage, valueHash)
    if (token === undefined) throw new DomainError({ reason: 'auth.unknown_token' })
    const found = { token, grants: compilePolicies(token.policies), until: clock.now() + REMEMBER_MILLIS }
    remembered.set(valueHash, found)
    return found
  }

  /** The legacy credential: grants everything that its owner may do. @throws DomainError: auth.unknown_key. */
  async function byKey(email: string, key: string): Promise<Caller> {
    const user = await findUserByEmail(storage, email)
    const expected = Buffer.from(user?.keyHash ?? digest(''), 'hex')
    const matches = timingSafeEqual(Buffer.from(digest(key), 'hex'), expected)
    if (user === undefined || user.keyHash === null || !matches)
      throw new DomainError({ reason: 'auth.unknown_key' })
    return { kind: 'key', id: user.id, name: user.email, userId: user.id, ...ALL_GRANTS }
  }

  /**
   * The caller of a token, for a credential of another kind that acts as the token.
   *
   * @throws DomainError: as byToken.
   */
  async function actingAs(owner: TokenOwner, id: string, ip: string): Promise<Caller> {
    const token = await ifReadable(findToken(storage, owner, id))
    if (token === undefined) throw new DomainError({ reason: 'auth.unknown_token' })
    return admit(token, compilePolicies(token.policies), ip)
  }

  /** The token of the request itself. @throws DomainError: token.not_a_token. */
  async function verify(caller: Caller, owner: TokenOwner): Promise<TokenWithStatus> {
    if (caller.kind !== 'token') throw new DomainError({ reason: 'token.not_a_token' })
    const token = await findToken(storage, owner, caller.id)
    if (token === undefined) throw new DomainError({ reason: 'auth.token_unverified' })
    return withStatus(token)
  }

  async function list(owner: TokenOwner): Promise<TokenWithStatus[]> {
    return (await listTokens(storage, owner)).map(withStatus)
  }

  /** @throws DomainError: token.unknown. */
  async function get(owner: TokenOwner, id: string): Promise<TokenWithStatus> {
    return withStatus(await requireToken(storage, owner, id))
  }

  /**
   * @returns the token, and its secret, which is shown only here. @throws DomainError: every issue of the definition.
   */
  async function create(
    owner: TokenOwner,
    definition: TokenDefinition,
    actor: Actor,
    { value = ids.tokenValue(), bound }: { readonly value?: string; readonly bound?: Bound | undefined } = {},
  ): Promise<{ token: TokenWithStatus; value: string }> {
    const at = clock.timestamp()
    const token: Token = {
      id: ids.id(),
      owner,
      ...withPolicyIds(definition),
      issuedOn: at,
      modifiedOn: at,
      lastUsedOn: null,
    }
    throwIfIssues(definitionIssues(token.policies, token))
    await storage.write(async (tx) => {
      await requireBounded(tx, token, bound)
      await insertToken(tx, token, digest(value))
      await append(tx, { scopeId: token.owner.id, actor }, [changeOp('token.create', token.id, null, token)])
    })
    return { token: withStatus(token), value }
  }

  /** Creates a token that may do everything, with this secret or a new one. */
  function createAdministrator(owner: TokenOwner, name: string, actor: Actor, value?: string) {
    const policies = administratorPolicies(ids.id())
    const definition: TokenDefinition = {
      name,
      status: 'active',
      policies,
      condition: null,
      notBefore: null,
      expiresOn: null,
    }
    return create(owner, definition, actor, value === undefined ? {} : { value })
  }

  /** Ensures that the administrator's token of this name has exactly this secret, and every permission group. */
  async function setAdministrator(
    owner: TokenOwner,
    name: string,
    actor: Actor,
    value: string,
  ): Promise<void> {
    const holder = await findTokenByHash(storage, digest(value))
    if (holder !== undefined && holder.name !== name) return
    // An unreadable row with this secret would block the new token.
    if (holder === undefined) await storage.write((tx) => deleteTokenByHash(tx, digest(value)))
    const before = holder ?? (await listTokens(storage, owner)).find((token) => token.name === name)
    if (before === undefined) {
      await createAdministrator(owner, name, actor, value)
      return
    }
    if (holder === undefined) await roll(owner, before.id, actor, { value })
    const policies = withNewGroups(before.policies)
    if (policies !== undefined) await update(before.owner, before.id, { ...before, policies }, actor)
  }

  /** @throws DomainError: token.unknown, or every issue of the definition. */
  function update(
    owner: TokenOwner,
    id: string,
    definition: TokenDefinition,
    actor: Actor,
    bound?: Bound,
  ): Promise<TokenWithStatus> {
    return storage.write(async (tx) => {
      const before = await requireToken(tx, owner, id)
      const after: Token = { ...before, ...withPolicyIds(definition), modifiedOn: clock.timestamp() }
      throwIfIssues(definitionIssues(after.policies, after))
      await requireBounded(tx, after, bound)
      await updateToken(tx, after)
      await append(tx, { scopeId: after.owner.id, actor }, [changeOp('token.update', id, before, after)])
      tx.onCommit(forget)
      return withStatus(after)
    })
  }

  /** Replaces the secret; the old one stops working at once. @returns the new one. */
  function roll(
    owner: TokenOwner,
    id: string,
    actor: Actor,
    { value = ids.tokenValue(), bound }: { readonly value?: string; readonly bound?: Bound | undefined } = {},
  ): Promise<string> {
    return storage.write(async (tx) => {
      const before = await requireToken(tx, owner, id)
      await requireBounded(tx, before, bound)
      const after: Token = { ...before, modifiedOn: clock.timestamp() }
      await updateTokenHash(tx, id, digest(value), after.modifiedOn)
      await append(tx, { scopeId: after.owner.id, actor }, [changeOp('token.roll', id, before, after)])
      tx.onCommit(forget)
      return value
    })
  }

  /** @throws DomainError: token.unknown. */
  function remove(owner: TokenOwner, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const before = await ifReadable(requireToken(tx, owner, id))
      await deleteToken(tx, id)
      const kind = 'token.delete'
      const op = before === undefined ? unreadableDeletion(kind, id) : changeOp(kind, id, before, null)
      await append(tx, { scopeId: owner.id, actor }, [op])
      tx.onCommit(forget)
    })
  }

  /** Stores which tokens were used since the last call, in batches to save writes. */
  async function saveLastUse(): Promise<void> {
    if (used.size === 0) return
    const entries = [...used]
    used.clear()
    await storage.write(async (tx) => {
      for (const [id, at] of entries) await touchToken(tx, id, at)
    })
  }

  /**
   * @param pointer of the member that names the token, if the request does not describe it.
   * @throws DomainError for each way in which the token exceeds the token of the request.
   */
  async function requireBounded(
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
    throwIfIssues(pointer === undefined ? issues : issues.map((issue) => ({ ...issue, pointer })))
  }

  /** @throws DomainError for each way in which a user with these roles exceeds the caller. */
  function requireRoles(tx: Transaction, user: RoleHolder, caller: Caller, bound: Bound): Promise<void> {
    const owner = { kind: 'user', id: caller.userId } as const
    const policies = rolePolicies(user)
    return requireBounded(tx, { owner, policies, condition: null, expiresOn: null }, bound, '/role')
  }

  /** After a change of a user's roles: disables their tokens that exceed them. */
  async function disableStronger(
    tx: Transaction,
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
    tx.onCommit(forget)
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

  function withPolicyIds(definition: TokenDefinition) {
    return { ...definition, policies: definition.policies.map((policy) => ({ ...policy, id: ids.id() })) }
  }

  function withStatus(token: Token): TokenWithStatus {
    return { ...token, status: statusAt(token.status, token, clock.now()) }
  }
}

async function requireToken(
  db: Parameters<typeof findToken>[0],
  owner: TokenOwner,
  id: string,
): Promise<Token> {
  const token = await findToken(db, owner, id)
  if (token === undefined) throw new DomainError({ reason: 'token.unknown' })
  return token
}

function callerOf(token: Token, grants: Grants): Caller {
  const person = { kind: 'token', id: token.id, name: token.name } as const
  if (token.owner.kind === 'user') return { ...person, userId: token.owner.id, ...grants }
  const accountId = token.owner.id
  return {
    ...person,
    userId: token.id,
    ownerAccountId: accountId,
    // An account token never reaches beyond its account, whatever its policies say.
    can: (anyOf, target) =>
      target.kind !== 'user' && target.accountId === accountId && grants.can(anyOf, target),
    reach: (anyOf, level) =>
      grants.reach(anyOf, level).flatMap((reach) => {
        const own = withinAccount(reach, accountId)
        return own === undefined ? [] : [own]
      }),
  }
}

function withinAccount(reach: Reach, accountId: string): Reach | undefined {
  if (reach.withinAccountId !== undefined && reach.withinAccountId !== accountId) return undefined
  const whole = reach.everything || reach.accountIds.includes(accountId)
  return { ...reach, everything: false, accountIds: whole ? [accountId] : [], withinAccountId: accountId }
}

/** The program itself, which may do everything. */
export const SYSTEM_CALLER: Caller = { ...SYSTEM, userId: SYSTEM.id, ...ALL_GRANTS }

const digest = (secret: string): string => hash('sha256', secret, 'hex')
