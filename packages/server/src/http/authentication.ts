// Reads the credential of a request. Bearer tokens win over X-Auth-*, and both over the cookie of a session; nothing
// is read from the URL.
import { type Caller, type Clock, createRequestCounts, DomainError, networkOf } from '@zonereeve/platform'
import type { NodeAccess } from './nodes.ts'
import { readCookie, requireSameOrigin, siteOf, type SiteRequest } from './site.ts'

/** Finds the caller of a well-formed credential. @throws DomainError if there is none. */
export interface Authenticator {
  byToken(value: string, ip: string): Promise<Caller>
  byKey(email: string, key: string): Promise<Caller>
  bySession(value: string): Promise<Caller>
}

// 40 characters is the classic length; newer tokens have a prefix and a checksum.
const BEARER = /^Bearer +([A-Za-z0-9_-]{40,100})$/i
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/
const KEY = /^(?:[0-9a-f]{37}|[A-Za-z0-9_-]{40,100})$/

export type Credential =
  | { readonly kind: 'token'; readonly value: string }
  | { readonly kind: 'key'; readonly email: string; readonly value: string }
  | { readonly kind: 'session'; readonly value: string }

/** @throws DomainError: `ifMissing`, auth.malformed_*, or session.origin. */
export function readCredential(
  request: SiteRequest,
  publicUrl: string | undefined,
  ifMissing: 'auth.missing' | 'session.none' = 'auth.missing',
): Credential {
  const { headers } = request
  if (headers.authorization !== undefined) {
    const value = BEARER.exec(headers.authorization)?.[1]
    if (value === undefined) throw new DomainError({ reason: 'auth.malformed_authorization' })
    return { kind: 'token', value }
  }
  const email = headers['x-auth-email']
  const key = headers['x-auth-key']
  if (email === undefined && key === undefined) {
    const site = siteOf(request, publicUrl)
    const value = readCookie(headers, site)
    if (value !== undefined) {
      requireSameOrigin(request, site)
      return { kind: 'session', value }
    }
  }
  if (typeof email !== 'string' || typeof key !== 'string') throw new DomainError({ reason: ifMissing })
  if (!EMAIL.test(email)) throw new DomainError({ reason: 'auth.malformed_email' })
  if (!KEY.test(key)) throw new DomainError({ reason: 'auth.malformed_key' })
  return { kind: 'key', email, value: key }
}

/** Finds the caller of a credential sent from this address. @throws DomainError: also auth.throttled. */
export type Authenticate = (credential: Credential, ip: string) => Promise<Caller>

/** While the database is away, credentials are neither right nor wrong. */
const isOfCredential = (failure: unknown): boolean =>
  failure instanceof DomainError && !failure.issues[0].reason.startsWith('storage.')

export const FAILURES_PER_WINDOW = 100
export const WINDOW_MILLIS = 60_000
const NETWORKS_KEPT = 10_000

/**
 * Authenticates, and counts failures by network: after too many, further ones are answered 429. Valid credentials are never
 * throttled: behind a proxy, a guesser shares its address with every tool.
 *
 * @param nodes count with this one.
 */
export function createAuthenticate(
  authenticator: Authenticator,
  clock: Pick<Clock, 'now'>,
  nodes?: Pick<NodeAccess, 'shareCounts'>,
): Authenticate {
  const failures = createRequestCounts({
    windowMillis: WINDOW_MILLIS,
    reportedFrom: FAILURES_PER_WINDOW / 10,
    maxKeys: NETWORKS_KEPT,
    now: clock.now,
  })
  nodes?.shareCounts('failed credentials', failures)
  return async (credential, ip) => {
    try {
      if (credential.kind === 'token') return await authenticator.byToken(credential.value, ip)
      if (credential.kind === 'session') return await authenticator.bySession(credential.value)
      return await authenticator.byKey(credential.email, credential.value)
    } catch (error) {
      if (isOfCredential(error) && failures.add(networkOf(ip)).count > FAILURES_PER_WINDOW)
        throw new DomainError({ reason: 'auth.throttled' })
      throw error
    }
  }
}
