// Copies between SQLite and PostgreSQL: there and back again, interrupted, and refused.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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

const PAUSE_MILLIS = 500

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
      expect(await cancelMove({ sqlite: from })).toMatchObject({ to: postgres, isComplete: true })
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
  const values = { problem: expect.stringMatching(/^it (?:was|is being) moved to another one$/) }
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
        // It can be read: no load balancer takes it out.
        expect([await storage.healthy(), await namesIn(storage)]).toEqual([true, stored])
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
        const name = expect.stringMatching('sqlite' in place ? /^postgres:/ : /^sqlite:/)
        expect(await cancelMove(place)).toMatchObject({ to: name, isComplete: true })
        await note(again, 'after')
        expect([await again.healthy(), await namesIn(again)]).toEqual([true, ['after', 'before']])
        await again.close()
        expect(await cancelMove(place)).toBeUndefined()
      },
      START_MILLIS,
    )

    test(
      `${name}: a copy that is canceled meanwhile, or overtaken by another one, fails`,
      async () => {
        const { place, open } = await create()
        const [to, other] = [await target(), await target()]
        const storage = await open()
        await note(storage, 'before')
        let steps: Promise<unknown> | undefined
        const report = () => {
          steps ??= cancelMove(place).then(() => note(storage, 'meanwhile'))
        }
        await expect(copyDatabase({ from: place, to, report })).rejects.toThrow(
          /canceled a move of the source: this copy cannot be used$/,
        )
        await steps
        expect(await namesIn(storage)).toEqual(['before', 'meanwhile'])
        // Its unfinished copy is not continued.
        await expect(copyDatabase({ from: place, to })).rejects.toThrow('or one that was canceled: d')
        let second: Promise<unknown> | undefined
        await copyDatabase({
          from: place,
          to: other,
          report: () => (second ??= copyDatabase({ from: place, to }).catch(String)),
        })
        expect(await second).toMatch(/(?:is being|was) moved to /)
        await storage.close()
      },
      START_MILLIS,
    )

    test(
      `${name}: a complete move is not repeated, and its other database has everything`,
      async () => {
        const { place, open } = await create()
        const to = await target()
        await (await open()).close()
        await copyDatabase({ from: place, to })
        const copy = await openPlace(to)
        await note(copy, 'new')
        for (const next of [to, await target()])
          await expect(copyDatabase({ from: place, to: next })).rejects.toThrow('was moved to')
        expect(await namesIn(copy)).toEqual(['new'])
        await copy.close()
      },
      START_MILLIS,
    )
  }

  test(
    'PostgreSQL: a transaction that runs when a copy begins is in it, with all that it writes later',
    async () => {
      const { place, open } = await engines.PostgreSQL.create()
      const to = await engines.PostgreSQL.target()
      const storage = await open()
      let isRead = false
      let copying: Promise<unknown> = Promise.resolve()
      await storage.write(async (tx) => {
        await tx.run(query.insertInto('settings').values({ name: 'first', value: '' }))
        copying = copyDatabase({ from: place, to, report: () => (isRead = true) })
        await sleep(PAUSE_MILLIS)
        await tx.run(query.insertInto('settings').values({ name: 'second', value: '' }))
        expect(isRead).toBe(false)
      })
      await copying
      const copy = await openPlace(to)
      expect(await namesIn(copy)).toEqual(['first', 'second'])
      await copy.close()
      await storage.close()
    },
    START_MILLIS,
  )

  test(
    'what holds up the end of a copy does not undo it',
    async () => {
      const [from, to] = [await server.createDatabase(), join(scratchFolder(), 'target.db')]
      await (await openPostgres(from, silentLog, { isServer: true })).close()
      let reader: Promise<SqliteConnection> | undefined
      const report = () => {
        reader ??= openSqlite(`${to}.copy`).then((connection) => {
          connection.exec('BEGIN')
          connection.prepare('SELECT count(*) FROM settings').get()
          return connection
        })
      }
      const options = { from: { postgres: from }, to: { sqlite: to } }
      await expect(copyDatabase({ ...options, report })).rejects.toThrow('another process reads')
      expect(existsSync(to)).toBe(false)
      const read = await reader
      read?.exec('COMMIT')
      read?.close()
      await copyDatabase(options)
      const copy = await openSqlite(to)
      expect(copy.prepare(`SELECT name FROM sqlite_master WHERE name = 'unfinished_copy'`).all()).toEqual([])
      copy.close()
    },
    START_MILLIS,
  )

  test(
    'what a kill has left after the last step is ended by the same command',
    async () => {
      const [from, to] = [await server.createDatabase(), join(scratchFolder(), 'target.db')]
      await (await openPostgres(from, silentLog, { isServer: true })).close()
      const options = { from: { postgres: from }, to: { sqlite: to } }
      await copyDatabase(options)
      const [{ move } = { move: '' }] = (await server.executeIn(
        new URL(from).pathname.slice(1),
        'SELECT move FROM server_lock',
      )) as { move: string }[]
      const copy = await openSqlite(to)
      copy.exec(`CREATE TABLE unfinished_copy AS SELECT '${JSON.parse(move).id}' AS id`)
      copy.close()
      const serve = () => openSqliteStorage(to, silentLog, { isServer: true })
      await expect(serve()).rejects.toThrow('is not finished')
      await expect(copyDatabase(options)).rejects.toThrow('was moved to')
      await (await serve()).close()
    },
    START_MILLIS,
  )

  test(
    'what is left of another database is not read as a part of the copy',
    async () => {
      const [from, to] = [await server.createDatabase(), join(scratchFolder(), 'target.db')]
      await (await openPostgres(from, silentLog, { isServer: true })).close()
      for (const ending of ['-wal', '-shm', '-journal']) {
        writeFileSync(`${to}${ending}`, 'left')
        const copying = copyDatabase({ from: { postgres: from }, to: { sqlite: to } })
        await expect(copying).rejects.toThrow(`${to}${ending} exists`)
        rmSync(`${to}${ending}`)
      }
      // Nothing is moved.
      expect(await cancelMove({ postgres: from })).toBeUndefined()
    },
    START_MILLIS,
  )

  test(
    'no migration changes a source, of either engine; a server with another one cannot be copied beside',
    async () => {
      const [sqlite, postgres] = [join(scratchFolder(), 'zonereeve.db'), await server.createDatabase()]
      const served = [
        await openSqliteStorage(sqlite, silentLog, { isServer: true }),
        await openPostgres(postgres, silentLog, { isServer: true }),
      ]
      const forget =
        'DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)'
      const database = new URL(postgres).pathname.slice(1)
      const places = [{ sqlite }, { postgres }] as const
      const targets = [await engines.SQLite.target(), await engines.PostgreSQL.target()] as const
      for (const [at, place] of places.entries()) {
        const to = targets[at] ?? place
        const stop = new AbortController()
        const report = () => stop.abort(new Error('stopped'))
        const copying = copyDatabase({ from: place, to, signal: stop.signal, report })
        await expect(copying).rejects.toThrow('stopped. Until the same command completes')
      }
      const connection = await openSqlite(sqlite)
      connection.exec(forget)
      connection.close()
      await server.executeIn(database, forget)
      for (const place of places) await expect(openPlace(place)).rejects.toThrow('being moved')
      for (const place of places) await cancelMove(place)
      for (const [at, place] of places.entries()) {
        const copying = copyDatabase({
          from: place,
          to: await (at === 0 ? engines.SQLite : engines.PostgreSQL).target(),
        })
        await expect(copying).rejects.toThrow('has another version')
        expect(await cancelMove(place)).toBeUndefined()
      }
      for (const storage of served) await storage.close()
    },
    START_MILLIS,
  )

  test(
    'a source without tables, or with an unfinished copy, is refused and stays as it is; a password stays secret',
    async () => {
      const [empty, half] = [await server.createDatabase(), await server.createDatabase()]
      const from = keptDatabase()
      const refused = copyDatabase({ from: { postgres: empty }, to: await engines.PostgreSQL.target() })
      await expect(refused).rejects.toThrow('is not a database of zonereeve')
      await expect(cancelMove({ postgres: empty })).rejects.toThrow('is not a database of zonereeve')
      const tables = `SELECT 1 AS one FROM pg_tables WHERE schemaname = 'public'`
      expect(await server.executeIn(new URL(empty).pathname.slice(1), tables)).toEqual([])
      const withPassword = new URL(half)
      withPassword.password = 'secret'
      const stop = new AbortController()
      const report = () => stop.abort(new Error('stopped'))
      const to = { postgres: withPassword.href }
      await expect(copyDatabase({ from: { sqlite: from }, to, signal: stop.signal, report })).rejects.toThrow(
        'stopped',
      )
      const copying = copyDatabase({ from: to, to: await engines.PostgreSQL.target() })
      await expect(copying).rejects.toThrow('unfinished copy of another database')
      expect(await cancelMove({ sqlite: from })).toMatchObject({ to: half, isComplete: false })
    },
    START_MILLIS,
  )
})
