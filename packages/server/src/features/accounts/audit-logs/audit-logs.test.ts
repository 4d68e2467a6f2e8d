// The audit log over HTTP: changes, refusals and sign-ins with who, from where and with what result; filters; who may
// read it; the export.
import { readLine } from '@zonereeve/audit'
import type { WireAuditLog } from '@zonereeve/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { entriesAfter, expireEntries } from '../../changes/index.ts'
import { silentLog } from '@zonereeve/platform'
import { query, sql } from '@zonereeve/storage'
import { ADMIN_EMAIL, startTestApp, type TestApp } from '../../../testing/app.ts'
import { createSignInLink } from '../sign-in/index.ts'
import { makeSession } from '../../../testing/test-sessions.ts'
import { allow, makeToken } from '../../../testing/test-tokens.ts'

let app: TestApp
let path: string
beforeEach(async () => {
  app = await startTestApp()
  path = `/accounts/${app.accountId}/audit_logs`
})
afterEach(() => app.close())

const list = (filters = '') => app.must<WireAuditLog[]>('GET', `${path}?${filters}`)
const makeZone = (name = 'example.com') =>
  app.must('POST', '/zones', { name, account: { id: app.accountId } })
const record = { type: 'A', name: 'www', content: '192.0.2.1' }

/** Entries about requests without a change are written after the reply. */
const waitForNewest = (action: string) =>
  vi.waitFor(async () => {
    const [newest] = await list()
    expect(newest?.action.type).toBe(action)
    return newest
  })

