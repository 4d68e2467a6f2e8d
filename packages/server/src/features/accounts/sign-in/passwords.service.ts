// Checks a password, and the second factor if the user has one.
import { acceptCode, hashRecoveryCode, isPassword } from '@zonereeve/sign-in'
import { type Clock, DomainError, ifReadable } from '@zonereeve/platform'
import type { Storage, Transaction } from '@zonereeve/storage'
import type { Sessions } from '../sessions/index.ts'
import { findUserByEmail, type User } from '../users/index.ts'
import {
  findPassword,
  findTotpKey,
  saveTotpKey,
  takeRecoveryCode,
  type Password,
} from './credentials.store.ts'
import { LOCK_MINUTES, type SignInAttempts } from './sign-in-attempts.service.ts'

export interface PasswordProof {
  readonly email: string
  readonly password: string
  readonly code: string | undefined
  readonly ip: string
}

export interface PasswordsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly sessions: Sessions
  readonly attempts: SignInAttempts
}

export function createPasswords({ storage, clock, sessions, attempts }: PasswordsDeps) {
  return { prove }

  /**
   * Runs `then` in the transaction in which the code was used up.
   *
   * @throws DomainError: sign_in.password, sign_in.code_missing, sign_in.code, sign_in.throttled.
   */
  async function prove<Result>(
    { email, password, code, ip }: PasswordProof,
    then: (tx: Transaction, user: User, methods: readonly string[]) => Promise<Result>,
  ): Promise<Result> {
    const account = email.toLowerCase()
    const user = await ifReadable(findUserByEmail(storage, account))
    const isKnownNetwork = user !== undefined && (await sessions.isFrom(user.id, ip))
    const attempt = attempts.begin({ ip, account, isKnownNetwork })
    const values = { left: attempt.left, minutes: LOCK_MINUTES }
    const stored = user && (await findPassword(storage, user.id))
    const isRight = await isPassword(password, stored?.hash)
    if (!isRight || user === undefined || stored === undefined)
      throw new DomainError({ reason: 'sign_in.password', values })
    if (stored.needsCode && code === undefined) {
      attempt.cancel()
      throw new DomainError({ reason: 'sign_in.code_missing', pointer: '/code' })
    }
    const result = await storage.write(async (tx) => {
      // It may have been changed while it was checked.
      if ((await findPassword(tx, user.id))?.hash !== stored.hash)
        throw new DomainError({ reason: 'sign_in.password', values })
      const second = await secondFactor(tx, stored, code)
      if (second === 'wrong') throw new DomainError({ reason: 'sign_in.code', pointer: '/code', values })
      return then(tx, user, second === 'none' ? ['password'] : ['password', second])
    })
    attempt.succeed()
    return result
  }

  async function secondFactor(
    tx: Transaction,
    { userId, needsCode }: Password,
    code: string | undefined,
  ): Promise<'none' | 'totp' | 'recovery_code' | 'wrong'> {
    if (!needsCode) return 'none'
    if (code === undefined) return 'wrong'
    // Lost or unreadable: only recovery codes remain.
    const key = await findTotpKey(tx, userId)
    const step = key && acceptCode(key.secret, code, clock.now(), key.lastStep)
    if (key !== undefined && step !== undefined) {
      await saveTotpKey(tx, { ...key, lastStep: step })
      return 'totp'
    }
    return (await takeRecoveryCode(tx, userId, hashRecoveryCode(code))) ? 'recovery_code' : 'wrong'
  }
}
