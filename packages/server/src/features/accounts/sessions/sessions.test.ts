// Sessions: accepted only as their cookie, only from our own pages, and only until they end.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type Call, type TestApp } from '../../../testing/app.ts'
import { expectDocumented } from '../../../testing/documented.ts'
import {
  makeSession,
  makeUser,
  startSession,
  type SessionCredential,
} from '../../../testing/test-sessions.ts'
import { IDLE_MILLIS, SESSION_MILLIS } from './sessions.rules.ts'

const OWN = 'http://127.0.0.1'
const SESSION = '/zonereeve/session'

let app: TestApp
let owner: SessionCredential
beforeEach(async () => {
  app = await startTestApp()
  owner = await makeSession(app, { role: 'owner' })
})
afterEach(() => app.close())

const cookieOf = ({ headers }: SessionCredential): string => headers['cookie'] ?? ''
const get = (credential: Pick<Call, 'token' | 'headers'> = owner, path = SESSION) =>
  app.call<{ id: string; current: boolean }>({ method: 'GET', path, ...credential })

describe('a session', () => {
  test('shows its user and its times', async () => {
    const answer = await get()
    expect(answer.status).toBe(200)
    expect(answer.json.result).toMatchObject({
      role: 'owner',
      zone_roles: [],
      methods: ['password'],
      created_on: expect.stringMatching(/^2026-01-05T10:20:30\.123/),
      recently_authenticated_until: expect.stringMatching(/^2026-01-05T10:25:30\.123/),
      idle_expires_on: expect.stringMatching(/^2026-01-05T22:20:30\.123/),
      expires_on: expect.stringMatching(/^2026-02-04T10:20:30\.123/),
    })
    expectDocumented('GET', SESSION, 200, answer.json)
    expect(answer.text).not.toContain(cookieOf(owner).split('=')[1])
  })

  test('is the actor of what it changes', async () => {
    await app.call({ method: 'POST', path: '/zones', body: { name: 'a.example' }, ...owner })
    const { json } = await get()
    const last = (await app.changeLog()).at(-1)
    expect([last?.actor_kind, last?.actor_id]).toEqual([
      'session',
      (json.result as unknown as { user: { id: string } }).user.id,
    ])
  })

  test('is stored as a hash', async () => {
    const rows = await app.storage.all(query.selectFrom('sessions').selectAll())
    expect(rows.length).toBe(1)
    expect(JSON.stringify(rows)).not.toContain(cookieOf(owner).split('=')[1])
    expect(JSON.stringify(await app.changeLog())).not.toContain(cookieOf(owner).split('=')[1])
  })

  const ends: [name: string, steps: readonly number[], status: number][] = [
    ['is kept until it was idle for long', [IDLE_MILLIS - 1], 200],
    ['ends when it was idle for long', [IDLE_MILLIS], 401],
    ['is kept by use', [IDLE_MILLIS - 1, IDLE_MILLIS - 1], 200],
    [
      'ends some time in spite of use',
      Array.from({ length: Math.ceil(SESSION_MILLIS / (IDLE_MILLIS - 1)) }, () => IDLE_MILLIS - 1),
      401,
    ],
  ]
  test.each(ends)('%s', async (_, steps, status) => {
    let last = 0
    for (const step of steps) {
      app.clock.advance(step)
      last = (await get()).status
    }
    expect(last).toBe(status)
  })

  test('is kept by use that was stored before a restart', async () => {
    app.clock.advance(IDLE_MILLIS - 1)
    await get()
    await app.sessions.saveLastUse()
    const [row] = await app.storage.all(query.selectFrom('sessions').select('last_used_on'))
    expect(row?.last_used_on).toMatch(/^2026-01-05T22:20:30\.122/)
    app.clock.advance(IDLE_MILLIS - 1)
    await app.sessions.sweep()
    expect((await get()).status).toBe(200)
    app.clock.advance(IDLE_MILLIS + 1)
    await app.sessions.sweep()
    expect(await app.storage.all(query.selectFrom('sessions').selectAll())).toEqual([])
  })

  test.each(['last_used_on', 'expires_on', 'methods'])(
    'with an unreadable %s grants nothing',
    async (column) => {
      await app.storage.write((tx) =>
        tx.run(query.updateTable('sessions').set({ [column]: 'damaged' } as never)),
      ) // one of its columns
      expect((await get()).json.errors).toMatchObject([{ code: 19891 }])
      expect((await get(owner, '/zones')).status).toBe(401)
    },
  )

  test('of a user who was deleted ends', async () => {
    await app.storage.write((tx) => tx.run(query.deleteFrom('users').where('email', 'like', '0%')))
    expect((await get()).status).toBe(401)
  })

  test('with a role that does not exist grants nothing', async () => {
    const { json } = await get()
    const { user } = json.result as unknown as { user: { id: string } }
    await app.storage.write((tx) =>
      tx.run(
        query
          .updateTable('users')
          .set({ role: 'ownes' as never })
          .where('id', '=', user.id),
      ),
    )
    app.clock.advance(3_000)
    expect((await get(owner, '/zones')).status).toBe(403)
    expect((await get(owner, '/accounts')).status).toBe(403)
  })
})

