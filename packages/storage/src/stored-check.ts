// Checks the stored data in the background after each start: rows that were not read yet, and the pages of a
// file that is too large to be checked completely before the start.
import { statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { RawBuilder } from 'kysely'
import type { Log } from '@zonereeve/platform'
import { createOffloadReader } from './offload-reader.ts'
import { isCheckedAtStart } from './loss-check.ts'
import type { Storage } from './open-storage.ts'
import { byEngine, rawQuery } from './engine.ts'
import { sql } from './query.ts'
import { RECORD_JSON } from './record-json.ts'
import { unreadableSecrets } from './stored-secrets.ts'
import type { Table } from './table.ts'
import { TABLES } from './tables/registry.ts'

export interface StoredCheckDeps {
  readonly storage: Storage
  /** Path of the database; undefined for one in memory. */
  readonly path: string | undefined
  readonly log: Log
}

export interface StoredCheck {
  /** Problems of the database file, one per line. */
  problems(): readonly string[]
  /** Stops the check; resolves when nothing is running any more. */
  stop(): Promise<void>
}

type ColumnValues = Readonly<Record<string, string | number | Uint8Array | null>>

/** Rows read per chunk; other work runs before the next chunk. */
const CHUNK_SIZE = 500
const PAUSE_MILLIS = 5
/** From this size on, rows are read in a separate process. */
const OFFLOADED_FROM_BYTES = 16 * 1_048_576
const MAX_PROBLEMS = 10

/** PostgreSQL has no such function: it checks pages (`initdb --data-checksums`), and records when they are loaded. */
const unlessPages = (damaged: RawBuilder<boolean>): RawBuilder<boolean> =>
  byEngine({ sqlite: damaged, postgres: sql<boolean>`false` })

/** Tables with checksums: key columns, and the condition for a row that differs from its checksum. */
const CHECKSUMS: Readonly<
  Record<string, { readonly key: readonly string[]; readonly damaged: RawBuilder<boolean> }>
> = {
  dns_records: {
    key: ['id'],
    damaged:
      unlessPages(sql`coalesce(body_checksum <> checksum(id, ${RECORD_JSON}), not json_valid(${RECORD_JSON}))
      or coalesce(served_checksum <> checksum(name, type, ttl, proxied, settings, rdata), false)`),
  },
  change_ops: {
    key: ['position', 'ordinal'],
    damaged: unlessPages(sql`coalesce(checksum <> checksum(kind, object_id, "before", "after"), false)`),
  },
  change_op_blocks: {
    key: ['position', 'ordinal'],
    damaged: unlessPages(sql`checksum <> checksum(packed)`),
  },
}

type Described = Pick<Table, 'name' | 'key' | 'columns'>

/** Tables with JSON columns, which may be unreadable. */
const WITH_JSON = Object.values<Described>(TABLES).filter(
  ({ name, columns }) => CHECKSUMS[name] === undefined && Object.values(columns).some(({ isJson }) => isJson),
)

export function startStoredCheck({ storage, path, log }: StoredCheckDeps): StoredCheck {
  const ending = new AbortController()
  const { signal } = ending
  const found: string[] = []
  const isOffloaded = path !== undefined && statSync(path).size >= OFFLOADED_FROM_BYTES
  const reader = isOffloaded ? storage.offload : storage
  const underway = Promise.all([attempt(checkRows, 'rows'), attempt(checkFile, 'file')])
  return {
    problems: () => found,
    async stop() {
      ending.abort()
      await underway
    },
  }

  async function attempt(check: () => Promise<void>, what: string): Promise<void> {
    try {
      await check()
    } catch (failure) {
      if (!signal.aborted) log.error({ err: failure, what }, 'check of the database failed')
    }
  }

  async function checkRows(): Promise<void> {
    let rows = 0
    for (const table of WITH_JSON)
      for await (const row of eachRow(table.name, table.key, sql`*`)) {
        rows += 1
        checkRow(table, row)
      }
    for (const { table, key, row } of await unreadableSecrets(storage, storage.vault))
      storage.unreadable.note(table, key, row, 'its secret cannot be decrypted')
    for (const [table, { key, damaged }] of Object.entries(CHECKSUMS))
      for await (const row of eachRow(table, key, sql`${names(key)}, ${damaged} as damaged`)) {
        rows += 1
        if (row['damaged'] === 1) await noteDamaged(table, key, row)
      }
    log.info({ rows, unreadable: (await storage.unreadable.list()).length }, 'stored rows checked')
  }

  function checkRow({ name: table, key, columns }: Described, row: ColumnValues): void {
    try {
      for (const [name, column] of Object.entries(columns)) column.toValue?.(row[name], name)
    } catch (failure) {
      storage.unreadable.note(table, keyOf(key, row), row, failure)
    }
  }

  /** With all its columns: any change of the row counts as a repair. */
  async function noteDamaged(table: string, key: readonly string[], row: ColumnValues): Promise<void> {
    const own = key.map((column) => sql`${sql.ref(column)} = ${row[column]}`)
    const whole = await reader.first(
      raw(sql`select * from ${sql.table(table)} where ${sql.join(own, sql` and `)}`),
    )
    if (whole !== undefined)
      storage.unreadable.note(table, keyOf(key, row), whole, 'does not match its checksum')
  }

  async function* eachRow(
    table: string,
    key: readonly string[],
    columns: RawBuilder<unknown>,
  ): AsyncGenerator<ColumnValues> {
    const ordered = names(key)
    let last: ColumnValues | undefined
    do {
      const from = last
      const after =
        from === undefined ? sql`true` : sql`(${ordered}) > (${sql.join(key.map((column) => from[column]))})`
      const rows = await reader.all(
        raw(
          sql`select ${columns} from ${sql.table(table)} where ${after} order by ${ordered} limit ${CHUNK_SIZE}`,
        ),
      )
      yield* rows
      last = rows.length < CHUNK_SIZE ? undefined : rows.at(-1)
      await setTimeout(PAUSE_MILLIS, undefined, { signal })
    } while (last !== undefined)
  }

  /** Table by table, in a separate process: other offloaded reads would wait for it. */
  async function checkFile(): Promise<void> {
    if (path === undefined || isCheckedAtStart(path)) return
    const checker = createOffloadReader(path)
    const end = () => void checker.close()
    signal.addEventListener('abort', end)
    try {
      const tables = await checker.all(
        raw(sql`select name from sqlite_schema where type = 'table' order by name`),
      )
      for (const { name } of tables) await checkTable(checker, String(name))
      log.info({ tables: tables.length, problems: found.length }, 'database file checked')
    } finally {
      signal.removeEventListener('abort', end)
      await checker.close()
    }
  }

  async function checkTable(checker: Pick<Storage, 'all'>, table: string): Promise<void> {
    const problems = await checker.all(raw(sql`pragma quick_check(${sql.ref(table)})`)).then(
      (rows) => rows.map((row) => String(Object.values(row)[0])),
      (failure: unknown) => [failure instanceof Error ? failure.message : String(failure)],
    )
    signal.throwIfAborted()
    for (const problem of problems.filter((each) => each !== 'ok').slice(0, MAX_PROBLEMS)) {
      found.push(`the database file is damaged: table ${table}: ${problem.replaceAll('\n', ' ')}`)
      log.error({ table, problem }, 'the database file is damaged: restore a backup')
    }
  }
}

const names = (key: readonly string[]) => sql.join(key.map((column) => sql.ref(column)))

const keyOf = (key: readonly string[], row: ColumnValues): Readonly<Record<string, string>> =>
  Object.fromEntries(key.map((column) => [column, String(row[column])]))

const raw = (text: RawBuilder<unknown>) => rawQuery(text as RawBuilder<ColumnValues>) // columns of any type
