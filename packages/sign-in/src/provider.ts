// Signing in at an identity provider (OpenID Connect): authorization code with PKCE, state and nonce. What browsers bring
// back is accepted only from the browser that left, once, within ten minutes.
import * as oidc from 'openid-client'
import { createTickets } from './tickets.ts'

const FLOW_MILLIS = 10 * 60_000
const TIMEOUT_SECONDS = 10
const PURPOSE = 'identity provider'

export interface ProviderSettings {
  /** URL, as the provider names itself. */
  readonly issuer: string
  readonly clientId: string
  /** undefined = a public client, which PKCE alone protects. */
  readonly clientSecret: string | undefined
  /** Separated by spaces. */
  readonly scopes: string
}

/** What the provider says about a person. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string }

/** Why a flow failed. */
export type ProviderProblem = 'unreachable' | 'refused'

export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly problem: ProviderProblem

  constructor(problem: ProviderProblem, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.problem = problem
  }
}

export type Provider = ReturnType<typeof createProvider>

/** Asks the provider for its metadata when they are first needed, and again after a failure. @param now milliseconds. */
export function createProvider(settings: ProviderSettings, now: () => number) {
  const tickets = createTickets(now, FLOW_MILLIS)
  let known: Promise<oidc.Configuration> | undefined
  return { start, finish }

  async function configuration(): Promise<oidc.Configuration> {
    known ??= discover(settings)
    try {
      return await known
    } catch (error) {
      known = undefined
      throw new ProviderError('unreachable', error)
    }
  }

  /**
   * @param isAgain the provider must ask for the credentials again.
   * @returns where the browser goes, and a secret that it must keep and send back.
   * @throws ProviderError: unreachable.
   */
  async function start(redirectUri: string, isAgain: boolean): Promise<{ url: string; flow: string }> {
    const config = await configuration()
    const flow = tickets.issue(PURPOSE)
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: settings.scopes,
      state: tickets.derive(flow, 'state'),
      nonce: tickets.derive(flow, 'nonce'),
      code_challenge: await oidc.calculatePKCECodeChallenge(tickets.derive(flow, 'verifier')),
      code_challenge_method: 'S256',
      ...(isAgain ? { prompt: 'login' } : {}),
    })
    return { url: url.href, flow }
  }

  /** @param returned the URL at which the browser came back. @throws ProviderError. */
  async function finish(flow: string, returned: URL): Promise<Claims> {
    if (!tickets.take(flow, PURPOSE))
      throw new ProviderError('refused', 'the flow is unknown, used or expired')
    const config = await configuration()
    try {
      const tokens = await oidc.authorizationCodeGrant(config, returned, {
        pkceCodeVerifier: tickets.derive(flow, 'verifier'),
        expectedState: tickets.derive(flow, 'state'),
        expectedNonce: tickets.derive(flow, 'nonce'),
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('the reply has no ID token')
      if ('email' in claims || config.serverMetadata().userinfo_endpoint === undefined) return claims
      // Some providers tell only the subject in the ID token.
      return { ...(await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims }
    } catch (error) {
      throw new ProviderError(error instanceof TypeError ? 'unreachable' : 'refused', error)
    }
  }
}

function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<oidc.Configuration> {
  const url = new URL(issuer)
  const execute = [
    // The library trusts the connection to the token endpoint; the signature is checked, too.
    oidc.enableNonRepudiationChecks,
    ...(url.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
  ]
  const proof = clientSecret === undefined ? oidc.None() : undefined
  return oidc.discovery(url, clientId, clientSecret, proof, { execute, timeout: TIMEOUT_SECONDS })
}
