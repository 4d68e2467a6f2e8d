// How users manage their own ways to sign in.
import { BoundedMap } from '@zonereeve/cooperate'
import {
  acceptCode,
  createRecoveryCodes,
  createTotpKey,
  hashPassword,
  hashRecoveryCode,
  MAX_PASSWORD_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
  passwordProblem,
} from '@zonereeve/sign-in'
import { type Actor, type Caller, type Clock, DomainError, formatTimestamp } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp } from '../../changes/index.ts'
import type { Sessions } from '../sessions/index.ts'
import { findUser, findUserByEmail, updateUser, type User } from '../users/index.ts'
import {
  countRecoveryCodes,
  deleteTotpKey,
  findPassword,
  replaceRecoveryCodes,
  savePassword,
  saveTotpKey,
  type Password,
} from './credentials.store.ts'
import { LOCK_MINUTES, type SignInAttempts } from './sign-in-attempts.service.ts'
import { endLinks } from './sign-in-links.service.ts'

/** A user, and how they can sign in. */
export interface OwnSignIn {
  readonly user: User
  readonly password: Omit<Password, 'hash'> | undefined
  readonly recoveryCodesLeft: number
}

/** Waits for the first code of an authenticator app. */
interface PendingKey {
  readonly secret: string
  readonly until: number
}

const PENDING_MILLIS = 10 * 60_000
const MAX_PENDING = 1_000

export type OwnSignIns = ReturnType<typeof createOwnSignIn>

export interface OwnSignInDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly sessions: Sessions
  readonly attempts: SignInAttempts
}

