// Users: who may create, change and delete them, and what happens to their sessions and tokens.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectDocumented } from '../../../testing/documented.ts'
import {
  makeSession,
  makeUser,
  startSession,
  type SessionCredential,
} from '../../../testing/test-sessions.ts'
import { allow, EVERYTHING, makeToken } from '../../../testing/test-tokens.ts'

const USERS = '/zonereeve/users'

let app: TestApp
let owner: SessionCredential
beforeEach(async () => {
  app = await startTestApp()
  owner = await makeSession(app, { role: 'owner' })
})
afterEach(() => app.close())

interface ManagedUser {
  readonly id: string
  readonly link: string
}

const send = (method: string, path: string, body?: unknown, credential: Partial<SessionCredential> = owner) =>
  app.call<ManagedUser>({ method, path, body, ...credential })
const create = (more: object = {}, credential?: Partial<SessionCredential>) =>
  send('POST', USERS, { email: 'Anna@example.com', role: 'editor', ...more }, credential)
const userCount = async () => (await app.storage.all(query.selectFrom('users').select('id'))).length

describe('a user', () => {
  test('is created with a link, by which they sign in with their role', async () => {
    const answer = await create()
    expect(answer.status).toBe(200)
    expectDocumented('POST', USERS, 200, answer.json)
    expect(answer.json.result).toMatchObject({ email: 'anna@example.com', role: 'editor', zone_roles: [] })
    const { link, id } = answer.json.result
    const signedIn = await send('POST', '/zonereeve/session', { link }, { token: null })
    expect(signedIn.json.result).toMatchObject({ user: { id }, role: 'editor' })
    expect(JSON.stringify(await app.changeLog())).not.toContain(link)
    const list = await send('GET', USERS)
    expectDocumented('GET', USERS, 200, list.json)
    expect(list.text).not.toContain('link')
  })

  test('has an address of their own', async () => {
    await create()
    const before = await app.changeCount()
    expect((await create()).json.errors).toMatchObject([{ code: 19907, source: { pointer: '/email' } }])
    expect(await app.changeCount()).toBe(before)
  })

  test('gets another role at once, and loses tokens that exceed it', async () => {
    const user = await makeUser(app, { role: 'admin' })
    const session = await startSession(app, user)
    const policies = (group: string) => [
      {
        effect: 'allow',
        resources: { 'com.cloudflare.api.account.zone.*': '*' },
        permission_groups: [{ id: group }],
      },
    ]
    const token = async (name: string, group: string) =>
      send('POST', '/user/tokens', { name, policies: policies(group) }, session)
    await token('writes', '4755a26eedb94da69e1066d98aa820be')
    await token('reads', '82e64a83756745bbbb1c9c2701bf816b')
    const changed = await send('PATCH', `${USERS}/${user.id}`, { role: 'viewer' })
    expect(changed.status).toBe(200)
    expectDocumented('PATCH', `${USERS}/${user.id}`, 200, changed.json)
    expect((await send('POST', '/zones', { name: 'a.example' }, session)).status).toBe(403)
    const rows = await app.storage.all(
      query.selectFrom('tokens').select(['name', 'status']).where('owner_id', '=', user.id).orderBy('name'),
    )
    expect(rows).toEqual([
      { name: 'reads', status: 'active' },
      { name: 'writes', status: 'disabled' },
    ])
  })

  test('is deleted with sessions and tokens', async () => {
    const user = await makeUser(app, { role: 'viewer' })
    const session = await startSession(app, user)
    expect((await send('DELETE', `${USERS}/${user.id}`)).status).toBe(200)
    expect((await send('GET', '/zonereeve/session', undefined, session)).status).toBe(401)
    expect((await send('DELETE', `${USERS}/${user.id}`)).json.errors).toMatchObject([{ code: 19908 }])
  })

  test('who is the last owner stays one', async () => {
    const { json } = await send('GET', '/zonereeve/session')
    const { user } = json.result as unknown as { user: { id: string } }
    expect((await send('DELETE', `${USERS}/${app.userId}`)).status).toBe(200)
    for (const answer of [
      await send('DELETE', `${USERS}/${user.id}`),
      await send('PATCH', `${USERS}/${user.id}`, { role: 'admin' }),
    ])
      expect(answer.json.errors).toMatchObject([{ code: 19909 }])
    expect((await send('GET', USERS)).status).toBe(200)
  })
})

describe('no user gives more rights than their own', () => {
  test.each(['admin', 'editor', 'viewer'] as const)('%s manages no users', async (role) => {
    const session = await makeSession(app, { role })
    const before = await userCount()
    expect((await create({}, session)).status).toBe(403)
    expect((await send('DELETE', `${USERS}/${app.userId}`, undefined, session)).status).toBe(403)
    expect((await send('POST', `${USERS}/${app.userId}/link`, undefined, session)).status).toBe(403)
    expect(await userCount()).toBe(before)
  })

  test.each(['documented', 'vendor'] as const)(
    'a token with Users Write creates no stronger user (%s)',
    async (profile) => {
      const world = await startTestApp({ profile })
      const token = await makeToken(world, [allow(['Users Write'], ...EVERYTHING)])
      const call = (method: string, path: string, body: object) => world.call({ method, path, body, token })
      for (const role of ['owner', 'viewer']) {
        const { errors } = (await call('POST', USERS, { email: `${role}@example.com`, role })).json
        // One for each kind of resources.
        expect(errors.map(({ code, source }) => [code, source?.pointer])).toEqual(
          Array.from({ length: 3 }, () => [19870, '/role']),
        )
        expect(errors[2]?.message).toMatch(
          / does not hold .*"DNS Read", .*"Zone Read".* on all of \S+\.zone\.\*, /,
        )
      }
      expect((await call('POST', `${USERS}/${world.userId}/link`, {})).json.errors[0]?.code).toBe(19870)
      await world.close()
    },
  )
})
