// What is PostgreSQL's own: one server at a time, a server that ends and comes back, its types and its limits.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Log, silentLog } from '@zonereeve/platform'
import { POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { byEngine, rawQuery } from '../engine.ts'
import { openPostgresStorage } from '../open-storage.ts'
import { query, sql } from '../query.ts'
import { type PostgresServer, START_MILLIS, startPostgres } from '../testing/postgres.ts'
import { openPostgres } from './postgres.ts'

const put = (name: string, value = '') => query.insertInto('settings').values({ name, value })
const names = query.selectFrom('settings').select('name').orderBy('name')

describeWith('postgresql', 'PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(POSTGRESQL)
  }, START_MILLIS)
  afterAll(() => server.stop())

  async function open(url: string, isServer = false, log: Log = silentLog) {
    const storage = await openPostgres(url, log, { isServer })
    onTestFinished(() => storage.close().catch(() => {}))
    return storage
  }

  test(
    'a second server is refused by name while the first one lives, and starts after it',
    async () => {
      const url = await server.createDatabase()
      const first = await open(url, true)
      await expect(open(url, true)).rejects.toThrow(
        new RegExp(`another server uses this database: process ${process.pid} on `),
      )
      // A command does not hold the lease, and writes in turn with the server.
      const command = await open(url)
      await Promise.all([first.write((tx) => tx.run(put('a'))), command.write((tx) => tx.run(put('b')))])
      await first.close()
      const second = await open(url, true)
      expect(await second.all(names)).toEqual([{ name: 'a' }, { name: 'b' }])
    },
    START_MILLIS,
  )

  test(
    'a server whose lease another one has taken stores nothing any more',
    async () => {
      const url = await server.createDatabase()
      const first = await open(url, true)
      const other = await open(url)
      await other.write((tx) => tx.run(rawQuery(sql`UPDATE server_lock SET holder = 'other'`)))
      await expect(first.write((tx) => tx.run(put('late')))).rejects.toMatchObject({
        issues: [{ reason: 'storage.unwritable' }],
      })
      expect([await first.all(names), await first.healthy()]).toEqual([[], false])
    },
    START_MILLIS,
  )

  test(
    'while the server is gone, reads and writes are refused with a time to wait; then they work again',
    async () => {
      const url = await server.createDatabase()
      const storage = await open(url, true)
      const hooks: string[] = []
      await storage.write((tx) => tx.run(put('before')))
      await server.kill()
      const unavailable = { issues: [{ reason: 'storage.unavailable', retryAfterSeconds: 2 }] }
      await expect(
        storage.write(async (tx) => {
          tx.onCommit(() => void hooks.push('lost'))
          await tx.run(put('lost'))
        }),
      ).rejects.toMatchObject(unavailable)
      await expect(storage.all(names)).rejects.toMatchObject(unavailable)
      expect(await storage.healthy()).toBe(false)
      await server.start()
      await expect.poll(() => storage.healthy(), { timeout: START_MILLIS }).toBe(true)
      await storage.write((tx) => tx.run(put('after')))
      expect([await storage.all(names), hooks]).toEqual([[{ name: 'after' }, { name: 'before' }], []])
    },
    START_MILLIS,
  )

  test(
    'a unit whose connection breaks writes nothing outside of its transaction',
    async () => {
      const storage = await open(await server.createDatabase())
      const broken = storage.write(async (tx) => {
        await tx.run(put('a'))
        await tx.run(rawQuery(sql`SELECT pg_terminate_backend(pg_backend_pid())`)).catch(() => {})
        await tx.run(put('outside')).catch(() => {})
      })
      await expect(broken).rejects.toMatchObject({ issues: [{ reason: 'storage.unavailable' }] })
      await storage.write((tx) => tx.run(put('b')))
      expect(await storage.all(names)).toEqual([{ name: 'b' }])
    },
    START_MILLIS,
  )

  test(
    'values are those of SQLite',
    async () => {
      const storage = await open(await server.createDatabase())
      const value = sql<object>`select count(*) as count, sum(x) as sum, max(x) > 1 as truth, 9007199254740991 as large,
        '\\x00ff'::bytea as bytes, ${byEngine({ sqlite: sql`'sqlite'`, postgres: sql`'postgres'` })} as engine
        from (values (1), (2)) as t (x)`
      expect(await storage.first(rawQuery(value))).toEqual({
        count: 2,
        sum: 3,
        truth: 1,
        large: 9_007_199_254_740_991,
        bytes: new Uint8Array([0, 255]),
        engine: 'postgres',
      })
      await expect(storage.write((tx) => tx.run(put('a', 'b\0c')))).rejects.toMatchObject({
        issues: [{ reason: 'storage.text' }],
      })
      await storage.write(async (tx) => {
        for (const name of ['b', 'A', 'a', 'B', 'ä']) await tx.run(put(name))
      })
      expect((await storage.all(names)).map(({ name }) => name)).toEqual(['A', 'B', 'a', 'b', 'ä'])
    },
    START_MILLIS,
  )

  test(
    'secrets are encrypted with a key in the data folder',
    async () => {
      const url = await server.createDatabase()
      const folder = mkdtempSync(join(tmpdir(), 'zonereeve-test-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const place = { url, keyFile: join(folder, 'a', 'test.key') }
      const storage = await openPostgresStorage(place, silentLog)
      const secret = storage.vault.sealText('secret', 'users/1')
      await storage.close()
      const again = await openPostgresStorage(place, silentLog)
      expect(again.vault.openText(secret, 'users/1')).toBe('secret')
      await again.close()
    },
    START_MILLIS,
  )

  test(
    'every table whose key is a number by itself is numbered by the database',
    async () => {
      const storage = await open(await server.createDatabase())
      const unnumbered = await storage.all(
        rawQuery(sql<{ name: string }>`select c.table_name as name from information_schema.columns c
          where c.table_schema = 'public' and c.column_name in ('position', 'number') and c.is_identity = 'NO'
            and exists (select 1 from information_schema.key_column_usage k
              where k.table_name = c.table_name and k.column_name = c.column_name
                and k.constraint_name = c.table_name || '_pkey')
            and (select count(*) from information_schema.key_column_usage k
              where k.constraint_name = c.table_name || '_pkey') = 1`),
      )
      expect(unnumbered).toEqual([])
    },
    START_MILLIS,
  )

  test(
    'prepared statements can be switched off',
    async () => {
      const url = await server.createDatabase()
      const prepared = rawQuery(sql<{ count: number }>`select count(*) as count from pg_prepared_statements`)
      const countIn = async (at: string) => {
        const storage = await open(at)
        return storage.write(async (tx) => {
          await tx.all(names)
          return (await tx.first(prepared))?.count
        })
      }
      expect(await countIn(url)).toBeGreaterThan(0)
      expect(await countIn(`${url}&prepared_statements=off`)).toBe(0)
    },
    START_MILLIS,
  )

  test.each([
    [
      'a server that does not exist',
      'postgres://user@127.0.0.1:1/a',
      /^database postgres:\/\/127\.0\.0\.1:1\/a: .*ECONNREFUSED/,
    ],
    ['a password is not shown', 'postgres://user:secret@127.0.0.1:1/a', /^(?!.*secret)database /],
  ])('%s', async (_, url, message) => {
    await expect(openPostgres(url, silentLog)).rejects.toThrow(message)
  })
})