export function createOwnSignIn({ storage, clock, sessions, attempts }: OwnSignInDeps) {
  /** By session. */
  const pending = new BoundedMap<string, PendingKey>(MAX_PENDING)
  return { get, edit, setPassword, startTotp, confirmTotp, removeTotp, renewRecoveryCodes }

  function get(caller: Caller): Promise<OwnSignIn> {
    return read(storage, caller.userId)
  }

  /** @throws DomainError: user.email_taken. */
  function edit(
    caller: Caller,
    { email, name }: { readonly email?: string | undefined; readonly name?: string | null | undefined },
    actor: Actor,
  ): Promise<OwnSignIn> {
    return storage.write(async (tx) => {
      const before = await requireUser(tx, caller.userId)
      const after: User = {
        ...before,
        email: email?.toLowerCase() ?? before.email,
        name: name === undefined ? before.name : name,
        modifiedOn: clock.timestamp(),
      }
      const holder = await findUserByEmail(tx, after.email)
      if (holder !== undefined && holder.id !== after.id)
        throw new DomainError({ reason: 'user.email_taken', pointer: '/email' })
      await updateUser(tx, after)
      await append(tx, { scopeId: after.id, actor }, [
        changeOp('user.update', after.id, toLogged(before), toLogged(after)),
      ])
      sessions.forgetAfter(tx)
      return read(tx, after.id)
    })
  }

  /** Ends all other sessions of the user. @throws DomainError: password.*. */
  async function setPassword(caller: Caller, password: string, actor: Actor): Promise<OwnSignIn> {
    const { email } = await requireUser(storage, caller.userId)
    requireGoodPassword(password, email)
    const hash = await hashPassword(password)
    return storage.write(async (tx) => {
      const { userId } = caller
      await endLinks(tx, userId)
      const before = await findPassword(tx, userId)
      const needsCode = before?.needsCode ?? false
      await savePassword(tx, { userId, hash, needsCode, changedOn: clock.timestamp() })
      await append(tx, { scopeId: userId, actor }, [
        changeOp('password.set', userId, before && { needsCode }, { needsCode }),
      ])
      await sessions.endAll(tx, userId, actor, caller.session?.id)
      return read(tx, userId)
    })
  }

  /** @throws DomainError: sign_in.no_password. */
  async function startTotp(caller: Caller) {
    const { user } = await requirePassword(storage, caller.userId)
    const key = createTotpKey(user.email)
    const until = clock.now() + PENDING_MILLIS
    pending.set(sessionOf(caller), { secret: key.secret, until })
    return { ...key, expiresOn: formatTimestamp(until) }
  }

  /** @returns recovery codes. @throws DomainError: sign_in.no_totp_key, sign_in.code, sign_in.throttled. */
  async function confirmTotp(
    caller: Caller,
    code: string,
    ip: string,
    actor: Actor,
  ): Promise<readonly string[]> {
    const key = pending.get(sessionOf(caller))
    if (key === undefined || key.until <= clock.now())
      throw new DomainError({ reason: 'sign_in.no_totp_key' })
    const attempt = attempts.begin({ ip, account: `totp ${caller.userId}` })
    const step = acceptCode(key.secret, code, clock.now(), 0)
    const values = { left: attempt.left, minutes: LOCK_MINUTES }
    if (step === undefined) throw new DomainError({ reason: 'sign_in.code', pointer: '/code', values })
    const codes = await storage.write(async (tx) => {
      const { userId } = caller
      const own = await requirePassword(tx, userId)
      await saveTotpKey(tx, { userId, secret: key.secret, lastStep: step, createdOn: clock.timestamp() })
      await requireCode(tx, own, true, actor)
      await sessions.endAll(tx, userId, actor, caller.session?.id)
      return writeRecoveryCodes(tx, userId)
    })
    attempt.succeed()
    pending.delete(sessionOf(caller))
    return codes
  }

  /** @throws DomainError: sign_in.no_password. */
  function removeTotp(caller: Caller, actor: Actor): Promise<OwnSignIn> {
    return storage.write(async (tx) => {
      const { userId } = caller
      const own = await requirePassword(tx, userId)
      await deleteTotpKey(tx, userId)
      await replaceRecoveryCodes(tx, userId, [])
      await requireCode(tx, own, false, actor)
      return read(tx, userId)
    })
  }

  async function requireCode(
    tx: Transaction,
    { password }: { readonly password: Password },
    needsCode: boolean,
    actor: Actor,
  ): Promise<void> {
    const { userId } = password
    await savePassword(tx, { ...password, needsCode })
    await append(tx, { scopeId: userId, actor }, [
      changeOp('totp.set', userId, { needsCode: password.needsCode }, { needsCode }),
    ])
  }

  /** @throws DomainError: sign_in.no_totp. */
  function renewRecoveryCodes(caller: Caller, actor: Actor): Promise<readonly string[]> {
    return storage.write(async (tx) => {
      const { userId } = caller
      const password = await findPassword(tx, userId)
      if (password?.needsCode !== true) throw new DomainError({ reason: 'sign_in.no_totp' })
      const left = await countRecoveryCodes(tx, userId)
      const codes = await writeRecoveryCodes(tx, userId)
      await append(tx, { scopeId: userId, actor }, [
        changeOp('recovery_codes.set', userId, { left }, { left: codes.length }),
      ])
      return codes
    })
  }

  async function writeRecoveryCodes(tx: Transaction, userId: string): Promise<readonly string[]> {
    const codes = createRecoveryCodes()
    await replaceRecoveryCodes(tx, userId, codes.map(hashRecoveryCode))
    return codes
  }
}

async function read(db: Reader, userId: string): Promise<OwnSignIn> {
  const user = await requireUser(db, userId)
  const recoveryCodesLeft = await countRecoveryCodes(db, userId)
  return { user, password: await findPassword(db, userId), recoveryCodesLeft }
}

async function requireUser(db: Reader, userId: string): Promise<User> {
  const user = await findUser(db, userId)
  if (user === undefined) throw new DomainError({ reason: 'session.unknown' })
  return user
}

async function requirePassword(db: Reader, userId: string) {
  const user = await requireUser(db, userId)
  const password = await findPassword(db, userId)
  if (password === undefined) throw new DomainError({ reason: 'sign_in.no_password' })
  return { user, password }
}

/** @throws DomainError: password.*. */
function requireGoodPassword(password: string, email: string): void {
  const problem = passwordProblem(password, email)
  if (problem === undefined) return
  const limit = problem === 'too_short' ? MIN_PASSWORD_CHARACTERS : MAX_PASSWORD_CHARACTERS
  throw new DomainError({ reason: `password.${problem}`, pointer: '/password', values: { limit } })
}

/** Without the hash of the legacy key. */
export function toLogged(user: User): Omit<User, 'keyHash'> {
  const { keyHash: _, ...rest } = user
  return rest
}

function sessionOf({ session }: Caller): string {
  if (session === undefined) throw new DomainError({ reason: 'session.none' })
  return session.id
}
