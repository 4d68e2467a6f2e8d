// An identity provider of the tests, over real HTTP: discovery, authorization code with PKCE, tokens signed with RS256.
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

export interface TestProvider {
  readonly issuer: string
  /** Of the next person who signs in. */
  claims: Readonly<Record<string, unknown>>
  /** Replaces claims of the next ID token that the provider determines, such as `aud`. */
  wrong: Readonly<Record<string, unknown>>
  /** Whether it signs with a key that it does not publish. */
  hasWrongKey: boolean
  /** Whether it answers 503. */
  isDown: boolean
  /** What the person's browser does at the provider. @returns the query with which it comes back. */
  readonly visit: (url: string) => Promise<string>
  readonly close: () => Promise<void>
}

export const TEST_CLIENT = { id: 'zonereeve', secret: 'secret-of-the-tests' }

interface Code {
  readonly nonce: string | null
  readonly challenge: string | null
  readonly redirectUri: string | null
}

const LIFE_SECONDS = 300

/** @param now milliseconds since the epoch. */
export async function startTestProvider(now: () => number = Date.now): Promise<TestProvider> {
  const codes = new Map<string, Code>()
  const [own, other] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 })) as [Pair, Pair] // two of them
  const server = createServer((request, reply) => void answer(request, reply))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number } // it listens on TCP
  const issuer = `http://127.0.0.1:${port}`
  const provider: TestProvider = {
    issuer,
    claims: {},
    wrong: {},
    hasWrongKey: false,
    isDown: false,
    async visit(url) {
      const reply = await fetch(url, { redirect: 'manual' })
      return new URL(reply.headers.get('location') ?? 'none:').search
    },
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }

  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer)
    if (provider.isDown) return void reply.writeHead(503).end()
    if (url.pathname === '/authorize') return authorize(url.searchParams, reply)
    const found = await resultOf(url.pathname, request)
    reply.writeHead(found === undefined ? 400 : 200, { 'content-type': 'application/json' })
    reply.end(JSON.stringify(found ?? { error: 'invalid_grant' }))
  }

  function authorize(query: URLSearchParams, reply: ServerResponse): void {
    const code = randomBytes(16).toString('hex')
    const redirectUri = query.get('redirect_uri')
    codes.set(code, { nonce: query.get('nonce'), challenge: query.get('code_challenge'), redirectUri })
    const back = new URL(redirectUri ?? issuer)
    back.search = new URLSearchParams({ code, state: query.get('state') ?? 'none', iss: issuer }).toString()
    reply.writeHead(302, { location: back.href }).end()
  }

  async function resultOf(path: string, request: IncomingMessage): Promise<object | undefined> {
    if (path === '/.well-known/openid-configuration') return metadata(issuer)
    if (path === '/keys')
      return { keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: '1', alg: 'RS256', use: 'sig' }] }
    if (path !== '/token') return undefined
    const form = new URLSearchParams(await text(request))
    const code = codes.get(form.get('code') ?? 'none')
    codes.delete(form.get('code') ?? 'none')
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? 'none')
      .digest('base64url')
    const isClient =
      form.get('client_id') === TEST_CLIENT.id && form.get('client_secret') === TEST_CLIENT.secret
    if (code?.challenge !== verifier || code.redirectUri !== form.get('redirect_uri') || !isClient)
      return undefined
    return { access_token: 'access', token_type: 'Bearer', id_token: idToken(code) }
  }

  function idToken({ nonce }: Code): string {
    const at = Math.floor(now() / 1000)
    const payload = {
      iss: issuer,
      aud: TEST_CLIENT.id,
      iat: at,
      exp: at + LIFE_SECONDS,
      nonce,
      ...provider.claims,
      ...provider.wrong,
    }
    const head = [{ alg: 'RS256', kid: '1', typ: 'JWT' }, payload]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const { privateKey } = provider.hasWrongKey ? other : own
    return `${head}.${createSign('sha256').update(head).sign(privateKey, 'base64url')}`
  }
  return provider
}

type Pair = ReturnType<typeof generateKeyPairSync>

const metadata = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_post'],
  authorization_response_iss_parameter_supported: true,
})
