// Passkeys: added after a confirmation, used to sign in without a user name, and what is refused.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type Call, type TestApp } from '../../../testing/app.ts'
import { createTestAuthenticator, type TestAuthenticator } from '../../../testing/authenticator.ts'
import { expectDocumented } from '../../../testing/documented.ts'
import { makeSession, sentBy, type SessionCredential } from '../../../testing/test-sessions.ts'

const OWN = '/zonereeve/user/passkeys'
const SESSION = '/zonereeve/session'
const MINUTE = 60_000

let app: TestApp
let owner: SessionCredential
let origin: string
let device: TestAuthenticator
beforeEach(async () => {
  app = await startTestApp()
  owner = await makeSession(app, { role: 'owner' })
  origin = `http://localhost:${app.port}`
  device = createTestAuthenticator()
})
afterEach(() => app.close())

interface Result {
  readonly id: string
  readonly challenge: string
  readonly rpId: string
  readonly rp: { readonly id: string }
  readonly allowCredentials: readonly { readonly id: string }[]
  readonly excludeCredentials: readonly { readonly id: string }[]
}

const ANONYMOUS = { token: null, headers: {} }
function send(
  method: string,
  path: string,
  body?: unknown,
  { token = null, headers = {} }: Partial<Call> = owner,
) {
  const host = `localhost:${app.port}`
  return app.call<Result>({ method, path, body, token, headers: { host, ...headers } })
}
const options = async (path = `${OWN}/options`, credential: Partial<Call> = owner) =>
  (await send('POST', path, {}, credential)).json.result
const add = async (name = 'Laptop', from = device) =>
  send('POST', OWN, { name, passkey: from.create(await options(), origin) })
const signInOptions = () => options('/zonereeve/sign_in/passkey', ANONYMOUS)
const signIn = async (count: number, more: { isVerified?: boolean } = {}, from = origin) =>
  send('POST', SESSION, { passkey: device.get(await signInOptions(), from, count, more) }, ANONYMOUS)
const stored = () => app.storage.all(query.selectFrom('passkeys').selectAll())

describe('a passkey', () => {
  test('is added, and signs in without a user name, as often as one likes', async () => {
    const added = await add()
    expect(added.status).toBe(200)
    expectDocumented('POST', OWN, 200, added.json)
    expect(added.json.result).toMatchObject({ name: 'Laptop', site: 'localhost', last_used_on: null })
    for (const count of [1, 2]) {
      const answer = await signIn(count)
      expect(answer.status).toBe(200)
      expect(answer.json.result).toMatchObject({ role: 'owner', methods: ['passkey'] })
      const value = /=([\w-]{40});/.exec(String(answer.headers['set-cookie']))?.[1] ?? 'none'
      expect((await send('GET', '/zones', undefined, sentBy(value))).status).toBe(200)
    }
    const list = await send('GET', OWN)
    expectDocumented('GET', OWN, 200, list.json)
    expect(list.json.result).toMatchObject([{ last_used_on: expect.stringMatching(/^2026-01-05T/) }])
    expect(await stored()).toMatchObject([{ counter: 2 }])
    expect((await send('GET', '/zonereeve/sign_in')).json.result).toMatchObject({
      has_account: true,
      passkey: true,
    })
  })

  test('is in the change log without its key', async () => {
    const { id } = (await add()).json.result
    const [row] = await stored()
    const changes = await app.changeLog()
    expect(changes.at(-1)?.ops).toMatchObject([{ kind: 'passkey.create' }])
    const log = JSON.stringify(changes)
    expect(log).toContain(id)
    expect(log).not.toContain(row?.public_key)
    expect(log).not.toContain(row?.credential_id)
  })

  test('is renamed and deleted by its user only, and then signs in no more', async () => {
    const { id } = (await add()).json.result
    const other = await makeSession(app, { role: 'owner' })
    for (const [method, body] of [
      ['PATCH', { name: 'Stolen' }],
      ['DELETE', undefined],
    ] as const)
      expect((await send(method, `${OWN}/${id}`, body, other)).json.errors).toMatchObject([{ code: 19913 }])
    const renamed = await send('PATCH', `${OWN}/${id}`, { name: 'Desk' })
    expectDocumented('PATCH', `${OWN}/${id}`, 200, renamed.json)
    expect((await send('GET', OWN)).json.result).toMatchObject([{ id, name: 'Desk' }])
    expect((await send('DELETE', `${OWN}/${id}`)).status).toBe(200)
    expect((await signIn(1)).json.errors).toMatchObject([{ code: 19915 }])
  })

  test('ends the one-time links, as a password does', async () => {
    const { user } = (await send('GET', SESSION)).json.result as unknown as { user: { id: string } }
    const { link } = (await send('POST', `/zonereeve/users/${user.id}/link`)).json.result as unknown as {
      link: string
    }
    await add()
    expect((await send('POST', SESSION, { link }, ANONYMOUS)).json.errors).toMatchObject([{ code: 19895 }])
  })

  test('confirms a session of its user, not one of another', async () => {
    await add()
    const path = `${SESSION}/confirm/passkey`
    app.clock.advance(6 * MINUTE)
    expect((await send('POST', `${OWN}/options`)).json.errors).toMatchObject([{ code: 19897 }])
    const asked = await options(path)
    expect(asked.allowCredentials.map(({ id }) => id)).toEqual([device.credentialId])
    const other = await makeSession(app, { role: 'owner' })
    const reply = device.get(asked, origin, 1)
    expect((await send('POST', `${SESSION}/confirm`, { passkey: reply }, other)).json.errors).toMatchObject([
      { code: 19915 },
    ])
    const confirmed = await send('POST', `${SESSION}/confirm`, { passkey: reply })
    expectDocumented('POST', `${SESSION}/confirm`, 200, confirmed.json)
    const value = /=([\w-]{40});/.exec(String(confirmed.headers['set-cookie']))?.[1] ?? 'none'
    expect((await send('POST', `${OWN}/options`, undefined, sentBy(value))).status).toBe(200)
  })
})

