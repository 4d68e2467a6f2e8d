// Sessions of the dashboard: created by signing in, checked on every request, ended by signing out, by time or by
// their user. The value of the cookie is stored only as a hash.
import { createCredentialCache, hashSecret } from '@zonereeve/sign-in'
import {
  type Actor,
  type Caller,
  type Clock,
  DomainError,
  formatTimestamp,
  type Ids,
  ifReadable,
  networkOf,
  type RequestTrail,
} from '@zonereeve/platform'
import type { Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp, deletionOp } from '../../changes/index.ts'
import { compilePolicies, rolePolicies } from '../tokens/index.ts'
import { findUser, type User } from '../users/index.ts'
import { IDLE_MILLIS, isLive, RECENT_MILLIS, SESSION_MILLIS } from './sessions.rules.ts'
import {
  deleteEndedSessions,
  deleteSession,
  findSession,
  findSessionByHash,
  insertSession,
  listSessions,
  touchSession,
  updateSession,
  type Session,
} from './sessions.store.ts'

/** A session with its user. */
export interface SignedIn {
  readonly session: Session
  readonly user: User
}

/** A new session, and the value of its cookie, which is known only here. */
export interface NewSession extends SignedIn {
  readonly value: string
}

/** Where a user signs in from. */
export interface Origin {
  readonly ip: string
  readonly userAgent: string | null
  readonly trail?: RequestTrail
}

export interface SessionsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
}

/** When a user has more, the one that was used longest ago ends. */
const MAX_SESSIONS = 50

export type Sessions = ReturnType<typeof createSessions>

