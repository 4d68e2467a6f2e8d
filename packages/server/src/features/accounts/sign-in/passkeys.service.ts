// Passkeys of users: added, renamed and deleted by their user, who signs in and confirms with them.
import { createPasskeyChecks, relyingPartyOf, type RelyingParty } from '@zonereeve/sign-in'
import { type Actor, type Caller, type Clock, DomainError, type Ids, ifReadable } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp, deletionOp } from '../../changes/index.ts'
import type { NewSession, Origin, Sessions } from '../sessions/index.ts'
import { findUser } from '../users/index.ts'
import {
  deletePasskey,
  findPasskey,
  findPasskeyByCredential,
  insertPasskey,
  listPasskeys,
  updatePasskey,
  type Passkey,
} from './passkeys.store.ts'
import type { SignInAttempts } from './sign-in-attempts.service.ts'
import { endLinks } from './sign-in-links.service.ts'

const MAX_PASSKEYS = 50

type Site = Parameters<typeof relyingPartyOf>[0]
type From = Origin & { readonly site: Site }

export interface PasskeysDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  readonly sessions: Sessions
  readonly attempts: SignInAttempts
}

export type Passkeys = ReturnType<typeof createPasskeys>

export function createPasskeys({ storage, clock, ids, sessions, attempts }: PasskeysDeps) {
  const checks = createPasskeyChecks(clock.now)
  return {
    list: (userId: string) => listPasskeys(storage, userId),
    startSignIn: async (site: Site) => checks.assertionOptions(requireParty(site)),
    startConfirmation,
    start,
    create,
    rename,
    remove,
    signIn,
    confirm,
  }

  /** @throws DomainError: passkey.unsupported. */
  async function start(caller: Caller, site: Site) {
    const party = requireParty(site)
    const { session, user } = await sessions.current(caller)
    const known = (await listPasskeys(storage, user.id)).filter((passkey) => passkey.site === party.id)
    return checks.registrationOptions(party, session.id, user, known)
  }

  /** @throws DomainError: passkey.unsupported, passkey.registration, passkey.known, passkey.limit. */
  async function create(
    caller: Caller,
    { name, reply }: { readonly name: string; readonly reply: unknown },
    site: Site,
    actor: Actor,
  ): Promise<Passkey> {
    const { session, user } = await sessions.current(caller)
    const accepted = await checks.acceptRegistration(requireParty(site), session.id, reply)
    if (accepted === undefined) throw new DomainError({ reason: 'passkey.registration', pointer: '/passkey' })
    const createdOn = clock.timestamp()
    const passkey = { ...accepted, id: ids.id(), userId: user.id, name, createdOn, lastUsedOn: null }
    return storage.write(async (tx) => {
      if ((await listPasskeys(tx, user.id)).length >= MAX_PASSKEYS)
        throw new DomainError({ reason: 'passkey.limit', values: { limit: MAX_PASSKEYS } })
      await endLinks(tx, user.id)
      if (!(await insertPasskey(tx, passkey)))
        throw new DomainError({ reason: 'passkey.known', pointer: '/passkey' })
      const op = changeOp('passkey.create', passkey.id, null, toLogged(passkey))
      await append(tx, { scopeId: user.id, actor }, [op])
      return passkey
    })
  }

  /** @throws DomainError: passkey.unknown. */
  function rename({ userId }: Caller, id: string, name: string, actor: Actor): Promise<Passkey> {
    return storage.write(async (tx) => {
      const before = await requirePasskey(tx, userId, id)
      const after = { ...before, name }
      await updatePasskey(tx, { id, name })
      const op = changeOp('passkey.update', id, toLogged(before), toLogged(after))
      await append(tx, { scopeId: userId, actor }, [op])
      return after
    })
  }

  /** @throws DomainError: passkey.unknown. */
  function remove({ userId }: Caller, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const before = await ifReadable(requirePasskey(tx, userId, id))
      await deletePasskey(tx, id)
      const op = deletionOp('passkey.delete', id, before && toLogged(before))
      await append(tx, { scopeId: userId, actor }, [op])
    })
  }

  /** @throws DomainError: sign_in.passkey, sign_in.throttled. */
  async function signIn(reply: unknown, from: From, requestId: string): Promise<NewSession> {
    return prove(reply, from, undefined, async (tx, { userId }) => {
      const user = await findUser(tx, userId)
      if (user === undefined) throw new DomainError({ reason: 'sign_in.passkey', pointer: '/passkey' })
      return sessions.start(tx, user, ['passkey'], from, requestId)
    })
  }

  async function startConfirmation(caller: Caller, site: Site) {
    const party = requireParty(site)
    const { session, user } = await sessions.current(caller)
    const own = (await listPasskeys(storage, user.id)).filter((passkey) => passkey.site === party.id)
    return checks.assertionOptions(party, session.id, own)
  }

  /** Proves again who the user of a session is. @throws DomainError: as signIn. */
  async function confirm(caller: Caller, reply: unknown, from: From, actor: Actor): Promise<NewSession> {
    const { session } = await sessions.current(caller)
    return prove(reply, from, session, (tx) => sessions.renew(tx, caller, actor))
  }

  /** @param session the session whose user must own the passkey; undefined = any user. */
  async function prove<Result>(
    reply: unknown,
    { ip, site }: From,
    session: { readonly id: string; readonly userId: string } | undefined,
    then: (tx: Transaction, passkey: Passkey) => Promise<Result>,
  ): Promise<Result> {
    const party = requireParty(site)
    const attempt = attempts.begin({ ip })
    const passkey = await findPasskeyByCredential(storage, credentialIdOf(reply))
    const isOwn = session === undefined || passkey?.userId === session.userId
    const counter =
      passkey && isOwn ? await checks.acceptAssertion(party, passkey, reply, session?.id) : undefined
    if (passkey === undefined || counter === undefined)
      throw new DomainError({ reason: 'sign_in.passkey', pointer: '/passkey' })
    const result = await storage.write(async (tx) => {
      const lastUsedOn = clock.timestamp()
      const isThere = await updatePasskey(tx, { id: passkey.id, counter, lastUsedOn })
      // It may have been deleted while it was checked.
      if (!isThere) throw new DomainError({ reason: 'sign_in.passkey', pointer: '/passkey' })
      return then(tx, passkey)
    })
    attempt.succeed()
    return result
  }
}

/** @throws DomainError: passkey.unsupported. */
function requireParty(site: Site): RelyingParty {
  const party = relyingPartyOf(site)
  if (party === undefined)
    throw new DomainError({ reason: 'passkey.unsupported', values: { host: site.origin } })
  return party
}

async function requirePasskey(db: Reader, userId: string, id: string): Promise<Passkey> {
  const passkey = await findPasskey(db, userId, id)
  if (passkey === undefined) throw new DomainError({ reason: 'passkey.unknown' })
  return passkey
}

/** The ID of the credential in the reply of a browser; an ID that no passkey has, if there is none. */
function credentialIdOf(reply: unknown): string {
  const { id } = Object(reply) as { readonly id?: unknown } // any JSON, whose member is checked
  return typeof id === 'string' ? id : ''
}

/** Without the key. */
const toLogged = ({ id, userId, name, site, createdOn }: Passkey) => ({ id, userId, name, site, createdOn })
