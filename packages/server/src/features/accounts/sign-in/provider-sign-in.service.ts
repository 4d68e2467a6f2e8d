// Signing in at an identity provider: its person is a user here, linked by a verified e-mail address the first time.
import {
  createProvider,
  parseRoleMapping,
  personOf,
  ProviderError,
  type PersonProblem,
  type PersonRules,
  type ProviderSettings,
} from '@zonereeve/sign-in'
import type { Config } from '@zonereeve/config'
import { type Clock, DomainError, type Ids, type Log, SYSTEM } from '@zonereeve/platform'
import type { Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp } from '../../changes/index.ts'
import type { NewSession, Origin, Sessions } from '../sessions/index.ts'
import { findUser, findUserByEmail, insertUser, type User } from '../users/index.ts'
import { findIdentity, insertIdentity } from './identities.store.ts'
import type { ManagedUsers } from './managed-users.service.ts'
import { toLogged } from './own-sign-in.service.ts'
import type { SignInAttempts } from './sign-in-attempts.service.ts'
import { endLinks } from './sign-in-links.service.ts'

export interface IdentityProvider extends ProviderSettings, PersonRules {
  readonly name: string
  readonly newUsers: 'link' | 'create' | 'off'
}

/** undefined if none is configured. @throws Error: a setting is missing. */
export function configuredProvider(config: Config): IdentityProvider | undefined {
  const { oidcIssuer: issuer, oidcClientSecret: secret } = config
  if (issuer === undefined) return undefined
  if (config.oidcClientId === '')
    throw new Error('oidc-client-id is needed with oidc-issuer: the identity provider assigns it')
  return {
    issuer,
    clientId: config.oidcClientId,
    clientSecret: secret === '' ? undefined : secret,
    scopes: config.oidcScopes,
    name: config.oidcName === '' ? new URL(issuer).host : config.oidcName,
    domains: config.oidcDomains,
    mapping: parseRoleMapping(config.oidcRoles),
    newUsers: config.oidcNewUsers,
  }
}

export interface ProviderSignInDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly sessions: Sessions
  readonly attempts: SignInAttempts
  readonly users: Pick<ManagedUsers, 'replace'>
  readonly settings: IdentityProvider | undefined
}

interface Returned {
  readonly flow: string
  /** The query with which the provider sent the browser back. */
  readonly response: string
}

export type ProviderSignIn = ReturnType<typeof createProviderSignIn>

export function createProviderSignIn({ settings, ...deps }: ProviderSignInDeps) {
  const { storage, clock, ids, sessions, attempts, users } = deps
  const provider = settings && createProvider(settings, clock.now)
  return { name: settings?.name, start, signIn }

  /** @throws DomainError: provider.none, provider.unreachable. */
  function start(origin: string, isAgain: boolean): Promise<{ url: string; flow: string }> {
    return askProvider(() => requireProvider().start(redirectUri(origin), isAgain))
  }

  /** @throws DomainError: provider.*, sign_in.throttled. */
  async function signIn(
    { flow, response }: Returned,
    origin: string,
    from: Origin,
    requestId: string,
  ): Promise<NewSession> {
    const known = requireProvider()
    const attempt = attempts.begin(from)
    const returned = new URL(redirectUri(origin))
    returned.search = response
    const claims = await askProvider(() => known.finish(flow, returned))
    const person = settings && personOf(claims, settings)
    if (person === undefined || typeof person === 'string') throw refusalOf(person ?? 'role')
    const made = await storage.write(async (tx) => {
      const found = (await linkedUser(tx, claims.sub)) ?? (await firstUser(tx, claims.sub, person, requestId))
      // Owners are made and unmade here: the provider must not lock all of them out.
      const follows = person.role !== undefined && found.role !== 'owner' && found.role !== person.role
      const after = { ...found, role: person.role ?? found.role, modifiedOn: clock.timestamp() }
      const user = follows ? await users.replace(tx, found, after, { ...SYSTEM, requestId }) : found
      return sessions.start(tx, user, ['oidc'], from, requestId)
    })
    attempt.succeed()
    return made
  }

  async function linkedUser(tx: Transaction, subject: string): Promise<User | undefined> {
    const identity = settings && (await findIdentity(tx, { issuer: settings.issuer, subject }))
    return identity && findUser(tx, identity.userId)
  }

  /** The user of a first sign-in. @throws DomainError: provider.email, provider.no_user. */
  async function firstUser(
    tx: Transaction,
    subject: string,
    { email, name, role }: Exclude<ReturnType<typeof personOf>, string>,
    requestId: string,
  ): Promise<User> {
    const { issuer, newUsers } = settings ?? { issuer: '', newUsers: 'off' } // refused before, if there is none
    if (email === undefined) throw new DomainError({ reason: 'provider.email' })
    const existing = await findUserByEmail(tx, email)
    if (newUsers === 'off' || (existing === undefined && newUsers === 'link'))
      throw new DomainError({ reason: 'provider.no_user', values: { email } })
    const at = clock.timestamp()
    const actor = { ...SYSTEM, requestId }
    const made: User = {
      id: ids.id(),
      email,
      keyHash: null,
      name,
      role: role ?? null,
      zoneRoles: [],
      createdOn: at,
      modifiedOn: at,
    }
    const user = existing ?? made
    if (existing === undefined) {
      await insertUser(tx, user)
      await append(tx, { scopeId: user.id, actor }, [changeOp('user.create', user.id, null, toLogged(user))])
    }
    await endLinks(tx, user.id)
    const identity = { issuer, subject, userId: user.id, createdOn: at }
    await insertIdentity(tx, identity)
    await append(tx, { scopeId: user.id, actor }, [changeOp('identity.create', user.id, null, identity)])
    return user
  }

  function requireProvider() {
    if (provider === undefined) throw new DomainError({ reason: 'provider.none' })
    return provider
  }

  /** The log has what the browser need not know. */
  async function askProvider<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      deps.log.warn({ err: error, issuer: settings?.issuer }, `identity provider ${error.problem}`)
      throw new DomainError({ reason: `provider.${error.problem}` })
    }
  }
}

const redirectUri = (origin: string): string => `${origin}/sign-in`

const refusalOf = (problem: PersonProblem): DomainError => new DomainError({ reason: `provider.${problem}` })
