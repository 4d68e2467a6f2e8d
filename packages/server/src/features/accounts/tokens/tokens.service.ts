// API tokens: created, shown once, checked on every request, rolled, deleted.
import { createCredentialCache, hashSecret } from '@zonereeve/sign-in'
import { timingSafeEqual } from 'node:crypto'
import {
  type Actor,
  type Caller,
  type Clock,
  DomainError,
  type Ids,
  ifReadable,
  type Reach,
  SYSTEM,
  throwIfIssues,
} from '@zonereeve/platform'
import type { Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp, deletionOp } from '../../changes/index.ts'
import { findUserByEmail } from '../users/index.ts'
import { disableStrongerTokens, requireBounded, requireRoles, type Bound } from './token-bounds.service.ts'
import {
  administratorPolicies,
  ALL_GRANTS,
  compilePolicies,
  definitionIssues,
  ipAllowed,
  statusAt,
  withNewGroups,
  type IpCondition,
  type Policy,
  type TokenStatus,
} from './tokens.rules.ts'
import {
  deleteToken,
  deleteTokenByHash,
  findToken,
  findTokenByHash,
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

/** The bounds of a caller's tokens; undefined in a profile without bounded tokens. */
export type BoundOf = (caller: Caller) => Bound | undefined

export type Tokens = ReturnType<typeof createTokens>

export function createTokens({ storage, clock, ids }: TokensDeps) {
  const cache = createCredentialCache(clock, async (valueHash) => {
    const token = await findTokenByHash(storage, valueHash)
    return token && { token, caller: callerOf(token) }
  })
  const { forget } = cache
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
    forget,
    forgetAfter: (tx: Transaction) => tx.onCommit(forget),
  }

  /** @throws DomainError: auth.unknown_token (also for expired and disabled ones), auth.location. */
  async function byToken(value: string, ip: string): Promise<Caller> {
    const found = await cache.lookUp(value)
    if (found === undefined) throw new DomainError({ reason: 'auth.unknown_token' })
    admit(found.token, ip)
    return found.caller
  }

  function admit(token: Token, ip: string): void {
    if (statusAt(token.status, token, clock.now()) !== 'active')
      throw new DomainError({ reason: 'auth.unknown_token' })
    if (!ipAllowed(token.condition, ip)) throw new DomainError({ reason: 'auth.location', values: { ip } })
    cache.noteUse(token.id)
  }

  /** The legacy credential: grants everything that its owner may do. @throws DomainError: auth.unknown_key. */
  async function byKey(email: string, key: string): Promise<Caller> {
    const user = await findUserByEmail(storage, email)
    const expected = Buffer.from(user?.keyHash ?? hashSecret(''), 'hex')
    const matches = timingSafeEqual(Buffer.from(hashSecret(key), 'hex'), expected)
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
    admit(token, ip)
    return callerOf(token)
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
      await insertToken(tx, token, hashSecret(value))
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
    const holder = await findTokenByHash(storage, hashSecret(value))
    if (holder !== undefined && holder.name !== name) return
    // An unreadable row with this secret would block the new token.
    if (holder === undefined) await storage.write((tx) => deleteTokenByHash(tx, hashSecret(value)))
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
      await updateTokenHash(tx, id, hashSecret(value), after.modifiedOn)
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
      await append(tx, { scopeId: owner.id, actor }, [deletionOp('token.delete', id, before)])
      tx.onCommit(forget)
    })
  }

  /** Stores which tokens were used since the last call, in batches to save writes. */
  async function saveLastUse(): Promise<void> {
    const uses = cache.takeUses()
    if (uses.length === 0) return
    await storage.write(async (tx) => {
      for (const [id, at] of uses) await touchToken(tx, id, at)
    })
  }

  /** {@link disableStrongerTokens}; they are refused from the end of the transaction on. */
  async function disableStronger(
    tx: Transaction,
    userId: string,
    accountOfZone: Bound['accountOfZone'],
    actor: Actor,
  ): Promise<void> {
    await disableStrongerTokens(tx, clock, userId, accountOfZone, actor)
    tx.onCommit(forget)
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

function callerOf(token: Token): Caller {
  const grants = compilePolicies(token.policies)
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
