// HTTP routes for signing in.
import { sessions, signIn as operations, type SessionDraft } from '@zonereeve/contract'
import { relyingPartyOf } from '@zonereeve/sign-in'
import { route, writeCookie, type Client, type Reply, type Route, type Site } from '../../../http/index.ts'
import { DomainError } from '@zonereeve/platform'
import { SESSION_MILLIS, toWireSession, type NewSession } from '../sessions/index.ts'
import type { Passkeys } from './passkeys.service.ts'
import type { ProviderSignIn } from './provider-sign-in.service.ts'
import type { SignIn } from './sign-in.service.ts'

export function signInRoutes(signIn: SignIn, passkeys: Passkeys, provider: ProviderSignIn): Route[] {
  return [
    route(operations.methods, async ({ client }) => {
      const { hasAccount } = await signIn.methods()
      const passkey = relyingPartyOf(client.site) !== undefined
      const oidc = provider.name === undefined ? null : { name: provider.name }
      return { result: { has_account: hasAccount, link: true, password: true, passkey, oidc } }
    }),
    route(operations.startPasskey, async ({ client }) => ({
      result: await passkeys.startSignIn(client.site),
    })),
    route(operations.startProvider, async ({ body, client }) => ({
      result: await provider.start(client.site.origin, body.again === true),
    })),
    route(operations.create, async ({ body, actor, client }) => {
      requireCookies(client.site)
      return newSessionReply(await startSession(body, client, actor.requestId), client.site)
    }),
    route(sessions.confirm, async ({ caller, body, actor, client }) => {
      const { password, code, passkey } = body
      if ((password === undefined) === (passkey === undefined)) throw credentialMissing('password or passkey')
      const made =
        password === undefined
          ? await passkeys.confirm(caller, passkey, client, actor)
          : await signIn.confirm(caller, { password, code }, client.ip, actor)
      return newSessionReply(made, client.site)
    }),
    route(sessions.startPasskey, async ({ caller, client }) => ({
      result: await passkeys.startConfirmation(caller, client.site),
    })),
  ]

  function startSession(draft: SessionDraft, client: Client, requestId: string): Promise<NewSession> {
    const { link, email, password, code, passkey, oidc } = draft
    const isPassword = email !== undefined && password !== undefined
    const ways = [isPassword, link !== undefined, passkey !== undefined, oidc !== undefined].filter(Boolean)
    if (ways.length !== 1) throw credentialMissing('link, email and password, passkey, oidc')
    if (isPassword) return signIn.withPassword({ email, password, code }, client, requestId)
    if (link !== undefined) return signIn.withLink(link, client, requestId)
    if (oidc !== undefined) return provider.signIn(oidc, client.site.origin, client, requestId)
    return passkeys.signIn(passkey, client, requestId)
  }
}

const newSessionReply = (made: NewSession, site: Site): Reply => ({
  result: toWireSession(made),
  cookie: writeCookie(site, made.value, SESSION_MILLIS / 1000),
})

const credentialMissing = (what: string): DomainError =>
  new DomainError({
    reason: 'request.invalid',
    pointer: '',
    values: { problem: `the body must have one of: ${what}` },
  })

/** @throws DomainError: session.insecure, before a link is used up. */
function requireCookies(site: Site): void {
  if (site.takesCookies) return
  throw new DomainError({ reason: 'session.insecure', values: { host: new URL(site.origin).host } })
}
