// A start from a snapshot answers as a start from the database does: after later changes, with damage at any place, and
// with snapshots of other databases or versions.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import { type Log, randomIds, silentLog, systemClock } from '@zonereeve/platform'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { openSqlite } from '@zonereeve/storage'
import { ADMIN_TOKEN } from '../testing/app.ts'
import { callProgram, mustOf } from '../testing/program-calls.ts'
import type { SnapshotThresholds } from '../features/dns/publication/index.ts'
import { startApp, type App } from './app.ts'

const ALWAYS = { minRecords: 0, maxOps: 1 }
const NEVER = { minRecords: Infinity, maxOps: Infinity }

interface Started {
  readonly app: App
  /** Zones that came from a snapshot; undefined if none was used. */
  readonly restored: number | undefined
  readonly warnings: readonly string[]
}

async function start(folder: string, snapshotThresholds: SnapshotThresholds = NEVER): Promise<Started> {
  let restored: number | undefined
  const warnings: string[] = []
  const log: Log = {
    ...silentLog,
    info(fields, event) {
      if (event === 'zones restored from a snapshot') restored = (fields as { readonly zones: number }).zones // as logged
    },
    warn: (_, event) => void warnings.push(event),
  }
  const flags = { http: '127.0.0.1:0', dns: '127.0.0.1:0', 'dns-threads': '0', resolver: 'off', data: folder }
  const app = await startApp({
    config: loadConfig({
      flags: { ...flags, 'edge-addresses': '198.51.100.1' },
      environment: { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
    }),
    clock: systemClock(),
    ids: randomIds(),
    log,
    snapshotThresholds,
  })
  onTestFinished(() => app.close().catch(() => {})) // most tests have closed it already
  return { app, restored, warnings }
}

const NAMES = [
  '',
  'www.',
  'proxied.',
  'a.b.',
  'b.',
  'x.wild.',
  'flat.',
  'cut.',
  'in.cut.',
  'new.',
  'h7.',
  'none.',
]
const TYPES = ['A', 'AAAA', 'NS', 'SOA', 'TXT', 'CNAME', 'MX', 'DNSKEY', 'ANY']

interface Listed {
  readonly id: string
  readonly name: string
}

/** Everything that can be queried. */
async function answersOf(app: App): Promise<unknown> {
  const answers: unknown[] = []
  for (const { id, name } of await mustOf<readonly Listed[]>(app, 'GET', '/zones'))
    for (const label of NAMES)
      for (const type of TYPES) {
        const path = `/zonereeve/zones/${id}/query?name=${label}${name}&type=${type}`
        const { status, envelope } = await callProgram(app, 'GET', path)
        answers.push([label, name, type, status, status === 200 ? envelope.result : envelope.errors])
      }
  return answers
}

const record = (name: string, type: string, content: string, more: object = {}) => ({
  type,
  name,
  content,
  ttl: 300,
  ...more,
})

/** Zones with all that is published differently from what is stored. */
async function filled(folder: string): Promise<void> {
  const { app } = await start(folder, ALWAYS)
  const [one, two] = await Promise.all(
    ['one.example', 'two.example'].map((name) => mustOf(app, 'POST', '/zones', { name })),
  )
  const posts = [
    record('www', 'A', '192.0.2.1'),
    record('proxied', 'A', '192.0.2.2', { proxied: true, ttl: 1 }),
    record('a.b', 'TXT', '"x"'),
    record('*.wild', 'A', '192.0.2.3'),
    record('flat', 'CNAME', 'www.two.example', { settings: { flatten_cname: true } }),
    record('cut', 'NS', 'ns.other.example'),
    record('@', 'MX', 'mail.one.example', { priority: 10 }),
    ...Array.from({ length: 150 }, (_, i) => record(`h${i}`, 'A', `192.0.2.${i}`)),
  ]
  await mustOf(app, 'POST', `/zones/${one?.id}/dns_records/batch`, { posts })
  const others = [record('www', 'A', '203.0.113.1'), record('@', 'CNAME', 'www.one.example')]
  await mustOf(app, 'POST', `/zones/${two?.id}/dns_records/batch`, { posts: others })
  await mustOf(app, 'PATCH', `/zones/${two?.id}/dnssec`, { status: 'active' })
  await app.close()
}

const snapshotsIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.endsWith('.snapshot'))

function onlySnapshot(folder: string): string {
  const [name = '', ...others] = snapshotsIn(folder)
  expect([name, others]).toEqual([expect.stringMatching(/^zones-\d+\.snapshot$/), []])
  return join(folder, name)
}

/** The answers of a start, which is ended. */
async function answersAfterStart(
  folder: string,
): Promise<Omit<Started, 'app'> & { readonly answers: unknown }> {
  const { app, ...started } = await start(folder)
  const answers = await answersOf(app)
  await app.close()
  return { answers, ...started }
}

async function answersFromDatabase(folder: string): Promise<unknown> {
  for (const name of snapshotsIn(folder)) rmSync(join(folder, name))
  const { answers, restored } = await answersAfterStart(folder)
  expect(restored).toBeUndefined()
  return answers
}

