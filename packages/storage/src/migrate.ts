// Migrates a database to the schema of this program.
import type { Migration } from './migrations/migration.ts'
import { MIGRATIONS } from './migrations/registry.ts'
import type { SqliteConnection } from './sqlite-driver.ts'

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
  if (applied.size === 0) return create(connection)
  // All missing migrations, not only newer ones: independent migrations may be applied in any order.
  for (const migration of MIGRATIONS.filter(({ version }) => !applied.has(version)))
    inTransaction(connection, () => apply(connection, migration))
}

/** Known after the first database of this process: tests make thousands, each from many migrations. */
let statementsOfNew: string | undefined

/** In one transaction: each waits for the disk. */
function create(connection: SqliteConnection): void {
  inTransaction(connection, () => {
    if (statementsOfNew !== undefined) return connection.exec(statementsOfNew)
    for (const migration of MIGRATIONS) apply(connection, migration)
    statementsOfNew = statementsThatMake(connection)
  })
}

/** The schema as the migrations leave it, and the rows that they add to a new database. */
function statementsThatMake(connection: SqliteConnection): string {
  const schema = connection
    .prepare(
      `SELECT sql FROM sqlite_schema
        WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'schema_migrations' ORDER BY rowid`,
    )
    .all() as { sql: string }[] // as selected
  const rows = MIGRATIONS.flatMap(({ sqlite }) => sqlite).filter((statement) =>
    /^\s*INSERT\b/.test(statement),
  )
  const versions = MIGRATIONS.map(({ version, name }) => `(${version}, '${name.replaceAll("'", "''")}')`)
  return [
    ...schema.map(({ sql }) => sql),
    ...rows,
    `INSERT INTO schema_migrations (version, name) VALUES ${versions.join()}`,
  ].join(';\n')
}

function apply(connection: SqliteConnection, { version, name, unless, sqlite }: Migration): void {
  if (!hasColumn(connection, unless)) for (const statement of sqlite) connection.exec(statement)
  connection.prepare('INSERT INTO schema_migrations (version, name) VALUES (?, ?)').run(version, name)
}

function inTransaction(connection: SqliteConnection, work: () => void): void {
  connection.exec('BEGIN IMMEDIATE')
  work()
  connection.exec('COMMIT')
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