describe('refused, with nothing stored:', () => {
  test.each([
    ['without user verification', async () => device.create(await options(), origin, { isVerified: false })],
    ['of another origin', async () => device.create(await options(), 'https://localhost')],
    ['of another site', async () => device.create({ ...(await options()), rp: { id: 'a.example' } }, origin)],
    ['with a made-up challenge', async () => device.create({ challenge: 'x'.repeat(75) }, origin)],
    ['with a challenge to sign in', async () => device.create(await signInOptions(), origin)],
    ['that is an assertion', async () => device.get(await options(), origin, 1)],
    ['that is empty', async () => ({})],
  ])('a passkey %s', async (_, reply) => {
    const answer = await send('POST', OWN, { name: 'x', passkey: await reply() })
    expect(answer.json.errors).toMatchObject([{ code: 19911, source: { pointer: '/passkey' } }])
    expect(await stored()).toEqual([])
  })

  test('a challenge that was used, is older than five minutes, or is of another session', async () => {
    const asked = await options()
    const other = await makeSession(app, { role: 'owner' })
    const reply = { name: 'x', passkey: device.create(asked, origin) }
    expect((await send('POST', OWN, reply, other)).json.errors).toMatchObject([{ code: 19911 }])
    expect((await send('POST', OWN, reply)).status).toBe(200)
    expect((await send('POST', OWN, reply)).json.errors).toMatchObject([{ code: 19911 }])
    const late = device.get(await signInOptions(), origin, 1)
    app.clock.advance(5 * MINUTE)
    expect((await send('POST', SESSION, { passkey: late }, ANONYMOUS)).status).toBe(403)
    expect((await stored()).length).toBe(1)
  })

  test('the same passkey twice', async () => {
    await add()
    expect((await options()).excludeCredentials.map(({ id }) => id)).toEqual([device.credentialId])
    expect((await add()).json.errors).toMatchObject([{ code: 19912 }])
    expect((await stored()).length).toBe(1)
  })
})

describe('no user is signed in', () => {
  test.each([
    ['without user verification', () => signIn(1, { isVerified: false })],
    ['for another origin', () => signIn(1, {}, 'https://localhost')],
    ['with a counter that did not grow', async () => [await signIn(5), await signIn(5)][1]],
  ])('%s', async (_, attempt) => {
    await add()
    expect((await attempt())?.json.errors).toMatchObject([{ code: 19915 }])
  })

  test('with the same reply a second time', async () => {
    await add()
    const passkey = device.get(await signInOptions(), origin, 1)
    const answers = await Promise.all([0, 1, 2].map(() => send('POST', SESSION, { passkey }, ANONYMOUS)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403])
  })

  test('by a passkey of another device', async () => {
    await add()
    device = createTestAuthenticator()
    expect((await signIn(1)).json.errors).toMatchObject([{ code: 19915 }])
  })

  test('at an address, or by two proofs', async () => {
    const headers = { host: '127.0.0.1:8080' }
    const answer = await send('POST', '/zonereeve/sign_in/passkey', {}, { token: null, headers })
    expect(answer.json.errors).toMatchObject([{ code: 19910 }])
    expect(
      (await send('GET', '/zonereeve/sign_in', undefined, { token: null, headers })).json.result,
    ).toMatchObject({ passkey: false })
    const both = await send('POST', SESSION, { link: 'x', passkey: {} }, ANONYMOUS)
    expect(both.json.errors).toMatchObject([{ code: 6008 }])
  })

  test('by guessing: it is throttled like every way to sign in', async () => {
    await add()
    for (let count = 0; count < 50; count += 1)
      expect((await send('POST', SESSION, { passkey: {} }, ANONYMOUS)).status).toBe(403)
    expect((await signIn(1)).json.errors).toMatchObject([{ code: 19896 }])
  })
})
