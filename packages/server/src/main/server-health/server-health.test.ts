// The state of the server and its settings over HTTP: what is in them, and what must not be.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { noteBackup } from '@zonereeve/backup'
import { manualClock, silentLog } from '@zonereeve/platform'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { IN_MEMORY, openSqliteStorage } from '@zonereeve/storage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SETTINGS } from '@zonereeve/config'
import { ADMIN_TOKEN, START, startTestApp, type TestApp } from '../../testing/app.ts'
import { createServerHealth } from './server-health.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

interface Setting {
  readonly name: string
  readonly value: string | null
  readonly is_secret: boolean
  readonly origin: string
}

describe('over HTTP', () => {
  test('the state has version, database, queues and no backup of a database in memory', async () => {
    const { json } = await app.call<Record<string, unknown>>({ method: 'GET', path: '/zonereeve/health' })
    expect(json.result).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      ready: true,
      problems: [],
      database: { engine: 'sqlite', bytes: null, log_bytes: null },
      disk: null,
      backup: null,
    })
    expect(json.result['queues']).toEqual(
      ['webhooks', 'account_webhooks', 'email_alerts', 'script_fetches', 'page_checks', 'secondaries'].map(
        (name) => ({
          name,
          waiting: 0,
        }),
      ),
    )
  })

  test('a webhook with an event that was not sent waits, and no longer after it was', async () => {
    const zone = await app.must('POST', '/zones', { name: 'example.com' })
    const own = `/zonereeve/zones/${zone.id}/page_shield`
    await app.must('PUT', `/zones/${zone.id}/page_shield`, { enabled: true })
    const { id } = await app.must('POST', `${own}/webhooks`, { url: 'http://hooks.example.net/' })
    const page = { page_url: 'https://example.com/', scripts: ['https://cdn.example.net/a.js'] }
    await app.must('POST', `${own}/observations`, { observations: [page, page, page] })
    const waiting = async () => {
      const { json } = await app.call<{ queues: { name: string; waiting: number }[] }>({
        method: 'GET',
        path: '/zonereeve/health',
      })
      return json.result.queues.find(({ name }) => name === 'webhooks')?.waiting
    }
    expect(await waiting()).toBe(1)
    await app.must('PATCH', `${own}/webhooks/${id}`, { enabled: false })
    expect(await waiting()).toBe(0)
  })

  test('a watched page is due for a check only while monitoring of its zone is on', async () => {
    const zone = await app.must('POST', '/zones', { name: 'watched.example' })
    await app.must('PUT', `/zones/${zone.id}/page_shield`, { enabled: true })
    await app.must('POST', `/zonereeve/zones/${zone.id}/page_shield/pages`, {
      url: 'https://watched.example/',
    })
    const due = async () => {
      const { json } = await app.call<{ queues: { name: string; waiting: number }[] }>({
        method: 'GET',
        path: '/zonereeve/health',
      })
      return json.result.queues.find(({ name }) => name === 'page_checks')?.waiting
    }
    expect(await due()).toBe(1)
    await app.must('PUT', `/zones/${zone.id}/page_shield`, { enabled: false })
    expect(await due()).toBe(0)
  })

  test('a zone that got no query has no bins, and another zone is unknown', async () => {
    const zone = await app.must('POST', '/zones', { name: 'quiet.example' })
    const answers = (id: string) => app.call({ method: 'GET', path: `/zonereeve/zones/${id}/answers` })
    expect((await answers(zone.id)).json.result).toEqual({ bin_seconds: 600, bins: [], recent: null })
    expect((await answers('f'.repeat(32))).status).toBe(404)
  })

  test('every setting is listed, and no secret', async () => {
    const { json, text } = await app.call<Setting[]>({ method: 'GET', path: '/zonereeve/settings' })
    expect(json.result.map(({ name }) => name)).toEqual(Object.values(SETTINGS).map(({ name }) => name))
    const secrets = json.result.filter(({ is_secret: isSecret }) => isSecret)
    expect(secrets.map(({ name }) => name)).toContain('admin-token')
    expect(secrets.filter(({ value }) => value !== null)).toEqual([])
    expect(text).not.toContain(ADMIN_TOKEN)
  })

  test.each(['health', 'settings'])('%s needs a permission on every account', async (name) => {
    const zone = await app.must('POST', '/zones', { name: `${name}.example` })
    const policies = [
      {
        effect: 'allow',
        resources: { [`com.cloudflare.api.account.zone.${zone.id}`]: '*' },
        permission_groups: [{ id: 'c8fed203ed3043cba015a93ad1616f1f' }],
      },
    ]
    const { value } = await app.must<{ value: string }>('POST', '/user/tokens', { name: 'narrow', policies })
    const reply = await app.call({ method: 'GET', path: `/zonereeve/${name}`, token: value })
    expect(reply.status).toBe(403)
  })
})

describe('of a file', () => {
  test('has disk, last backup, problems and jobs', async () => {
    const clock = manualClock(START)
    const path = join(scratchFolder(), 'data', 'zonereeve.db')
    mkdirSync(join(path, '..'))
    const storage = await openSqliteStorage(IN_MEMORY, silentLog, { clock })
    const health = createServerHealth({ storage, clock, peersBehind: () => 2 })
    health.watch({ path, isReady: async () => false, problems: async () => ['row cannot be read'] })
    const created = '2026-01-05T09:00:00.000Z'
    noteBackup(path, { created, path: '/backups/1.backup', octets: 9, isEncrypted: false })
    health.noteJob('sweep', 'failed', 0.5)
    clock.advance(1_000)
    health.noteJob('sweep', 'done', 0.25)
    const state = await health.read()
    await storage.close()
    expect(state).toMatchObject({ ready: false, problems: ['row cannot be read'] })
    expect(state.disk?.total_bytes).toBeGreaterThan(state.disk?.free_bytes ?? Infinity)
    expect(state.backup).toEqual({
      created_at: created,
      bytes: 9,
      encrypted: false,
      path: '/backups/1.backup',
    })
    expect(state.jobs).toEqual([
      {
        name: 'sweep',
        ended_at: expect.stringMatching(/^2026-01-05T10:20:31\./),
        seconds: 0.25,
        failed: false,
        failures: 1,
      },
    ])
    expect(state.queues.find(({ name }) => name === 'secondaries')?.waiting).toBe(2)
  })
})
