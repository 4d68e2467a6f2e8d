// The `node:sqlite` API: built in from Node 24, a prebuilt package with the same API where the running Node lacks it.
type Value = null | number | bigint | string | Uint8Array

export interface Statement {
  all(...values: Value[]): unknown[]
  get(...values: Value[]): unknown
  iterate(...values: Value[]): IterableIterator<unknown>
  run(...values: Value[]): { changes: number | bigint; lastInsertRowid: number | bigint }
}

export interface SqliteConnection {
  exec(sql: string): void
  prepare(sql: string): Statement
  readonly isTransaction: boolean
  close(): void
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string, options?: { timeout?: number }) => SqliteConnection
}

const FIRST_MAJOR_WITH_STABLE_SQLITE = 24

/** Opens a database file, or a private database in memory for `:memory:`. */
export async function openSqlite(
  path: string,
  options: { timeout?: number } = {},
): Promise<SqliteConnection> {
  const major = Number(process.versions.node.split('.')[0])
  const module =
    major >= FIRST_MAJOR_WITH_STABLE_SQLITE
      ? ((await import('node:sqlite' as string)) as SqliteModule) // its types come with a later @types/node
      : ((await import('@photostructure/sqlite')) as unknown as SqliteModule) // same API, own type names
  return new module.DatabaseSync(path, { timeout: 5_000, ...options })
}
