// Signing in: whoever proves who they are gets a session.
import type { Actor, Caller, Clock } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import { createPasswords, type PasswordProof } from './passwords.service.ts'
import type { NewSession, Origin, Sessions } from '../sessions/index.ts'
import type { SignInAttempts } from './sign-in-attempts.service.ts'
import { takeSignInLink } from './sign-in-links.service.ts'
import { hasSignInMethod } from './sign-in-methods.store.ts'

export interface SignInDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly sessions: Sessions
  readonly attempts: SignInAttempts
}

/** The ways to sign in to this server. */
export interface SignInMethods {
  /** Whether any user can sign in without a link. */
  readonly hasAccount: boolean
}

export type SignIn = ReturnType<typeof createSignIn>

export function createSignIn({ storage, clock, sessions, attempts }: SignInDeps) {
  const passwords = createPasswords({ storage, clock, sessions, attempts })
  return { methods, withLink, withPassword, confirm }

  async function methods(): Promise<SignInMethods> {
    return { hasAccount: await hasSignInMethod(storage) }
  }

  /** @throws DomainError: as {@link createPasswords}. */
  function withPassword(
    proof: Omit<PasswordProof, 'ip'>,
    from: Origin,
    requestId: string,
  ): Promise<NewSession> {
    return passwords.prove({ ...proof, ip: from.ip }, (tx, user, used) =>
      sessions.start(tx, user, used, from, requestId),
    )
  }

  /** Proves again who the user of a session is. @returns the session with its new value. */
  async function confirm(
    caller: Caller,
    proof: Pick<PasswordProof, 'password' | 'code'>,
    ip: string,
    actor: Actor,
  ): Promise<NewSession> {
    const { user } = await sessions.current(caller)
    return passwords.prove({ ...proof, email: user.email, ip }, (tx) => sessions.renew(tx, caller, actor))
  }

  /** @throws DomainError: sign_in.link, sign_in.throttled. */
  async function withLink(value: string, from: Origin, requestId: string): Promise<NewSession> {
    const attempt = attempts.begin(from)
    const made = await storage.write(async (tx) => {
      const user = await takeSignInLink(tx, clock, value)
      return sessions.start(tx, user, ['link'], from, requestId)
    })
    attempt.succeed()
    return made
  }
}
