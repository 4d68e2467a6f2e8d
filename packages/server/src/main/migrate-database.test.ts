// The command migrate-database beside a running server: DNS and reads are answered, writes are refused, and nothing that
// was acknowledged is missing in the copy.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { silentLog } from '@zonereeve/platform'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { openSqliteStorage } from '@zonereeve/storage'
import { type PostgresServer, START_MILLIS, startPostgres } from '@zonereeve/storage/testing/postgres.ts'
import { POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { createHttpClient } from '../testing/http-client.ts'
import { ON_FREE_PORTS, type RunningProgram, runProgram } from '../testing/run-program.ts'
import { main } from './cli.ts'

const TOKEN = 'token-of-the-move-test-0123456789-abcdef'
const SECRET = 'secret-of-the-move-test-0123456789-abcdef'
/** The program is started seven times. */
const PATIENT = { timeout: 5 * START_MILLIS }
const RECORDS = 5_000

const run = (...command: readonly string[]) =>
  runProgram({ ZONEREEVE_ADMIN_TOKEN: TOKEN, ZONEREEVE_KEY_ENCRYPTION_SECRET: SECRET }, command)

async function serve(database: string, ...more: readonly string[]) {
  const folder = scratchFolder()
  const program = run('serve', '--data', folder, '--database', database, ...ON_FREE_PORTS, ...more)
  const { port, resolver } = await program.ready
  const client = createHttpClient()
  onTestFinished(() => client.close())
  const send = async (method: string, path: string, body?: object | string) => {
    const isJson = typeof body !== 'string'
    const { status, text, headers } = await client.send(port, {
      method,
      path: `/client/v4${path}`,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': isJson ? 'application/json' : 'text/dns',
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
    })
    return { status, retryAfter: headers['retry-after'], body: JSON.parse(text) }
  }
  /** What load balancers ask. */
  const isReady = async (): Promise<boolean> =>
    (await client.send(port, { method: 'GET', path: '/readyz' })).status === 200
  const kill = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    program.child.kill(signal)
    await program.ended
  }
  return { send, resolver, kill, isReady }
}

/** Resolves when rows are being copied. */
const firstProgress = ({ child }: RunningProgram) =>
  new Promise<void>((resolve) => child.stderr?.once('data', () => resolve()))

type Server = Awaited<ReturnType<typeof serve>>

const record = (name: string) => ({ type: 'TXT', name, content: '"text"', ttl: 60 })

/** Four clients at once. @returns the names of the records that were acknowledged. */
async function writeUntilRefused({ send }: Server, records: string): Promise<readonly string[]> {
  const acknowledged: string[] = []
  const write = async (client: number): Promise<void> => {
    for (let at = 0; ; at++) {
      const name = `w${client}-${at}`
      const { status } = await send('POST', records, record(name))
      if (status !== 200) return
      acknowledged.push(name)
    }
  }
  await Promise.all([0, 1, 2, 3].map(write))
  return acknowledged
}

/** The API gives this many records, and DNS answers. */
async function expectReading(
  { send, resolver, isReady }: Server,
  zone: string,
  count: number,
): Promise<void> {
  const list = await send('GET', `/zones/${zone}/dns_records?per_page=5`)
  expect([await isReady(), list.status, list.body.result_info.total_count]).toEqual([true, 200, count])
  expect(await resolver.resolveTxt('acknowledged.example.com')).toEqual([['text']])
}

const REFUSED = { status: 503, retryAfter: '60', body: { errors: [{ code: 19828 }] } }

