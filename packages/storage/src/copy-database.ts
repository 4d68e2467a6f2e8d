// Copies all rows between SQLite and PostgreSQL, table by table and in chunks, while servers read the source and write
// nothing. A copy that was interrupted goes on where it stopped; every table is compared by a checksum afterwards.
import { createHash, type Hash, randomBytes } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { silentLog } from '@zonereeve/platform'
import { yieldNow } from '@zonereeve/cooperate'
import {
  COPY_TABLE,
  type CopySide,
  type CopyTable,
  OTHER_VERSION,
  quoteNames,
  type Value,
} from './copy-side.ts'
import { type Move, MOVE_TABLE, readMove, writeMove } from './database-move.ts'
import { tryLock } from './file-lock.ts'
import { appliedMigrations, missingMigrations } from './migrate.ts'
import { restrictFiles } from './private-files.ts'
import { openSqliteStorage } from './sqlite.ts'
import { openSqlite, type SqliteConnection } from './sqlite-driver.ts'

const CHUNK_ROWS = 500
/** Maximum wait for a transaction of the server that uses the source. */
const BUSY_MILLIS = 120_000
/** A chunk has as few rows as its size requires: a row may have megabytes. */
const CHUNK_BYTES = 4 * 1_048_576

export type CopyPlace = { readonly sqlite: string } | { readonly postgres: string }

export interface CopyOptions {
  readonly from: CopyPlace
  readonly to: CopyPlace
  /** Called after each chunk. */
  readonly report?: (progress: CopyProgress) => void
  readonly signal?: AbortSignal
}

export interface CopyProgress {
  readonly table: string
  readonly rows: number
  readonly total: number
}

export interface CopiedTable {
  readonly table: string
  readonly rows: number
  /** Of all values, equal on both sides. */
  readonly checksum: string
}

/** Rows that a new database has. */
const SEEDED: ReadonlySet<string> = new Set(['audit_log_start', 'database_identity'])
/** Of the database itself, or of its engine. */
const NOT_COPIED: ReadonlySet<string> = new Set(['schema_migrations', COPY_TABLE, MOVE_TABLE])

/**
 * A server may use the source: from the first row on, it reads and writes nothing, also after the copy.
 *
 * @throws Error: a server uses the target, the target has rows, the source is being moved elsewhere, or the copy differs
 */
export async function copyDatabase({
  from,
  to,
  report = () => {},
  signal,
}: CopyOptions): Promise<readonly CopiedTable[]> {
  if ('sqlite' in from === 'sqlite' in to)
    throw new Error('one of --from and --to must be SQLite, and the other PostgreSQL')
  const source = await openSide(from, 'source')
  try {
    const target = await openSide(to, 'target')
    try {
      const sqlite = 'sqlite' in from ? source : target
      if (sqlite.tables === undefined) throw new Error('SQLite has no list of tables')
      const sides = { source: source.side, target: target.side, tables: sqlite.tables }
      await beginMove(sides, nameOf(to))
      const copied = await copyAll({ ...sides, report, signal })
      await target.finish()
      return copied
    } finally {
      await target.side.close()
    }
  } finally {
    await source.side.close()
  }
}

/**
 * Servers write to the source of an unfinished or complete copy again.
 *
 * @returns the name of the other database; undefined if the source is not being moved
 * @throws Error: it cannot be opened
 */
export async function cancelMove(from: CopyPlace): Promise<string | undefined> {
  const { side } = await openSide(from, 'source')
  try {
    const move = await side.move()
    if (move !== undefined) await side.setMove(undefined)
    return move?.to
  } finally {
    await side.close()
  }
}

/** Without the password. */
const nameOf = (place: CopyPlace): string =>
  'sqlite' in place
    ? `sqlite:${resolve(place.sqlite)}`
    : place.postgres.replace(/^(\w+:\/\/[^:@/]*):[^@]*@/, '$1@')

interface OpenSide {
  readonly side: CopySide
  /** SQLite knows them with their references; both have the same. */
  readonly tables: readonly CopyTable[] | undefined
  /** After a complete copy. */
  finish(): Promise<void>
}

async function openSide(place: CopyPlace, role: 'source' | 'target'): Promise<OpenSide> {
  if ('postgres' in place) {
    const { openPostgresSide } = await import('./postgres/copy-side.ts')
    const side = await openPostgresSide(place.postgres, role)
    return { side, tables: undefined, finish: async () => {} }
  }
  return role === 'source' ? openSource(place.sqlite) : openTarget(place.sqlite)
}

async function openSource(path: string): Promise<OpenSide> {
  if (!existsSync(path)) throw new Error(`${path}: database not found`)
  const unlock = await tryLock(`${path}.lock`)
  try {
    if (unlock !== undefined) await migrateFile(path)
  } finally {
    unlock?.()
  }
  const connection = await openSqlite(path, { timeout: BUSY_MILLIS })
  const side = sqliteSide(connection, () => connection.close())
  if (missingMigrations(appliedMigrations(connection)).length > 0) {
    connection.close()
    throw new Error(OTHER_VERSION)
  }
  return { side, tables: tablesOf(connection), finish: async () => {} }
}