describe('the cookie', () => {
  test('does not replace a token', async () => {
    const { headers } = owner
    const bad = await app.call({ method: 'GET', path: '/user', token: 'x'.repeat(40), headers })
    expect(bad.json.errors).toMatchObject([{ code: 9109 }])
    const key = await app.call({
      method: 'GET',
      path: '/user',
      token: null,
      headers: { ...headers, 'x-auth-email': 'admin@example.com', 'x-auth-key': '0'.repeat(37) },
    })
    expect(key.json.errors).toMatchObject([{ code: 9103 }])
  })

  const cookies: [name: string, cookie: (value: string) => string, status: number][] = [
    ['among others', (value) => `a=b; zonereeve=${value}; c=d`, 200],
    ['of another name', (value) => `zonereeve2=${value}`, 401],
    ['with the prefix, over plain HTTP', (value) => `__Host-zonereeve=${value}`, 401],
    ['with another value', (value) => `zonereeve=${value.slice(0, -1)}_`, 401],
    ['without a value', () => 'zonereeve=', 401],
    ['as one of two: the first counts', (value) => `zonereeve=x; zonereeve=${value}`, 401],
  ]
  test.each(cookies)('%s', async (_, cookie, status) => {
    const value = cookieOf(owner).split('=')[1] ?? ''
    const { headers } = owner
    expect((await get({ token: null, headers: { ...headers, cookie: cookie(value) } })).status).toBe(status)
  })

  test('is no credential for operations of tokens about themselves', async () => {
    expect((await get(owner, '/user/tokens/verify')).json.errors).toMatchObject([{ code: 19203 }])
  })

  test('is needed where sessions manage themselves: a token is not enough', async () => {
    for (const path of [SESSION, '/zonereeve/sessions'])
      expect((await app.call({ method: 'GET', path })).json.errors).toMatchObject([{ code: 19890 }])
  })
})

describe('a request with a session', () => {
  type Row = [name: string, method: string, headers: Readonly<Record<string, string>>, isAllowed: boolean]
  const rows = (port: number): Row[] => [
    ['that writes, from our own page', 'POST', { 'sec-fetch-site': 'same-origin' }, true],
    ['that writes, with our Origin', 'POST', { origin: `${OWN}:${port}` }, true],
    ['that writes, with neither', 'POST', {}, false],
    ['that writes, from a sibling of the host', 'POST', { 'sec-fetch-site': 'same-site' }, false],
    ['that writes, from another site', 'POST', { 'sec-fetch-site': 'cross-site' }, false],
    ['that writes, from the address bar', 'POST', { 'sec-fetch-site': 'none' }, false],
    [
      'that writes, from another site that shows our Origin',
      'POST',
      { 'sec-fetch-site': 'cross-site', origin: `${OWN}:${port}` },
      false,
    ],
    ['that writes, with another port', 'POST', { origin: `${OWN}:1` }, false],
    ['that writes, with another scheme', 'POST', { origin: `https://127.0.0.1:${port}` }, false],
    ['that writes, with a null Origin', 'POST', { origin: 'null' }, false],
    ['that reads, with neither', 'GET', {}, true],
    ['that reads, from the address bar', 'GET', { 'sec-fetch-site': 'none' }, true],
    ['that reads, from another site', 'GET', { 'sec-fetch-site': 'cross-site' }, false],
    ['that reads, from a sibling of the host', 'GET', { 'sec-fetch-site': 'same-site' }, false],
  ]
  test('is checked for its origin', async () => {
    const host = `127.0.0.1:${app.port}`
    for (const [name, method, headers, isAllowed] of rows(app.port)) {
      const before = await app.changeCount()
      const { status, json } = await app.call({
        method,
        path: '/accounts',
        token: null,
        headers: { ...headers, host, cookie: cookieOf(owner) },
        ...(method === 'POST' ? { body: { name: 'other' } } : {}),
      })
      expect([name, status, json.errors[0]?.code]).toEqual(
        isAllowed ? [name, 200, undefined] : [name, 403, 19892],
      )
      expect([name, await app.changeCount()]).toEqual([
        name,
        before + (isAllowed && method === 'POST' ? 1 : 0),
      ])
    }
  })
})

