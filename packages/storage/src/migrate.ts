// Migrates a database to the schema of this program.
import { migrationRefusal, readMove } from './database-move.ts'
import type { Migration } from './migrations/migration.ts'
import { MIGRATIONS } from './migrations/registry.ts'
import { inTransaction, type SqliteConnection } from './sqlite-driver.ts'

/** The schema of this program. */
export const NEWEST_SCHEMA = Math.max(...MIGRATIONS.map(({ version }) => version))

export function migrate(connection: SqliteConnection): void {
  connection.exec(
    'CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT',
  )
  const applied = appliedMigrations(connection)
  const current = Math.max(0, ...applied)
  if (current > NEWEST_SCHEMA) {
    throw new Error(
      `the database has schema ${current}, but this version supports only ${NEWEST_SCHEMA}; use a newer version`,
    )
  }
  // All missing migrations, not only newer ones: independent migrations may be applied in any order.
  const missing = MIGRATIONS.filter(({ version }) => !applied.has(version))
  // Each transaction waits for the disk, and a new database has nothing that could be kept up to a migration that fails.
  const transactions = applied.size === 0 ? [missing] : missing.map((migration) => [migration])
  for (const migrations of transactions)
    inTransaction(connection, () => {
      const move = readMove(connection)
      if (move !== undefined) throw migrationRefusal(move)
      for (const migration of migrations) apply(connection, migration)
    })
}

/** Whether exactly the migrations of this program were applied. */
export const isThisSchema = (versions: readonly number[]): boolean =>
  versions.length === MIGRATIONS.length && MIGRATIONS.every(({ version }) => versions.includes(version))

function apply(connection: SqliteConnection, { version, name, unless, sqlite }: Migration): void {
  if (!hasColumn(connection, unless)) for (const statement of sqlite) connection.exec(statement)
  connection.prepare('INSERT INTO schema_migrations (version, name) VALUES (?, ?)').run(version, name)
}

function hasColumn(connection: SqliteConnection, column: Migration['unless']): boolean {
  if (column === undefined) return false
  const sql = 'SELECT count(*) AS count FROM pragma_table_info(?) WHERE name = ?'
  const { count } = connection.prepare(sql).get(column.table, column.column) as { count: number } // as selected
  return count > 0
}

/** Versions of the migrations that were applied to a database. */
export function appliedMigrations(connection: SqliteConnection): Set<number> {
  const rows = connection.prepare('SELECT version FROM schema_migrations').all() as { version: number }[] // as selected
  return new Set(rows.map(({ version }) => version))
}
