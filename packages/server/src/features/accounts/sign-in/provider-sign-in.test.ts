// Signing in at an identity provider over real HTTP: who gets in, with which role, and what is refused.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp, type TestAppOptions } from '../../../testing/app.ts'
import { expectDocumented } from '../../../testing/documented.ts'
import {
  startTestProvider,
  TEST_CLIENT,
  type TestProvider,
} from '@zonereeve/sign-in/testing/identity-provider.ts'
import { makeUser, sentBy } from '../../../testing/test-sessions.ts'

const START = '/zonereeve/sign_in/oidc'
const SESSION = '/zonereeve/session'
const ANNA = { sub: 'anna-1', email: 'Anna@example.com', email_verified: true, name: 'Anna Baker' }

let provider: TestProvider
let app: TestApp
beforeEach(async () => {
  provider = await startTestProvider()
  provider.claims = ANNA
})
afterEach(async () => {
  await app.close()
  await provider.close()
})

const start = async (options: TestAppOptions = {}): Promise<void> => {
  app = await startTestApp({
    oidcIssuer: provider.issuer,
    oidcClientId: TEST_CLIENT.id,
    oidcClientSecret: TEST_CLIENT.secret,
    oidcNewUsers: 'create',
    ...options,
  })
}
const post = (path: string, body: object) =>
  app.call<{ url: string; flow: string; user: { id: string; email: string }; role: string | null }>({
    method: 'POST',
    path,
    body,
    token: null,
    headers: { host: `localhost:${app.port}` },
  })
const begin = async () => (await post(START, {})).json.result
const finish = (flow: string, response: string) => post(SESSION, { oidc: { flow, response } })
async function signIn() {
  const { url, flow } = await begin()
  return finish(flow, await provider.visit(url))
}
const emails = async () =>
  (await app.storage.all(query.selectFrom('users').select('email').orderBy('email'))).map(
    ({ email }) => email,
  )
const ADMIN = 'admin@example.com'

describe('a person', () => {
  test('gets a user and a session, and the same user the next time, also with another address', async () => {
    await start()
    const first = await signIn()
    expect(first.status).toBe(200)
    expectDocumented('POST', SESSION, 200, first.json)
    const { user } = first.json.result
    expect(first.json.result).toMatchObject({
      user: { email: 'anna@example.com', name: 'Anna Baker' },
      role: null,
      methods: ['oidc'],
    })
    const value = /=([\w-]{40});/.exec(String(first.headers['set-cookie']))?.[1] ?? 'none'
    expect((await app.call({ method: 'GET', path: SESSION, ...sentBy(value) })).status).toBe(200)
    provider.claims = { sub: ANNA.sub }
    expect((await signIn()).json.result.user).toMatchObject({ id: user.id })
    expect(await emails()).toEqual([ADMIN, 'anna@example.com'])
    const kinds = (await app.changeLog()).flatMap(({ ops }) => ops.map(({ kind }) => kind))
    expect(kinds).toEqual(expect.arrayContaining(['user.create', 'identity.create', 'session.create']))
  })

  test('is linked to the user with the verified address, who keeps their role', async () => {
    await start({ oidcNewUsers: 'link' })
    const user = await makeUser(app, { role: 'editor' })
    provider.claims = { ...ANNA, email: user.email }
    expect((await signIn()).json.result).toMatchObject({ user: { id: user.id }, role: 'editor' })
  })

  test('gets the strongest role that the claim maps to, each time', async () => {
    await start({ oidcRoles: 'groups:staff=viewer,dns=admin' })
    provider.claims = { ...ANNA, groups: ['staff', 'dns', 'other'] }
    expect((await signIn()).json.result.role).toBe('admin')
    provider.claims = { ...ANNA, groups: ['staff'] }
    expect((await signIn()).json.result.role).toBe('viewer')
    provider.claims = { ...ANNA, groups: [] }
    expect((await signIn()).json.errors).toMatchObject([{ code: 19920 }])
  })

  test('who is an owner here stays one', async () => {
    await start({ oidcRoles: 'groups:staff=viewer' })
    provider.claims = { ...ANNA, email: ADMIN, groups: 'staff' }
    expect((await signIn()).json.result).toMatchObject({ user: { id: app.userId }, role: 'owner' })
  })

  test.each([
    ['without a user, where users are only linked', { oidcNewUsers: 'link' }, {}, 19922],
    ['with a user, where the first sign-in is off', { oidcNewUsers: 'off' }, { email: ADMIN }, 19922],
    ['whose address is not verified', {}, { email_verified: false }, 19921],
    ['without an address', {}, { email: undefined }, 19921],
    ['of another domain', { oidcDomains: ['example.org'] }, {}, 19919],
    ['without a mapped role', { oidcRoles: 'groups:dns=admin' }, {}, 19920],
  ] as const)('%s is refused, and nothing is stored', async (_, options, claims, code) => {
    await start(options)
    provider.claims = { ...ANNA, ...claims }
    const before = await app.changeCount()
    expect((await signIn()).json.errors).toMatchObject([{ code }])
    expect([await emails(), await app.changeCount()]).toEqual([[ADMIN], before])
  })
})

