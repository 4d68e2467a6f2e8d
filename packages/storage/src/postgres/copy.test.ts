// Copies between SQLite and PostgreSQL: there and back again, interrupted, and refused.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { yieldNow } from '@zonereeve/cooperate'
import { silentLog } from '@zonereeve/platform'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { cancelMove, copyDatabase, type CopyOptions, type CopyPlace } from '../copy-database.ts'
import { rawQuery } from '../engine.ts'
import { query, sql } from '../query.ts'
import { openSqliteStorage } from '../sqlite.ts'
import { openSqlite, type SqliteConnection } from '../sqlite-driver.ts'
import type { Storage } from '../storage.ts'
import { type PostgresServer, START_MILLIS, startPostgres } from '../testing/postgres.ts'
import { openPostgres } from './postgres.ts'

const SCHEMA_FOLDER = fileURLToPath(new URL('../schemas', import.meta.url))

/** A database with rows of every feature, as an earlier version left it. */
function keptDatabase(): string {
  const newest = readdirSync(SCHEMA_FOLDER)
    .filter((name) => name.endsWith('.db.gz'))
    .toSorted()
    .at(-1)
  const path = join(scratchFolder(), 'zonereeve.db')
  writeFileSync(path, gunzipSync(readFileSync(join(SCHEMA_FOLDER, String(newest)))))
  return path
}

