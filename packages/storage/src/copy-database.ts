// Copies all rows between SQLite and PostgreSQL, table by table and in chunks, while servers read the source and write
// nothing. A copy that was interrupted goes on where it stopped; every table is compared by a checksum afterwards.
import { createHash, type Hash, randomBytes } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { silentLog } from '@zonereeve/platform'
import { yieldNow } from '@zonereeve/cooperate'
import { COPY_TABLE, type CopySide, type CopyTable, NO_TABLES, type Value } from './copy-side.ts'
import { type Move, MOVE_TABLE } from './database-move.ts'
import { sqliteSide } from './sqlite-copy-side.ts'
import { tryLock } from './file-lock.ts'
import { restrictFiles } from './private-files.ts'
import { openSqliteStorage } from './sqlite.ts'
import { hasTable, openSqlite, type SqliteConnection } from './sqlite-driver.ts'

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
 * Servers may use the source: from the first row on, they read and write nothing, also after the copy.
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
  const source = await openSource(from)
  try {
    const before = await source.side.move()
    throwIfElsewhere(before, nameOf(to))
    if (before?.isComplete === true && (await isInUse(to, before))) throw alreadyMoved(before)
    const target = await openTarget(to).catch((failure: unknown) => {
      throw before === undefined ? failure : withState(failure)
    })
    try {
      const sqlite = 'sqlite' in from ? source : target
      if (sqlite.tables === undefined) throw new Error('SQLite has no list of tables')
      const sides = { source: source.side, target: target.side, tables: sqlite.tables }
      let begun: Move | undefined
      try {
        begun = await beginMove(sides, { before, to: nameOf(to), emptied: target.emptied })
        return await finishMove({ ...sides, report, signal }, begun, target.finish)
      } catch (failure) {
        const known = begun ?? before // for a source that cannot be read any more
        const now = await source.side.move().catch(() => known)
        // After a cancellation, servers write rows that the copy does not have: its tables differ for that reason.
        if (begun !== undefined && now?.id !== begun.id) throw new Error(CANCELED, { cause: failure })
        throw now === undefined ? failure : withState(failure)
      }
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
 * @returns undefined if the source is not being moved
 * @throws Error: it is no database of this program
 */
export async function cancelMove(from: CopyPlace): Promise<Move | undefined> {
  const side = await openAsItIs(from)
  try {
    const move = await side.move()
    if (move !== undefined) await setMove(side, undefined, move)
    return move
  } finally {
    await side.close()
  }
}

/** Without the password. */
function nameOf(place: CopyPlace): string {
  if ('sqlite' in place) return `sqlite:${resolve(place.sqlite)}`
  const url = new URL(place.postgres)
  url.password = ''
  return url.href
}

const alreadyMoved = ({ to }: Move): Error =>
  new Error(
    `it was moved to ${to} already: start the servers with that, or cancel it with --from and --cancel`,
  )

/** Whether the other database has its name, and no server refuses to start with it. Ends what a kill has left. */
async function isInUse(place: CopyPlace, { id }: Move): Promise<boolean> {
  if ('sqlite' in place && !existsSync(place.sqlite)) return false
  const side = await openAsItIs(place).catch((failure: unknown) => {
    throw withState(failure)
  })
  try {
    const copyId = await side.copyId()
    if ('sqlite' in place && copyId === id) await side.endCopy()
    return 'sqlite' in place || copyId === undefined
  } finally {
    await side.close()
  }
}

const withState = (failure: unknown): Error =>
  new Error(
    `${failure instanceof Error ? failure.message : String(failure)}. Until the same command completes, or --from with --cancel ends the move, nothing is written to the source`,
    { cause: failure },
  )

interface OpenSource {
  readonly side: CopySide
  /** SQLite knows them with their references; both have the same. */
  readonly tables: readonly CopyTable[] | undefined
}

interface OpenTarget extends OpenSource {
  /** How it becomes an empty one. */
  readonly emptied: string
  /** After a complete copy. */
  finish(): Promise<void>
}

async function openAsItIs(place: CopyPlace): Promise<CopySide> {
  if ('postgres' in place) {
    const { openPostgresAsItIs } = await import('./postgres/copy-side.ts')
    return openPostgresAsItIs(place.postgres)
  }
  if (!existsSync(place.sqlite)) throw new Error(`${place.sqlite}: database not found`)
  const connection = await openSqlite(place.sqlite, { timeout: BUSY_MILLIS })
  const side = sqliteSide(connection, () => connection.close())
  if (hasTable(connection, 'schema_migrations')) return side
  connection.close()
  throw new Error(`${place.sqlite}: ${NO_TABLES}`)
}

async function openSource(place: CopyPlace): Promise<OpenSource> {
  if ('postgres' in place) {
    const { openPostgresSide } = await import('./postgres/copy-side.ts')
    return { side: await openPostgresSide(place.postgres, 'source'), tables: undefined }
  }
  const path = place.sqlite
  await (await openAsItIs(place)).close()
  const unlock = await tryLock(`${path}.lock`)
  try {
    if (unlock !== undefined) await migrateFile(path)
  } finally {
    unlock?.()
  }
  const connection = await openSqlite(path, { timeout: BUSY_MILLIS })
  return { side: sqliteSide(connection, () => connection.close()), tables: tablesOf(connection) }
}

/** A file gets its name when it is complete. */
async function openTarget(place: CopyPlace): Promise<OpenTarget> {
  if ('postgres' in place) {
    const { openPostgresSide } = await import('./postgres/copy-side.ts')
    const side = await openPostgresSide(place.postgres, 'target')
    const emptied = 'drop and create the database'
    return { side, tables: undefined, emptied, finish: () => side.endCopy() }
  }
  const path = place.sqlite
  for (const one of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`])
    // SQLite would read what is left of another database as a part of this one.
    if (existsSync(one)) throw new Error(`${one} exists: the target must not have a database`)
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
    emptied: `delete ${used}`,
    async finish() {
      const { busy } = connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number } // as documented
      if (busy !== 0) throw new Error(`another process reads ${used}`)
      connection.close()
      isOpen = false
      renameSync(used, path)
      for (const rest of ['-wal', '-shm']) rmSync(`${used}${rest}`, { force: true })
      // Last: until it has its name, the same command continues.
      const renamed = await openAsItIs(place)
      await renamed.endCopy().finally(renamed.close)
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

function throwIfElsewhere(move: Move | undefined, to: string): void {
  if (move === undefined || move.to === to) return
  if (move.isComplete) throw alreadyMoved(move)
  throw new Error(
    `the source is being moved to ${move.to}: continue with that target, or cancel it with --from and --cancel`,
  )
}

/** @throws Error: the target cannot take a copy of the source; nothing was changed, unless one of the two fails */
async function beginMove(
  { source, target, tables }: Sides,
  { before, to, emptied }: { before: Move | undefined; to: string; emptied: string },
): Promise<Move> {
  const unfinished = await target.copyId()
  if (unfinished !== undefined && unfinished !== before?.id)
    throw new Error(
      `the target has the unfinished copy of another database, or one that was canceled: ${emptied}`,
    )
  if ((await source.copyId()) !== undefined)
    throw new Error('the source has itself an unfinished copy of another database')
  const copied = tables.filter(({ name }) => !SEEDED.has(name))
  if (unfinished === undefined)
    for (const table of copied)
      if ((await target.count(table)) > 0)
        throw new Error(`the target is not empty: its table ${table.name} has rows`)
  await requireThisSchema(source)
  const move = before ?? { id: randomBytes(16).toString('hex'), to, isComplete: false }
  if (before === undefined) await setMove(source, move, undefined)
  // From here on, no migration begins.
  await requireThisSchema(source)
  if (unfinished === undefined) {
    const seeded = tables.filter(({ name }) => SEEDED.has(name))
    await target.beginCopy(move.id, seeded)
  }
  return move
}

async function requireThisSchema(source: CopySide): Promise<void> {
  if (!(await source.hasThisSchema()))
    throw new Error('the server that uses the source has another version: use its zonereeve migrate-database')
}

const CANCELED = 'another command has begun or canceled a move of the source: this copy cannot be used'

async function setMove(source: CopySide, move: Move | undefined, expected: Move | undefined): Promise<void> {
  if (!(await source.setMove(move, expected))) throw new Error(CANCELED)
}

async function finishMove(
  copying: Parameters<typeof copyAll>[0],
  move: Move,
  finish: () => Promise<void>,
): Promise<readonly CopiedTable[]> {
  const copied = await copyAll(copying)
  // If the move was not canceled since the first row was read, nothing was written.
  const complete = { ...move, isComplete: true }
  await setMove(copying.source, complete, move)
  await finish()
  return copied
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
        `the table ${table.name} differs: ${mine.rows} rows in the source, ${theirs.rows} in the target: cancel the move, and begin it again`,
      )
    done.push({ table: table.name, ...mine })
  }
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
