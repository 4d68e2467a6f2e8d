// Attempts to sign in, limited for each account from a network, for each network, and for each account.
import { createAttempts, type Attempt, type Attempts } from '@zonereeve/sign-in'
import { type Clock, DomainError, networkOf } from '@zonereeve/platform'

export const LOCK_MINUTES = 15
const WINDOW_MILLIS = LOCK_MINUTES * 60_000
export const FAILURES_PER_ACCOUNT_AND_NETWORK = 5
export const FAILURES_PER_NETWORK = 50
/** From networks in which the account has no session: a guesser elsewhere cannot lock its user out. */
export const FAILURES_PER_ACCOUNT = 50
const MAX_KEYS = 10_000

export interface AttemptSubject {
  readonly ip: string
  /** The name of the account; undefined for a credential that names none. */
  readonly account?: string | undefined
  /** Whether the account has a session in this network. */
  readonly isKnownNetwork?: boolean
}

export type SignInAttempts = ReturnType<typeof createSignInAttempts>

export function createSignInAttempts(clock: Clock) {
  const limitOf = (failures: number) =>
    createAttempts(clock.now, { failures, windowMillis: WINDOW_MILLIS, maxKeys: MAX_KEYS })
  const ofPair = limitOf(FAILURES_PER_ACCOUNT_AND_NETWORK)
  const ofNetwork = limitOf(FAILURES_PER_NETWORK)
  const ofAccount = limitOf(FAILURES_PER_ACCOUNT)
  return { begin }

  /** Counts an attempt. @throws DomainError: sign_in.throttled. */
  function begin({ ip, account, isKnownNetwork = false }: AttemptSubject): Attempt {
    const network = networkOf(ip)
    const keys: (readonly [Attempts, string])[] = [[ofNetwork, network]]
    if (account !== undefined) {
      keys.push([ofPair, `${network} ${account}`])
      if (!isKnownNetwork) keys.push([ofAccount, account])
    }
    const begun: Attempt[] = []
    for (const [attempts, key] of keys) {
      const attempt = attempts.begin(key)
      if ('lockedMillis' in attempt) {
        for (const each of begun) each.cancel()
        const retryAfterSeconds = Math.ceil(attempt.lockedMillis / 1_000)
        const values = { minutes: Math.ceil(retryAfterSeconds / 60) }
        throw new DomainError({ reason: 'sign_in.throttled', values, retryAfterSeconds })
      }
      begun.push(attempt)
    }
    return {
      left: Math.min(...begun.map(({ left }) => left)),
      cancel: () => begun.forEach((each) => each.cancel()),
      // A success says nothing about earlier failures of others in the network.
      succeed: () => begun.forEach((each, index) => (index === 0 ? each.cancel() : each.succeed())),
    }
  }
}