/** Everything in a file, except what migrations and moves noted. */
async function contentOf(path: string): Promise<Record<string, unknown[]>> {
  const connection = await openSqlite(path)
  try {
    const names = connection
      .prepare(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('schema_migrations', 'database_move') AND name NOT LIKE 'sqlite_stat%' ORDER BY name`,
      )
      .all() as { name: string }[]
    return Object.fromEntries(names.map(({ name }) => [name, rowsOf(connection, name)]))
  } finally {
    connection.close()
  }
}

/** Blobs have no JSON of their own. */
const rowsOf = (connection: SqliteConnection, table: string): string[] =>
  connection
    .prepare(`SELECT * FROM "${table}"`)
    .all()
    .map((row) => JSON.stringify(row))
    .toSorted()

describeWith('postgresql', 'copies between SQLite and PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(POSTGRESQL)
  }, START_MILLIS)
  afterAll(() => server.stop())

  test(
    'a database comes back from PostgreSQL as it went there, with its numbers',
    async () => {
      const [from, postgres, back] = [
        keptDatabase(),
        await server.createDatabase(),
        join(scratchFolder(), 'back.db'),
      ]
      const there = await copyDatabase({ from: { sqlite: from }, to: { postgres } })
      const again = await copyDatabase({ from: { postgres }, to: { sqlite: back } })
      expect(again).toEqual(there)
      const before = await contentOf(from)
      expect(await contentOf(back)).toEqual(before)
      const filled = there.filter(({ rows }) => rows > 0)
      expect([filled.length > 20, before['changes']?.length]).toEqual([
        true,
        there.find(({ table }) => table === 'changes')?.rows,
      ])
      await cancelMove({ postgres })
      // The next row of a numbered table is numbered after the last, also in PostgreSQL.
      const storage = await openPostgres(postgres, silentLog)
      const sequences = await storage.all(
        rawQuery(sql<{ table: string; column: string; sequence: string }>`
          SELECT table_name AS table, column_name AS column,
            pg_get_serial_sequence(table_name, column_name) AS sequence
          FROM information_schema.columns WHERE table_schema = 'public' AND is_identity = 'YES'`),
      )
      expect(sequences.length).toBeGreaterThan(5)
      for (const { table, column, sequence } of sequences) {
        const next = sql<{ isAfter: number }>`SELECT nextval(${sequence}::regclass) >
          (SELECT coalesce(max(${sql.ref(column)}), 0) FROM ${sql.table(table)}) AS "isAfter"`
        const found = await storage.write((tx) => tx.first(rawQuery(next)))
        expect([table, found]).toEqual([table, { isAfter: 1 }])
      }
      await storage.close()
    },
    START_MILLIS,
  )

  test(
    'an interrupted copy continues; meanwhile no server uses the target, and no other database is copied there',
    async () => {
      const [from, postgres] = [keptDatabase(), await server.createDatabase()]
      const stop = new AbortController()
      let chunks = 0
      const options: CopyOptions = { from: { sqlite: from }, to: { postgres }, signal: stop.signal }
      const report = () => {
        if ((chunks += 1) === 20) stop.abort(new Error('stopped'))
      }
      await expect(copyDatabase({ ...options, report })).rejects.toThrow('stopped')
      await expect(openPostgres(postgres, silentLog, { isServer: true })).rejects.toThrow('migrate-database')
      const other = join(scratchFolder(), 'other.db')
      await (await openSqliteStorage(other, silentLog)).close()
      await expect(copyDatabase({ from: { sqlite: other }, to: { postgres } })).rejects.toThrow(
        'another database',
      )
      const elsewhere = { from: { sqlite: from }, to: { postgres: await server.createDatabase() } }
      await expect(copyDatabase(elsewhere)).rejects.toThrow(`is being moved to ${postgres}`)
      const copied = await copyDatabase({ from: { sqlite: from }, to: { postgres } })
      expect(await cancelMove({ sqlite: from })).toBe(postgres)
      expect(await copyDatabase(elsewhere)).toEqual(copied)
      await (await openPostgres(postgres, silentLog, { isServer: true })).close()
    },
    START_MILLIS,
  )

  test(
    'what cannot be copied is refused, and changes nothing',
    async () => {
      const [from, postgres] = [keptDatabase(), await server.createDatabase()]
      const filled = await openPostgres(postgres, silentLog, { isServer: true })
      await expect(copyDatabase({ from: { sqlite: from }, to: { postgres } })).rejects.toThrow(
        'another server uses this database',
      )
      await filled.write((tx) => tx.run(query.insertInto('settings').values({ name: 'a', value: 'b' })))
      await filled.close()
      const refused: readonly (readonly [Pick<CopyOptions, 'from' | 'to'>, string])[] = [
        [
          { from: { sqlite: from }, to: { postgres } },
          'the target is not empty: its table settings has rows',
        ],
        [{ from: { postgres }, to: { sqlite: from } }, 'the target must not have a database'],
        [{ from: { sqlite: from }, to: { sqlite: `${from}-2` } }, 'one of --from and --to must be SQLite'],
        [{ from: { sqlite: `${from}-3` }, to: { postgres } }, 'database not found'],
      ]
      for (const [options, message] of refused) await expect(copyDatabase(options)).rejects.toThrow(message)
      // The source was not touched.
      expect(await cancelMove({ sqlite: from })).toBeUndefined()
      const again = await openPostgres(postgres, silentLog, { isServer: true })
      expect(await again.all(query.selectFrom('settings').select('name'))).toEqual([{ name: 'a' }])
      await again.close()
    },
    START_MILLIS,
  )

  interface Engine {
    /** An empty database, and its server. */
    create(): Promise<{ readonly place: CopyPlace; readonly open: () => Promise<Storage> }>
    target(): Promise<CopyPlace>
  }
  const engines: Readonly<Record<'SQLite' | 'PostgreSQL', Engine>> = {
    SQLite: {
      async create() {
        const path = join(scratchFolder(), 'zonereeve.db')
        const open = () => openSqliteStorage(path, silentLog, { isServer: true })
        return { place: { sqlite: path }, open }
      },
      target: async () => ({ postgres: await server.createDatabase() }),
    },
    PostgreSQL: {
      async create() {
        const postgres = await server.createDatabase()
        return { place: { postgres }, open: () => openPostgres(postgres, silentLog, { isServer: true }) }
      },
      target: async () => ({ sqlite: join(scratchFolder(), 'target.db') }),
    },
  }
  const note = (storage: Storage, name: string) =>
    storage.write((tx) => tx.run(query.insertInto('settings').values({ name, value: '' })))
  const namesIn = async (storage: Storage): Promise<string[]> =>
    (await storage.all(query.selectFrom('settings').select('name').orderBy('name'))).map(({ name }) => name)
  const openPlace = (place: CopyPlace): Promise<Storage> =>
    'sqlite' in place ? openSqliteStorage(place.sqlite, silentLog) : openPostgres(place.postgres, silentLog)
  const values = { problem: expect.stringContaining('moved to') }
  const refusal = { issues: [{ reason: 'storage.unwritable', values, retryAfterSeconds: 60 }] }

  for (const [name, { create, target }] of Object.entries(engines)) {
    test(
      `${name}: all that a server has stored when a copy begins is in the copy; it writes nothing more, and reads`,
      async () => {
        const { place, open } = await create()
        const to = await target()
        const storage = await open()
        const stored: string[] = []
        let failure: unknown
        const writing = (async () => {
          while (failure === undefined) {
            const next = `n${String(stored.length).padStart(6, '0')}`
            await note(storage, next).then(
              () => stored.push(next),
              (error: unknown) => (failure = error),
            )
          }
        })()
        while (stored.length < 20) await yieldNow()
        await copyDatabase({ from: place, to })
        await writing
        expect(failure).toMatchObject(refusal)
        expect([await storage.healthy(), await namesIn(storage)]).toEqual([false, stored])
        const copy = await openPlace(to)
        expect(await namesIn(copy)).toEqual(stored)
        await copy.close()
        await storage.close()
      },
      START_MILLIS,
    )

    test(
      `${name}: a source stays read-only after a start and for other programs, and is written again after a cancel`,
      async () => {
        const { place, open } = await create()
        const storage = await open()
        await note(storage, 'before')
        await copyDatabase({ from: place, to: await target() })
        await storage.close()
        const again = await open()
        const other = await openPlace(place)
        for (const one of [again, other]) {
          await expect(note(one, 'meanwhile')).rejects.toMatchObject(refusal)
          expect(await namesIn(one)).toEqual(['before'])
        }
        await other.close()
        expect(await cancelMove(place)).toContain('sqlite' in place ? 'postgres:' : 'sqlite:')
        await note(again, 'after')
        expect([await again.healthy(), await namesIn(again)]).toEqual([true, ['after', 'before']])
        await again.close()
        expect(await cancelMove(place)).toBeUndefined()
      },
      START_MILLIS,
    )
  }

  test(
    'no migration changes a source; a copy of before a cancel is not continued',
    async () => {
      const [from, postgres] = [keptDatabase(), await server.createDatabase()]
      const stop = new AbortController()
      const options = { from: { sqlite: from }, to: { postgres } }
      const report = () => stop.abort(new Error('stopped'))
      await expect(copyDatabase({ ...options, signal: stop.signal, report })).rejects.toThrow('stopped')
      const connection = await openSqlite(from)
      const [newest] = connection
        .prepare('SELECT * FROM schema_migrations ORDER BY version DESC LIMIT 1')
        .all() as {
        version: number
        name: string
      }[]
      connection.prepare('DELETE FROM schema_migrations WHERE version = ?').run(Number(newest?.version))
      await expect(openSqliteStorage(from, silentLog)).rejects.toThrow('being moved')
      connection
        .prepare('INSERT INTO schema_migrations (version, name) VALUES (?, ?)')
        .run(Number(newest?.version), String(newest?.name))
      connection.close()
      await cancelMove({ sqlite: from })
      await expect(copyDatabase(options)).rejects.toThrow('or one that was cancelled')
      const storage = await openSqliteStorage(from, silentLog)
      await note(storage, 'after')
      await storage.close()
    },
    START_MILLIS,
  )
})