describe('a change', () => {
  test('is recorded with its actor, address, operation and place in the history', async () => {
    const zone = await makeZone()
    const { id } = await app.must('POST', `/zones/${zone.id}/dns_records`, record)
    const [newest, before] = await list()
    expect(newest).toMatchObject({
      action: { type: 'dns_record.create', result: true },
      actor: { type: 'user', ip: '127.0.0.1' },
      interface: 'API',
      owner: { id: app.accountId },
      resource: { type: 'dns_record', id },
      metadata: {
        operation: 'dns_records.create',
        scope: zone.id,
        change: 2,
        kinds: [['dns_record.create', 1]],
        zone_id: zone.id,
        zone_name: 'example.com',
      },
    })
    expect(before).toMatchObject({ action: { type: 'zone.create' }, owner: { id: app.accountId } })
    await app.must('DELETE', `/zones/${zone.id}`)
    expect((await list())[0]).toMatchObject({
      action: { type: 'zone.delete' },
      owner: { id: app.accountId },
      resource: { id: zone.id },
      metadata: { zone_name: 'example.com' },
    })
  })

  test('and its entry are stored together or not at all', async () => {
    const zone = await makeZone()
    const count = (await list()).length
    const failing = app.storage.write(async (tx) => {
      const { append } = await import('../../changes/index.ts')
      await append(tx, { scopeId: zone.id, actor: { kind: 'system', id: 's', name: 's', requestId: '' } }, [
        { kind: 'dns_record.delete', objectId: 'a', before: null, after: null },
      ])
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await list()).toHaveLength(count)
  })

  test('that is only rehearsed is not recorded', async () => {
    const zone = await makeZone()
    const before = await list()
    await app.must('POST', `/zones/${zone.id}/dns_records?dry_run=true`, record)
    await app.requestLog.waitUntilIdle()
    expect(await list()).toEqual(before)
  })
})

describe('a request without a change', () => {
  test('that was refused is recorded once, with its status and codes', async () => {
    const zone = await makeZone()
    const refused = await app.call({
      method: 'POST',
      path: `/zones/${zone.id}/dns_records`,
      body: { ...record, content: 'x' },
    })
    const entry = await waitForNewest('dns_records.create')
    expect(entry).toMatchObject({
      action: { result: false },
      owner: { id: app.accountId },
      metadata: {
        status: 400,
        errors: refused.json.errors.map(({ code }) => code),
        zone_name: 'example.com',
        request_id: refused.headers['x-request-id'],
      },
    })
    expect((await list('action.type=dns_records.create')).length).toBe(1)
  })

  test('for which a token has no permission is recorded with the token', async () => {
    const zone = await makeZone()
    const token = await makeToken(app, [allow(['DNS Read'], 'account.zone.*')])
    await app.call({ method: 'DELETE', path: `/zones/${zone.id}`, token })
    const entry = await waitForNewest('zones.delete')
    expect(entry).toMatchObject({ action: { result: false }, metadata: { status: 403 } })
    expect(entry?.actor.id).not.toBe('anonymous')
  })

  test('with an unknown token is recorded, without the token', async () => {
    const token = 'guessed_token_of_nobody_0123456789_abcdefg'
    await app.call({ method: 'GET', path: '/zones', token })
    const entry = await waitForNewest('authentication')
    expect(entry).toMatchObject({
      action: { result: false },
      actor: { email: 'anonymous', ip: '127.0.0.1' },
      metadata: { operation: 'zones.list', status: 403 },
    })
    expect(JSON.stringify(entry)).not.toContain(token)
  })

  test.each([
    ['reads', 'GET', '/zones', {}],
    ['without a credential', 'POST', '/zones', { token: null }],
  ])('is not recorded: %s', async (_, method, where, others) => {
    const before = await list()
    await app.call({ method, path: where, ...others })
    await app.requestLog.waitUntilIdle()
    expect(await list()).toEqual(before)
  })
})

describe('a sign-in', () => {
  test('that failed is recorded with the address and the name that were sent, and without the password', async () => {
    const body = { email: ADMIN_EMAIL, password: 'not the password' }
    await app.call({ method: 'POST', path: '/zonereeve/session', token: null, body })
    const entry = await waitForNewest('session.create')
    expect(entry).toMatchObject({
      action: { result: false },
      actor: { email: ADMIN_EMAIL, ip: '127.0.0.1' },
      owner: { id: null },
    })
    expect(JSON.stringify(entry)).not.toContain(body.password)
  })

  test('with a link is recorded once, with the user and the address', async () => {
    const link = await app.storage.write((tx) => createSignInLink(tx, app, app.userId))
    await app.call({ method: 'POST', path: '/zonereeve/session', token: null, body: { link } })
    await app.requestLog.waitUntilIdle()
    const entries = await list('action.type=session.create')
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      action: { result: true },
      actor: { email: ADMIN_EMAIL, ip: '127.0.0.1' },
      metadata: { operation: 'session.create' },
    })
  })

  test('and what follows are recorded with the user', async () => {
    const session = await makeSession(app, { role: 'owner' })
    const answer = await app.call({
      method: 'POST',
      path: '/zones',
      body: { name: 'example.com', account: { id: app.accountId } },
      ...session,
    })
    expect(answer.status).toBe(200)
    const [zone, signIn] = await list()
    expect(zone).toMatchObject({
      action: { type: 'zone.create' },
      interface: 'UI',
      actor: { ip: '127.0.0.1' },
    })
    expect(signIn).toMatchObject({
      action: { type: 'session.create', result: true },
      actor: { id: zone?.actor.id },
    })
  })
})