describe('refused, with no session:', () => {
  const REFUSED = [19918, 0]
  /** @returns the code of the error, and the number of sessions. */
  const outcome = async (flow: string, response: string) => [
    (await finish(flow, response)).json.errors[0]?.code,
    (await app.storage.all(query.selectFrom('sessions').select('id'))).length,
  ]

  test.each([
    ['an ID token for another client', { aud: 'another' }],
    ['an ID token of another provider', { iss: 'https://login.example.org' }],
    ['an ID token with another nonce', { nonce: 'x' }],
    ['an ID token that has expired', { exp: 1_000 }],
  ])('%s', async (_, wrong) => {
    await start()
    provider.wrong = wrong
    const { url, flow } = await begin()
    expect(await outcome(flow, await provider.visit(url))).toEqual(REFUSED)
  })

  test('an ID token with a signature of another key', async () => {
    await start()
    provider.hasWrongKey = true
    const { url, flow } = await begin()
    expect(await outcome(flow, await provider.visit(url))).toEqual(REFUSED)
  })

  test('what another browser brings back: its flow is another one', async () => {
    await start()
    const [victim, attacker] = [await begin(), await begin()]
    expect(await outcome(victim.flow, await provider.visit(attacker.url))).toEqual(REFUSED)
    expect(await outcome('made-up', await provider.visit(attacker.url))).toEqual(REFUSED)
  })

  test('a code that the provider did not give, or that came after ten minutes', async () => {
    await start()
    const { url, flow } = await begin()
    const response = (await provider.visit(url)).replace(/code=\w+/, 'code=made-up')
    expect(await outcome(flow, response)).toEqual(REFUSED)
    const late = await begin()
    const returned = await provider.visit(late.url)
    app.clock.advance(10 * 60_000)
    expect(await outcome(late.flow, returned)).toEqual(REFUSED)
  })

  test('the same return a second time', async () => {
    await start()
    const { url, flow } = await begin()
    const response = await provider.visit(url)
    expect((await finish(flow, response)).status).toBe(200)
    expect((await finish(flow, response)).json.errors).toMatchObject([{ code: 19918 }])
  })
})

test('the program starts while the provider is down, and asks it again later', async () => {
  provider.isDown = true
  await start()
  expect((await post(START, {})).json.errors).toMatchObject([{ code: 19917 }])
  provider.isDown = false
  const answer = await post(START, {})
  expectDocumented('POST', START, 200, answer.json)
  const asked = new URL(answer.json.result.url).searchParams
  expect(Object.fromEntries(asked)).toMatchObject({
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: `http://localhost:${app.port}/sign-in`,
    code_challenge_method: 'S256',
  })
  expect(
    (await app.call({ method: 'GET', path: '/zonereeve/sign_in', token: null })).json.result,
  ).toMatchObject({ oidc: { name: new URL(provider.issuer).host } })
})

test('the program does not start without the ID that the provider assigned', async () => {
  await start()
  const options = { oidcIssuer: provider.issuer, oidcClientId: '' }
  await expect(startTestApp(options)).rejects.toThrow('oidc-client-id is needed')
})

test('without a configured provider there is none', async () => {
  app = await startTestApp()
  expect((await post(START, {})).json.errors).toMatchObject([{ code: 19916 }])
  expect((await finish('x', '?code=x')).json.errors).toMatchObject([{ code: 19916 }])
  expect(
    (await app.call({ method: 'GET', path: '/zonereeve/sign_in', token: null })).json.result,
  ).toMatchObject({ oidc: null })
})