export function createSessions({ storage, clock, ids }: SessionsDeps) {
  const cache = createCredentialCache(clock, async (valueHash): Promise<SignedIn | undefined> => {
    const session = await findSessionByHash(storage, valueHash)
    const user = session && (await ifReadable(findUser(storage, session.userId)))
    return session && user && { session, user }
  })
  const { forget } = cache
  return {
    bySession,
    current,
    start,
    renew,
    list,
    isFrom,
    end,
    endAll,
    saveLastUse,
    sweep,
    /** What is remembered of sessions: another node has changed some. */
    forget,
    /** After a change of users: their sessions are read again. */
    forgetAfter: (tx: Transaction) => tx.onCommit(forget),
  }

  /** @throws DomainError: session.unknown, also for an ended session. */
  async function bySession(value: string): Promise<Caller> {
    const found = await cache.lookUp(value)
    if (found === undefined || !isLive(withUse(found.session), clock.now()))
      throw new DomainError({ reason: 'session.unknown' })
    cache.noteUse(found.session.id)
    return callerOf(found.session, found.user)
  }

  function callerOf(session: Session, user: User): Caller {
    return {
      kind: 'session',
      id: user.id,
      name: user.email,
      userId: user.id,
      session: { id: session.id, recentUntil: Date.parse(session.authenticatedOn) + RECENT_MILLIS },
      ...compilePolicies(rolePolicies(user)),
    }
  }

  /** The session of the request. @throws DomainError: session.none. */
  async function current(caller: Caller): Promise<SignedIn> {
    const id = caller.session?.id
    const session = id === undefined ? undefined : await findSession(storage, caller.userId, id)
    const user = session && (await findUser(storage, session.userId))
    if (session === undefined || user === undefined) throw new DomainError({ reason: 'session.none' })
    return { session: withUse(session), user }
  }

  /** Starts a session in the transaction in which its user proved who they are. */
  async function start(
    tx: Transaction,
    user: User,
    methods: readonly string[],
    { ip, userAgent, trail }: Origin,
    requestId: string,
  ): Promise<NewSession> {
    const at = clock.timestamp()
    const session: Session = {
      id: ids.id(),
      userId: user.id,
      methods,
      address: ip,
      userAgent,
      createdOn: at,
      authenticatedOn: at,
      lastUsedOn: at,
      expiresOn: formatTimestamp(clock.now() + SESSION_MILLIS),
    }
    const value = ids.tokenValue()
    const who: Actor = { kind: 'session', id: user.id, name: user.email, requestId }
    const actor = trail === undefined ? who : { ...who, trail }
    const surplus = await surplusSessions(tx, user.id)
    for (const { id } of surplus) await deleteSession(tx, id)
    await insertSession(tx, session, hashSecret(value))
    await append(tx, { scopeId: user.id, actor }, [
      ...surplus.map((ended) => changeOp('session.delete', ended.id, ended, null)),
      changeOp('session.create', session.id, null, session),
    ])
    if (surplus.length > 0) tx.onCommit(forget)
    return { session, user, value }
  }

  /** After the user of a session proved again who they are: it gets a new value. */
  async function renew(tx: Transaction, caller: Caller, actor: Actor): Promise<NewSession> {
    const before = await requireSession(tx, caller.userId, caller.session?.id)
    const user = await findUser(tx, caller.userId)
    if (user === undefined) throw new DomainError({ reason: 'session.unknown' })
    const at = clock.timestamp()
    const session: Session = { ...before, authenticatedOn: at, lastUsedOn: at }
    const value = ids.tokenValue()
    await updateSession(tx, session, hashSecret(value))
    await append(tx, { scopeId: user.id, actor }, [changeOp('session.confirm', session.id, before, session)])
    tx.onCommit(forget)
    return { session, user, value }
  }

  async function surplusSessions(tx: Transaction, userId: string): Promise<Session[]> {
    const all = (await listSessions(tx, userId)).map(withUse)
    return all.toSorted((a, b) => (a.lastUsedOn < b.lastUsedOn ? 1 : -1)).slice(MAX_SESSIONS - 1)
  }

  /** The live sessions of a user. */
  async function list(userId: string): Promise<Session[]> {
    const all = (await listSessions(storage, userId)).map(withUse)
    return all.filter((session) => isLive(session, clock.now()))
  }

  /** Whether a user has a session from the network of an address. */
  async function isFrom(userId: string, ip: string): Promise<boolean> {
    return (await list(userId)).some(({ address }) => networkOf(address) === networkOf(ip))
  }

  /** @throws DomainError: session.not_listed. */
  function end(userId: string, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const before = await ifReadable(requireSession(tx, userId, id))
      await deleteSession(tx, id)
      await append(tx, { scopeId: userId, actor }, [deletionOp('session.delete', id, before)])
      tx.onCommit(forget)
    })
  }

  /** Ends all sessions of a user, in a transaction that changes what they rely on. @param except kept. */
  async function endAll(tx: Transaction, userId: string, actor: Actor, except?: string): Promise<void> {
    const ended = (await listSessions(tx, userId)).filter(({ id }) => id !== except)
    for (const { id } of ended) await deleteSession(tx, id)
    const ops = ended.map((session) => changeOp('session.delete', session.id, session, null))
    if (ops.length > 0) await append(tx, { scopeId: userId, actor }, ops)
    tx.onCommit(forget)
  }

  /** Stores when sessions were used since the last call, in batches to save writes. */
  async function saveLastUse(): Promise<void> {
    const uses = cache.takeUses()
    if (uses.length === 0) return
    await storage.write(async (tx) => {
      for (const [id, at] of uses) await touchSession(tx, id, at)
    })
  }

  /** Deletes sessions that have ended by time. */
  async function sweep(): Promise<void> {
    await saveLastUse()
    const now = clock.now()
    await storage.write((tx) =>
      deleteEndedSessions(tx, formatTimestamp(now), formatTimestamp(now - IDLE_MILLIS)),
    )
  }

  function withUse(session: Session): Session {
    const at = cache.usedAt(session.id)
    return at === undefined || at < session.lastUsedOn ? session : { ...session, lastUsedOn: at }
  }
}

async function requireSession(tx: Transaction, userId: string, id: string | undefined): Promise<Session> {
  const session = id === undefined ? undefined : await findSession(tx, userId, id)
  if (session === undefined) throw new DomainError({ reason: 'session.not_listed' })
  return session
}