describe('the list', () => {
  beforeEach(async () => {
    const zone = await makeZone()
    await app.must('POST', `/zones/${zone.id}/dns_records`, record)
    app.clock.advance(86_400_000)
    await makeZone('example.net')
    await makeSession(app, { role: 'viewer' })
  })

  test.each([
    ['action.type=dns_record.create', ['dns_record.create']],
    ['zone.name=EXAMPLE.com', ['dns_record.create', 'zone.create']],
    ['zone.name=example.com&direction=asc', ['zone.create', 'dns_record.create']],
    ['zone.name=example.com&per_page=1&page=2', ['zone.create']],
    ['since=2026-01-06&hide_user_logs=true', ['zone.create']],
    ['before=2026-01-06T00:00:00%2B00:00&action.type=zone.create', ['zone.create']],
    ['actor.ip=127.0.0.1&action.type=dns_record.create', ['dns_record.create']],
    ['actor.ip=192.0.2.77', []],
    ['actor.email=nobody@example.com', []],
    ['id=00000000000000000000000000000000', []],
    ['id=ffffffffffffffffffffffffffffffff', []],
  ])('with %s', async (filters, expected) => {
    expect((await list(filters)).map(({ action }) => action.type)).toEqual(expected)
  })

  test('finds an entry by its id, and an actor by name', async () => {
    const [newest] = await list()
    expect(await list(`id=${newest?.id}`)).toEqual([newest])
    const found = await list(`actor.email=${newest?.actor.email.toUpperCase()}`)
    expect(found).toEqual([newest])
  })

  test.each([
    ['export=true', 20380],
    ['since=yesterday', 20381],
    ['before=2026-02-30T99:00:00Z', 20381],
  ])('with %s is refused', async (filters, code) => {
    const { status, json } = await app.call({ method: 'GET', path: `${path}?${filters}` })
    expect({ status, code: json.errors[0]?.code }).toEqual({ status: 400, code })
  })

  test('of one account shows nothing of another, of users or of the server', async () => {
    const other = await app.must('POST', '/accounts', { name: 'other' })
    const token = await makeToken(app, [allow(['Account Settings Read'], `account.${other.id}`)])
    const of = (id: string) =>
      app.call<WireAuditLog[]>({ method: 'GET', path: `/accounts/${id}/audit_logs`, token })
    const shown = (await of(other.id)).json.result
    expect(shown.map(({ action }) => action.type)).toEqual(['account.create'])
    expect((await of(app.accountId)).status).toBe(403)
    expect((await app.call({ method: 'GET', path: '/zonereeve/audit_logs/export', token })).status).toBe(403)
  })

  test('is exported in parts, each line linked to the one before', async () => {
    const read = async (options: string) => {
      const { text } = await app.call({ method: 'GET', path: `/zonereeve/audit_logs/export?${options}` })
      return text.split('\n').slice(0, -1).map(readLine)
    }
    const all = await read('')
    expect(all.map(({ entry }) => entry.number)).toEqual(all.map((_, index) => index + 1))
    expect(all.slice(1).map(({ previousHash }) => previousHash)).toEqual(
      all.slice(0, -1).map(({ entry }) => entry.hash),
    )
    expect(await read('after=1&limit=2')).toEqual(all.slice(1, 3))
    expect(await read(`after=${all.length}`)).toEqual([])
  })
})

describe('entries in the database', () => {
  test.each([
    ['changed', sql`update audit_log set actor_name = 'x' where number = 1`],
    ['deleted', sql`delete from audit_log where number = 1`],
  ])('cannot be %s', async (_, statement) => {
    await makeZone()
    const before = await list()
    const compilable = { compile: () => statement.compile(query) }
    await expect(app.storage.write((tx) => tx.run(compilable as never))).rejects.toThrow('audit log')
    expect(await list()).toEqual(before)
  })

  test('are deleted when they are older than the retention, and the rest stays linked', async () => {
    await makeZone()
    const old = await entriesAfter(app.storage, 0, 100)
    app.clock.advance(10 * 86_400_000)
    await makeZone('example.net')
    const expire = (auditDays: number) =>
      expireEntries({ storage: app.storage, clock: app.clock, log: silentLog, auditDays })
    expect(await expire(0)).toBe(0)
    expect(await expire(11)).toBe(0)
    expect(await expire(9)).toBe(old.length)
    const rest = await entriesAfter(app.storage, 0, 100)
    expect(rest[0]).toMatchObject({ previousHash: old.at(-1)?.entry.hash, entry: { number: old.length + 1 } })
    expect(rest.at(-1)?.entry).toMatchObject({ action: 'audit_log.expire', actorKind: 'system' })
    expect(await expire(9)).toBe(0)
  })
})