describe('sessions', () => {
  test('are listed for their user, and ended one by one', async () => {
    const user = await makeUser(app, { role: 'viewer' })
    const [first, second] = [await startSession(app, user), await startSession(app, user)]
    const answer = await app.call<{ id: string; current: boolean }[]>({
      method: 'GET',
      path: '/zonereeve/sessions',
      ...second,
    })
    expectDocumented('GET', '/zonereeve/sessions', 200, answer.json)
    expect(answer.json.result.map(({ current }) => current)).toEqual([false, true])
    const [{ id } = { id: '' }] = answer.json.result
    const path = `/zonereeve/sessions/${id}`
    // Not by another user.
    expect((await app.call({ method: 'DELETE', path, ...owner })).json.errors).toMatchObject([
      { code: 19894 },
    ])
    expect((await get(first)).status).toBe(200)
    expect((await app.call({ method: 'DELETE', path, ...second })).status).toBe(200)
    expect([(await get(first)).status, (await get(second)).status]).toEqual([401, 200])
  })

  test('end by signing out, which deletes the cookie', async () => {
    const { status, headers } = await app.call({ method: 'DELETE', path: SESSION, ...owner })
    expect([status, headers['set-cookie']]).toEqual([
      200,
      ['zonereeve=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict'],
    ])
    expect((await get()).status).toBe(401)
  })

  test('stay in a dry run of signing out', async () => {
    const { status, headers } = await app.call({
      method: 'DELETE',
      path: `${SESSION}?dry_run=true`,
      ...owner,
    })
    expect([status, headers['set-cookie']]).toEqual([200, undefined])
    expect((await get()).status).toBe(200)
  })

  test('are limited for each user: the one that was used longest ago ends', async () => {
    const user = await makeUser(app, { role: 'viewer' })
    const all: SessionCredential[] = []
    for (let count = 0; count < 50; count += 1) all.push(await startSession(app, user))
    const [first = owner, second = owner] = all
    expect((await get(first)).status).toBe(200)
    await startSession(app, user)
    expect([(await get(first)).status, (await get(second)).status, (await get()).status]).toEqual([
      200, 401, 200,
    ])
  })

  test('are logged as they start and end, like tokens', async () => {
    await app.call({ method: 'DELETE', path: SESSION, ...owner })
    const kinds = (await app.changeLog()).flatMap(({ ops }) => ops.map(({ kind }) => kind))
    expect(kinds.slice(-2)).toEqual(['session.create', 'session.delete'])
  })

  test('create tokens only within the role of their user, in both profiles', async () => {
    for (const profile of ['documented', 'vendor'] as const) {
      const world = await startTestApp({ profile })
      const viewer = await makeSession(world, { role: 'viewer' })
      const token = (group: string) => ({
        method: 'POST',
        path: '/user/tokens',
        ...viewer,
        body: {
          name: 'made',
          policies: [
            {
              effect: 'allow',
              resources: { 'com.cloudflare.api.account.zone.*': '*' },
              permission_groups: [{ id: group }],
            },
          ],
        },
      })
      expect((await world.call(token('82e64a83756745bbbb1c9c2701bf816b'))).status).toBe(200) // DNS Read
      const refused = await world.call(token('4755a26eedb94da69e1066d98aa820be')) // DNS Write
      expect(refused.json.errors).toMatchObject([
        { code: 19870, source: { pointer: '/policies/0/permission_groups/0' } },
      ])
      await world.close()
    }
  })
})