/** Creates it under another name, which it loses when it is complete. */
async function openTarget(path: string): Promise<OpenSide> {
  if (existsSync(path)) throw new Error(`${path} exists: the target must not have a database`)
  const used = `${path}.copy`
  const unlock = await tryLock(`${path}.lock`)
  if (unlock === undefined) throw new Error(`another server is using ${path}`)
  await migrateFile(used)
  const connection = await openSqlite(used)
  let isOpen = true
  const side = sqliteSide(connection, () => {
    if (isOpen) connection.close()
    unlock()
  })
  return {
    side,
    tables: tablesOf(connection),
    async finish() {
      const { busy } = connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number } // as documented
      connection.close()
      isOpen = false
      if (busy !== 0) throw new Error(`another process reads ${used}`)
      renameSync(used, path)
      for (const rest of ['-wal', '-shm']) rmSync(`${used}${rest}`, { force: true })
    },
  }
}

/** Creates or migrates it. */
async function migrateFile(path: string): Promise<void> {
  restrictFiles(path)
  await (await openSqliteStorage(path, silentLog)).close()
  restrictFiles(path)
}

interface Sides {
  readonly source: CopySide
  readonly target: CopySide
  readonly tables: readonly CopyTable[]
}

/** @throws Error: the target cannot take a copy of the source; then nothing was changed */
async function beginMove({ source, target, tables }: Sides, to: string): Promise<void> {
  const move = await source.move()
  if (move !== undefined && move.to !== to)
    throw new Error(
      `the source is being moved to ${move.to}: continue with that target, or cancel it with --from and --cancel`,
    )
  const unfinished = await target.copied()
  if (unfinished !== undefined && unfinished !== move?.id)
    throw new Error(
      'the target has the unfinished copy of another database, or one that was cancelled: use an empty target',
    )
  if (unfinished !== undefined) return
  for (const table of tables)
    if (!SEEDED.has(table.name) && (await target.count(table)) > 0)
      throw new Error(`the target is not empty: its table ${table.name} has rows`)
  const begun: Move = move ?? { id: randomBytes(16).toString('hex'), to }
  if (move === undefined) await source.setMove(begun)
  for (const table of tables) if (SEEDED.has(table.name)) await target.clear(table)
  await target.setCopied(begun.id)
}

async function copyAll({
  source,
  target,
  tables,
  report,
  signal,
}: Sides & {
  readonly report: (progress: CopyProgress) => void
  readonly signal: AbortSignal | undefined
}): Promise<readonly CopiedTable[]> {
  for (const table of tables) await copyTable(table)
  const done: CopiedTable[] = []
  for (const table of tables) {
    const [mine, theirs] = [await checksumOf(source, table, signal), await checksumOf(target, table, signal)]
    if (mine.checksum !== theirs.checksum || mine.rows !== theirs.rows)
      throw new Error(
        `the table ${table.name} differs: ${mine.rows} rows in the source, ${theirs.rows} in the target; use an empty target`,
      )
    done.push({ table: table.name, ...mine })
  }
  await target.setCopied(undefined)
  return done

  async function copyTable(table: CopyTable): Promise<void> {
    const total = await source.count(table)
    let last = await target.lastKey(table)
    let rows = last === undefined ? 0 : await target.count(table)
    for (;;) {
      signal?.throwIfAborted()
      const read = await source.rows(table, last, CHUNK_ROWS)
      for (const chunk of chunksOf(read)) await target.insert(table, chunk)
      rows += read.length
      report({ table: table.name, rows, total })
      const end = read.at(-1)
      if (end === undefined || read.length < CHUNK_ROWS) break
      last = keyOf(table, end)
      await yieldNow()
    }
    const number = (await source.lastNumber(table)) ?? numberOf(await source.lastKey(table))
    if (number !== undefined) await target.setLastNumber(table, number)
  }
}

/** Of a table whose key is one number. */
const numberOf = ([number, ...more]: readonly Value[] = []): number | undefined =>
  typeof number === 'number' && more.length === 0 ? number : undefined

function* chunksOf(rows: readonly (readonly Value[])[]): Generator<readonly (readonly Value[])[]> {
  let chunk: (readonly Value[])[] = []
  let bytes = 0
  for (const row of rows) {
    chunk.push(row)
    bytes += row.reduce<number>((sum, value) => sum + sizeOf(value), 0)
    if (bytes < CHUNK_BYTES) continue
    yield chunk
    chunk = []
    bytes = 0
  }
  if (chunk.length > 0) yield chunk
}

const sizeOf = (value: Value): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 8

const keyOf = ({ columns, key }: CopyTable, row: readonly Value[]): readonly Value[] =>
  key.map((name) => row[columns.indexOf(name)] ?? null) // every key is a column