describe('a start from a snapshot', () => {
  test('answers as one from the database', async () => {
    const folder = scratchFolder()
    await filled(folder)
    const { answers, restored, warnings } = await answersAfterStart(folder)
    expect([restored, warnings.filter((event) => /snapshot/.test(event))]).toEqual([2, []])
    expect(answers).toEqual(await answersFromDatabase(folder))
  })

  test('uses the older one if there was no time for another at the end', async () => {
    const folder = scratchFolder()
    await filled(folder)
    const before = onlySnapshot(folder)
    const { app } = await start(folder, { ...ALWAYS, endSignal: () => AbortSignal.abort() })
    const [zone] = await mustOf<readonly Listed[]>(app, 'GET', '/zones')
    await mustOf(app, 'POST', `/zones/${zone?.id}/dns_records`, record('new', 'A', '192.0.2.200'))
    await app.close()
    // The older one is as good as before: what has changed since is replayed.
    expect([onlySnapshot(folder), readdirSync(folder).filter((name) => /unfinished/.test(name))]).toEqual([
      before,
      [],
    ])
    const { answers, restored, warnings } = await answersAfterStart(folder)
    expect([restored, warnings.filter((event) => /snapshot/.test(event))]).toEqual([2, []])
    expect(JSON.stringify(answers)).toContain('192.0.2.200')
    rmSync(before)
    expect(answers).toEqual(await answersFromDatabase(folder))
  })

  test('replays what has changed since', async () => {
    const folder = scratchFolder()
    await filled(folder)
    onlySnapshot(folder)
    const { app } = await start(folder)
    const [one, two] = await mustOf<readonly Listed[]>(app, 'GET', '/zones')
    const records = await mustOf<readonly Listed[]>(app, 'GET', `/zones/${one?.id}/dns_records?per_page=500`)
    const idOf = (name: string) => records.find((each) => each.name === `${name}.one.example`)?.id
    const path = `/zones/${one?.id}/dns_records`
    await mustOf(app, 'POST', path, record('new', 'A', '192.0.2.9'))
    await mustOf(app, 'PATCH', `${path}/${idOf('www')}`, { content: '192.0.2.8' })
    await mustOf(app, 'PATCH', `${path}/${idOf('proxied')}`, { proxied: false })
    await mustOf(app, 'PATCH', `${path}/${idOf('h7')}`, { proxied: true })
    await mustOf(app, 'DELETE', `${path}/${idOf('a.b')}`)
    // Its names are published by other rules now: it is read from the database.
    await mustOf(app, 'PATCH', `/zones/${two?.id}/dns_settings`, { flatten_all_cnames: true })
    await mustOf(app, 'POST', '/zones', { name: 'three.example' })
    const before = await answersOf(app)
    await app.close()
    const { answers, restored } = await answersAfterStart(folder)
    expect(restored).toBe(1)
    expect(answers).toEqual(before)
    expect(answers).toEqual(await answersFromDatabase(folder))
  })

  test('with flipped octets takes the rest from the database', async () => {
    const folder = scratchFolder()
    await filled(folder)
    const path = onlySnapshot(folder)
    const octets = readFileSync(path)
    const expected = await answersFromDatabase(folder)
    for (const share of [0, 0.01, 0.1, 0.5, 0.9, 0.9999]) {
      const flipped = Buffer.from(octets)
      const at = Math.floor(share * octets.length)
      flipped[at] = (flipped[at] ?? 0) ^ 4
      writeFileSync(path, flipped)
      const { answers, warnings } = await answersAfterStart(folder)
      expect(warnings).toContainEqual(expect.stringMatching(/^snapshot (damaged|not used)/))
      expect(answers).toEqual(expected)
    }
  }, 60_000)

  test('writes a new one in place of a damaged one', async () => {
    const folder = scratchFolder()
    await filled(folder)
    const path = onlySnapshot(folder)
    writeFileSync(path, readFileSync(path).subarray(0, -100))
    // Left by a process that was killed while it wrote.
    writeFileSync(join(folder, 'zones-999.snapshot.unfinished'), 'zones')
    const damaged = readFileSync(path).length
    const { app } = await start(folder, ALWAYS)
    await expect
      .poll(() => existsSync(path) && readFileSync(path).length, { timeout: 20_000 })
      .not.toBe(damaged)
    await app.close()
    expect(readdirSync(folder).filter((name) => name.endsWith('.unfinished'))).toEqual([])
    const { restored, warnings } = await answersAfterStart(folder)
    expect([restored, warnings.filter((event) => /snapshot/.test(event))]).toEqual([2, []])
  })

  test.each([
    [
      'of a database with another change at that place',
      `UPDATE changes SET at = '2020-01-01T00:00:00.000000Z'`,
    ],
    ['of a log that does not reach that place', `DELETE FROM change_ops; DELETE FROM changes`],
  ])('does not use one %s', async (_, sql) => {
    const folder = scratchFolder()
    await filled(folder)
    const database = await openSqlite(join(folder, 'zonereeve.db'))
    database.exec(sql)
    database.close()
    const { answers, restored } = await answersAfterStart(folder)
    expect(restored).toBeUndefined()
    expect(answers).toEqual(await answersFromDatabase(folder))
  })

  test('does not replay from a log that has lost operations', async () => {
    const folder = scratchFolder()
    await filled(folder)
    const { app } = await start(folder)
    const [one] = await mustOf<readonly Listed[]>(app, 'GET', '/zones')
    await mustOf(app, 'POST', `/zones/${one?.id}/dns_records`, record('new', 'A', '192.0.2.9'))
    await app.close()
    const database = await openSqlite(join(folder, 'zonereeve.db'))
    database.exec(`DELETE FROM change_ops WHERE position = (SELECT max(position) FROM changes);
      INSERT OR REPLACE INTO history_floors (scope_id, number)
      SELECT scope_id, number + 1 FROM changes ORDER BY position DESC LIMIT 1`)
    database.close()
    const { answers, restored } = await answersAfterStart(folder)
    expect(restored).toBe(1)
    expect(JSON.stringify(answers)).toContain('192.0.2.9')
    expect(answers).toEqual(await answersFromDatabase(folder))
  })
})