describeWith('postgresql', 'a database is moved while its server reads', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(POSTGRESQL)
  }, START_MILLIS)
  afterAll(() => server.stop())

  test(
    'from SQLite to PostgreSQL and back, with kills of the command and of the server',
    PATIENT,
    async () => {
      const folder = scratchFolder()
      const [sqlite, back] = [`sqlite:${join(folder, 'a.db')}`, `sqlite:${join(folder, 'b.db')}`]
      const postgres = await server.createDatabase()
      const first = await serve(sqlite)
      const account = (await first.send('GET', '/accounts')).body.result[0].id
      const { body: created } = await first.send('POST', '/zones', {
        name: 'example.com',
        account: { id: account },
      })
      const zone = created.result.id
      const records = `/zones/${zone}/dns_records`
      const lines = Array.from({ length: RECORDS }, (_, at) => `n${at} 300 IN A 192.0.2.1\n`).join('')
      const loaded = await first.send(
        'PUT',
        `/zonereeve/zones/${zone}/zone_file`,
        `$ORIGIN example.com.\n${lines}`,
      )
      expect(loaded.status).toBe(200)
      expect((await first.send('POST', records, record('acknowledged'))).status).toBe(200)

      const move = () => run('migrate-database', '--from', sqlite, '--to', postgres)
      const writing = writeUntilRefused(first, records)
      const killed = move()
      await firstProgress(killed)
      killed.child.kill('SIGKILL')
      await killed.ended
      expect(await first.send('POST', records, record('refused'))).toMatchObject(REFUSED)
      expect(await first.send('DELETE', `/zones/${zone}`)).toMatchObject(REFUSED)
      const acknowledged = await writing
      const count = RECORDS + 1 + acknowledged.length
      await expectReading(first, zone, count)
      await first.kill('SIGKILL')
      const second = await serve(sqlite)
      await expectReading(second, zone, count)
      expect(await second.send('POST', records, record('refused'))).toMatchObject(REFUSED)
      const done = move()
      expect([await done.ended, done.err()]).toEqual([0, expect.not.stringContaining('rror')])
      await expectReading(second, zone, count)
      await second.kill('SIGTERM')

      // Nodes read, both of them.
      const nodeUrl = ['--node-url', 'http://127.0.0.1:1'] as const
      const third = await serve(postgres, ...nodeUrl)
      const follower = await serve(postgres, ...nodeUrl)
      await expectReading(third, zone, count)
      for (const name of acknowledged)
        expect([name, await third.resolver.resolveTxt(`${name}.example.com`)]).toEqual([name, [['text']]])
      const writable = async () => (await third.send('PATCH', `/zones/${zone}`, { paused: true })).status
      await expect.poll(writable, PATIENT).toBe(200)
      const again = run('migrate-database', '--from', postgres, '--to', back)
      await firstProgress(again)
      for (const node of [third, follower]) await expectReading(node, zone, count)
      expect(await third.send('POST', records, record('refused'))).toMatchObject(REFUSED)
      expect(again.child.exitCode).toBe(null)
      expect(await again.ended).toBe(0)
      await third.kill('SIGTERM')
      await follower.kill('SIGTERM')
      const last = await serve(back)
      await expectReading(last, zone, count)
      expect((await last.send('GET', `/zones/${zone}`)).body.result.paused).toBe(true)
      expect((await last.send('POST', records, record('new'))).status).toBe(200)
    },
  )

  test('refused options are named, and nothing is changed', PATIENT, async () => {
    const folder = scratchFolder()
    const [sqlite, missing] = [`sqlite:${join(folder, 'a.db')}`, `sqlite:${join(folder, 'missing.db')}`]
    const postgres = await server.createDatabase()
    await (await openSqliteStorage(sqlite.slice('sqlite:'.length), silentLog)).close()
    const cases: readonly (readonly [readonly string[], string])[] = [
      [['--from', sqlite], '--to must be sqlite:FILE or postgres://'],
      [['--from', 'mysql://a@localhost/b', '--to', postgres], '--from must be sqlite:FILE or postgres://'],
      [
        ['--from', sqlite, '--to', 'postgres://localhost/b'],
        '--to must be like postgres://USER@HOST/DATABASE',
      ],
      [['--to', postgres], "required option '--from <url>'"],
      [['--from', sqlite, '--to', missing], 'one of --from and --to must be SQLite'],
      [['--from', missing, '--to', postgres], 'missing.db: database not found'],
      [['--from', postgres, '--to', sqlite], 'is not a database of zonereeve'],
      [['--from', sqlite, '--to', postgres, '--cancel'], '--cancel needs no --to'],
      [['--from', sqlite, '--cancel'], 'a.db is not being moved'],
      [['--from', missing, '--cancel'], 'missing.db: database not found'],
      [['--from', postgres, '--cancel'], 'is not a database of zonereeve'],
      [['--from', sqlite, '--to', postgres, '--resume'], "unknown option '--resume'"],
    ]
    for (const [options, message] of cases) {
      const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
      const code = await main(['migrate-database', ...options])
      const written = err.mock.calls.join('')
      err.mockRestore()
      expect([options, code === 0, written]).toEqual([options, false, expect.stringContaining(message)])
    }
    expect(readdirSync(folder).filter((name) => /missing|copy/.test(name))).toEqual([])
    const tables = `SELECT 1 AS one FROM pg_tables WHERE schemaname = 'public'`
    expect(await server.executeIn(new URL(postgres).pathname.slice(1), tables)).toEqual([])
    const { send } = await serve(sqlite)
    const account = (await send('GET', '/accounts')).body.result[0].id
    expect((await send('POST', '/zones', { name: 'example.com', account: { id: account } })).status).toBe(200)
  })
})