async function checksumOf(side: CopySide, table: CopyTable, signal: AbortSignal | undefined) {
  const hash = createHash('sha256')
  let rows = 0
  let last: readonly Value[] | undefined
  for (;;) {
    signal?.throwIfAborted()
    const read = await side.rows(table, last, CHUNK_ROWS)
    for (const row of read) hashRow(hash, row)
    rows += read.length
    const end = read.at(-1)
    if (end === undefined || read.length < CHUNK_ROWS)
      return { rows, checksum: hash.digest('hex').slice(0, 16) }
    last = keyOf(table, end)
    await yieldNow()
  }
}

/** Each value with its type and length, so that no two rows have the same bytes. */
function hashRow(hash: Hash, row: readonly Value[]): void {
  for (const value of row) {
    if (value === null) hash.update('n;')
    else if (value instanceof Uint8Array) hash.update(`b${value.length}:`).update(value)
    else if (typeof value === 'string') hash.update(`t${Buffer.byteLength(value)}:`).update(value)
    else hash.update(`i${value};`)
  }
  hash.update('\n')
}

/** Referenced tables come before those that refer to them. */
function tablesOf(connection: SqliteConnection): readonly CopyTable[] {
  const names = connection
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
    .all() as { name: string }[] // as selected
  const open = new Map(
    names
      .filter(({ name }) => !NOT_COPIED.has(name))
      .map(({ name }) => {
        const references = connection.prepare(`PRAGMA foreign_key_list("${name}")`).all() as {
          table: string
        }[] // as documented
        return [
          name,
          new Set(references.map(({ table }) => table).filter((table) => table !== name)),
        ] as const
      }),
  )
  const ordered: CopyTable[] = []
  while (open.size > 0) {
    const next = [...open].find(([, references]) => [...references].every((name) => !open.has(name)))
    if (next === undefined) throw new Error('tables refer to each other')
    open.delete(next[0])
    ordered.push(describeTable(connection, next[0]))
  }
  return ordered
}

function describeTable(connection: SqliteConnection, name: string): CopyTable {
  const columns = connection.prepare(`PRAGMA table_info("${name}")`).all() as { name: string; pk: number }[] // as documented
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
  // Those without a key have one row.
  const ordering = key.length === 0 ? columns : key
  return { name, columns: columns.map((column) => column.name), key: ordering.map((column) => column.name) }
}

function sqliteSide(connection: SqliteConnection, close: () => void): CopySide {
  const first = (text: string, ...values: Value[]): unknown =>
    Object.values((connection.prepare(text).get(...values) ?? {}) as object)[0] // a row, if there is one
  /** Others number their rows by the highest one that is there. */
  const keepsNumbers = (name: string): boolean =>
    String(first('SELECT sql FROM sqlite_master WHERE name = ?', name)).includes('AUTOINCREMENT')
  connection.exec('PRAGMA foreign_keys = ON')
  return {
    move: async () => readMove(connection),
    setMove: async (move) => writeMove(connection, move),
    async copied() {
      if (first('SELECT count(*) FROM sqlite_master WHERE name = ?', COPY_TABLE) === 0) return undefined
      return first(`SELECT id FROM ${COPY_TABLE}`) as string // as created
    },
    async setCopied(id) {
      if (id === undefined) connection.exec(`DROP TABLE ${COPY_TABLE}`)
      else connection.exec(`CREATE TABLE ${COPY_TABLE} AS SELECT '${id}' AS id`)
    },
    async rows({ name, columns, key }, after, limit) {
      const where =
        after === undefined ? '' : `WHERE (${quoteNames(key)}) > (${key.map(() => '?').join(', ')})`
      const text = `SELECT ${quoteNames(columns)} FROM "${name}" ${where} ORDER BY ${quoteNames(key)} LIMIT ${limit}`
      const rows = connection.prepare(text).all(...(after ?? [])) as Record<string, Value>[] // as selected
      return rows.map((row) => columns.map((column) => row[column] ?? null)) // SQLite has no undefined
    },
    async lastKey({ name, key }) {
      const text = `SELECT ${quoteNames(key)} FROM "${name}" ORDER BY ${key.map((one) => `"${one}" DESC`).join(', ')} LIMIT 1`
      const row = connection.prepare(text).get() as Record<string, Value> | undefined // as selected
      return row && key.map((one) => row[one] ?? null) // as above
    },
    async insert({ name, columns }, rows) {
      const statement = connection.prepare(
        `INSERT INTO "${name}" (${quoteNames(columns)}) VALUES (${columns.map(() => '?').join(', ')})`,
      )
      connection.exec('BEGIN IMMEDIATE')
      try {
        for (const row of rows) statement.run(...row)
        connection.exec('COMMIT')
      } catch (failure) {
        connection.exec('ROLLBACK')
        throw failure
      }
    },
    clear: async ({ name }) => connection.exec(`DELETE FROM "${name}"`),
    count: async ({ name }) => Number(first(`SELECT count(*) FROM "${name}"`)),
    async lastNumber({ name }) {
      if (!keepsNumbers(name)) return undefined
      return first('SELECT seq FROM sqlite_sequence WHERE name = ?', name) as number | undefined // as SQLite has it
    },
    async setLastNumber({ name }, number) {
      if (!keepsNumbers(name)) return
      connection.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(name)
      connection.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, number)
    },
    close: async () => close(),
  }
}
