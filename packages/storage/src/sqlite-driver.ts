// The `node:sqlite` API: built into Node 24 and later, otherwise a prebuilt package with the same API.
import { checksum } from './checksum.ts'
import { naturalKey } from './natural-order.ts'

type Value = null | number | bigint | string | Uint8Array

export interface Statement {
  all(...values: Value[]): unknown[]
  get(...values: Value[]): unknown
  iterate(...values: Value[]): IterableIterator<unknown>
  run(...values: Value[]): { changes: number | bigint; lastInsertRowid: number | bigint }
}

export interface SqliteConnection {
  function(
    name: string,
    options: { readonly deterministic: true; readonly varargs: true },
    body: typeof checksum | typeof naturalKey,
  ): void
  exec(sql: string): void
  prepare(sql: string): Statement
  readonly isTransaction: boolean
  close(): void
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string, options?: OpenOptions) => SqliteConnection
}

export interface OpenOptions {
  readonly timeout?: number
  readonly readOnly?: boolean
}

const FIRST_MAJOR_WITH_STABLE_SQLITE = 24

/** Opens a database file, or a private database in memory for `:memory:`. */
export async function openSqlite(path: string, options: OpenOptions = {}): Promise<SqliteConnection> {
  const major = Number(process.versions.node.split('.')[0])
  const module =
    major >= FIRST_MAJOR_WITH_STABLE_SQLITE
      ? ((await import('node:sqlite' as string)) as SqliteModule) // types are in a later @types/node
      : ((await import('@photostructure/sqlite')) as unknown as SqliteModule) // same API, own type names
  try {
    const connection = new module.DatabaseSync(path, { timeout: 5_000, ...options })
    connection.function('checksum', { deterministic: true, varargs: true }, checksum)
    connection.function('natural_key', { deterministic: true, varargs: true }, naturalKey)
    return connection
  } catch (error) {
    // SQLite's own message does not name the file.
    const text = error instanceof Error ? error.message : String(error)
    throw new Error(`${path}: ${text}; check that this user may write to the file and its folder`, {
      cause: error,
    })
  }
}

export const hasTable = (connection: SqliteConnection, name: string): boolean =>
  connection.prepare('SELECT 1 AS one FROM sqlite_master WHERE name = ?').get(name) !== undefined

/** Waits for the transaction of another program. */
export function inTransaction<Result>(connection: SqliteConnection, work: () => Result): Result {
  connection.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    connection.exec('COMMIT')
    return result
  } catch (failure) {
    if (connection.isTransaction) connection.exec('ROLLBACK')
    throw failure
  }
}

/** The prebuilt package finalizes a statement that is not referenced, even between its rows, and then crashes. */
const statementOfRows = new WeakMap<object, Statement>()

/** The rows of a query one by one; as long as they are referenced, so is their statement. */
export function iterateRows(statement: Statement, parameters: readonly unknown[]): IterableIterator<unknown> {
  const rows = statement.iterate(...(parameters as never[])) // values as bound by Kysely
  statementOfRows.set(rows, statement)
  return rows
}
