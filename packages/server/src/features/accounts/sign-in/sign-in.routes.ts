// HTTP routes for signing in.
import { sessions, signIn as operations } from '@zonereeve/contract'
import { route, writeCookie, type Reply, type Route, type Site } from '../../../http/index.ts'
import { DomainError } from '../../../platform/domain-error.ts'
import { SESSION_MILLIS, toWireSession, type NewSession } from '../sessions/index.ts'
import type { SignIn } from './sign-in.service.ts'

export function signInRoutes(signIn: SignIn): Route[] {
  return [
    route(operations.methods, async () => {
      const { hasAccount } = await signIn.methods()
      return { result: { has_account: hasAccount, link: true, password: true, passkey: false, oidc: null } }
    }),
    route(operations.create, async ({ body, actor, client }) => {
      requireCookies(client.site)
      const { link, email, password, code } = body
      const isPassword = email !== undefined && password !== undefined
      if (isPassword === (link !== undefined)) throw credentialMissing()
      const made = isPassword
        ? await signIn.withPassword({ email, password, code }, client, actor.requestId)
        : await signIn.withLink(link ?? '', client, actor.requestId) // one of them is there
      return newSessionReply(made, client.site)
    }),
    route(sessions.confirm, async ({ caller, body, actor, client }) => {
      const proof = { password: body.password, code: body.code }
      return newSessionReply(await signIn.confirm(caller, proof, client.ip, actor), client.site)
    }),
  ]
}

const newSessionReply = (made: NewSession, site: Site): Reply => ({
  result: toWireSession(made),
  cookie: writeCookie(site, made.value, SESSION_MILLIS / 1000),
})

const credentialMissing = (): DomainError =>
  new DomainError({
    reason: 'request.invalid',
    pointer: '',
    values: { problem: 'the body must have link, or email and password' },
  })

/** @throws DomainError: session.insecure, before a link is used up. */
function requireCookies(site: Site): void {
  if (site.takesCookies) return
  throw new DomainError({ reason: 'session.insecure', values: { host: new URL(site.origin).host } })
}
