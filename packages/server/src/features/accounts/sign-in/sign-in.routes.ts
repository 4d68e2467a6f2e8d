// HTTP routes for signing in.
import { signIn as operations } from '@zonereeve/contract'
import { route, writeCookie, type Route, type Site } from '../../../http/index.ts'
import { DomainError } from '../../../platform/domain-error.ts'
import { SESSION_MILLIS, toWireSession } from '../sessions/index.ts'
import type { SignIn } from './sign-in.service.ts'

export function signInRoutes(signIn: SignIn): Route[] {
  return [
    route(operations.methods, async () => {
      const { hasAccount } = await signIn.methods()
      return { result: { has_account: hasAccount, link: true, password: true, passkey: false, oidc: null } }
    }),
    route(operations.create, async ({ body, actor, client }) => {
      requireCookies(client.site)
      if (body.link === undefined) throw credentialMissing()
      const made = await signIn.withLink(body.link, client, actor.requestId)
      return {
        result: toWireSession(made),
        cookie: writeCookie(client.site, made.value, SESSION_MILLIS / 1000),
      }
    }),
  ]
}

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
