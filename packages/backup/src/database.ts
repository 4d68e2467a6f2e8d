// What a backup needs of SQLite: a consistent copy, and whether a copy is whole.
import { closeSync, openSync } from 'node:fs'
import { BackupError } from './backup-error.ts'

/** A connection of the node:sqlite API. */
export interface Connection {
  exec(sql: string): void
  prepare(sql: string): { all(): unknown[] }
  close(): void
}

/** Opens an existing database. */
export type OpenDatabase = (path: string, options: { readonly readOnly: boolean }) => Promise<Connection>

export interface DatabaseFacts {
  readonly id: string
  readonly position: number
  readonly rows: Readonly<Record<string, number>>
}

/**
 * Copies the database at one point in time, while it may be written: one read transaction, which writers do not wait
 * for. The copy has no free pages, so nothing that was deleted.
 *
 * @param target does not exist; it gets mode 0600.
 */
export async function copyDatabase(open: OpenDatabase, path: string, target: string): Promise<void> {
  // SQLite takes an empty file as a new one, and keeps its mode.
  closeSync(openSync(target, 'wx', 0o600))
  const connection = await open(path, { readOnly: false })
  try {
    connection.exec(`VACUUM INTO '${target.replaceAll("'", "''")}'`)
  } finally {
    connection.close()
  }
}

/** Reads every page, index and reference. @throws BackupError: the database is damaged. */
export async function requireWhole(open: OpenDatabase, path: string): Promise<DatabaseFacts> {
  const connection = await open(path, { readOnly: true })
  try {
    const problems = rowsOf<{ integrity_check: string }>(connection, 'PRAGMA integrity_check(5)')
    if (problems[0]?.integrity_check !== 'ok')
      throw new BackupError(
        `the database is damaged: ${problems.map((row) => row.integrity_check).join('; ')}`,
      )
    const [dangling] = rowsOf<{ table: string }>(connection, 'PRAGMA foreign_key_check')
    if (dangling !== undefined)
      throw new BackupError(`the database is damaged: ${dangling.table} has rows without parents`)
    return factsOf(connection)
  } finally {
    connection.close()
  }
}

function factsOf(connection: Connection): DatabaseFacts {
  const [identity] = rowsOf<{ id: string }>(connection, 'SELECT id FROM database_identity')
  const [sequences] = rowsOf<{ position: number }>(
    connection,
    'SELECT coalesce(sum(seq), 0) AS position FROM sqlite_sequence',
  )
  if (identity === undefined || sequences === undefined)
    throw new BackupError('the database has no identity: start zonereeve serve with it once')
  const rows = rowsOf<{ name: string }>(
    connection,
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
  ).map(({ name }) => {
    const counted = rowsOf<{ rows: number }>(
      connection,
      `SELECT count(*) AS rows FROM "${name.replaceAll('"', '""')}"`,
    )
    return [name, counted.reduce((sum, row) => sum + row.rows, 0)] as const
  })
  return { id: identity.id, position: sequences.position, rows: Object.fromEntries(rows) }
}

const rowsOf = <Row>(connection: Connection, sql: string): Row[] => connection.prepare(sql).all() as Row[] // as selected
