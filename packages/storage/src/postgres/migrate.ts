// The tables of a PostgreSQL database: the same migrations as for SQLite, in PostgreSQL's words.
import type { Migration } from '../migrations/migration.ts'
import { toPostgres } from '../migrations/to-postgres.ts'
import { MIGRATIONS } from '../migrations/registry.ts'
import { COPY_TABLE } from '../copy-side.ts'
import { NEWEST_SCHEMA } from '../migrate.ts'
import type { Connection } from './connection.ts'
import { LEASE_TABLES } from './lease.ts'

/** Tables and functions that exist before the first migration. */
const FOUNDATION = `
  CREATE TABLE IF NOT EXISTS schema_migrations (version int8 PRIMARY KEY, name text NOT NULL);
  ${LEASE_TABLES}
  CREATE OR REPLACE FUNCTION json_valid(value text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS $$
    BEGIN PERFORM value::json; RETURN true; EXCEPTION WHEN OTHERS THEN RETURN false; END $$;
`

/**
 * Prepares an empty database.
 *
 * @throws Error: it has another encoding
 */
export async function layFoundation(connection: Connection): Promise<void> {
  await requireEncoding(connection)
  // Two programs that create the same table at once: one of them fails.
  await connection.exec(FOUNDATION).catch(() => connection.exec(FOUNDATION))
}

export async function isUnfinishedCopy(connection: Connection): Promise<boolean> {
  const [row] = await connection.exec(`SELECT to_regclass('${COPY_TABLE}') IS NOT NULL AS is_there`)
  return (row as { is_there: number }).is_there === 1 // as selected
}

/** Whether the database has all tables of this version. @throws Error: it has a newer schema */
export async function isMigrated(connection: Connection): Promise<boolean> {
  const applied = await appliedTo(connection)
  return MIGRATIONS.every(({ version }) => applied.has(version))
}

/** @throws Error: the database has a newer schema */
async function appliedTo(connection: Connection): Promise<ReadonlySet<number>> {
  const rows = await connection.exec('SELECT version FROM schema_migrations')
  const applied = new Set((rows as { version: number }[]).map(({ version }) => version)) // as selected
  throwIfNewer(Math.max(0, ...applied))
  return applied
}

function throwIfNewer(current: number): void {
  if (current > NEWEST_SCHEMA)
    throw new Error(
      `the database has schema ${current}, but this version supports only ${NEWEST_SCHEMA}; use a newer version`,
    )
}

/** @throws Error: the database has a newer schema */
export async function migrate(connection: Connection): Promise<void> {
  await connection.exec('BEGIN; LOCK TABLE schema_migrations IN EXCLUSIVE MODE')
  try {
    const applied = await appliedTo(connection)
    for (const migration of MIGRATIONS.filter(({ version }) => !applied.has(version)))
      await connection.exec(statementsOf(migration).join(';\n'))
    await connection.exec('COMMIT')
  } catch (failure) {
    connection.reset()
    throw failure
  }
}

const statementsOf = ({ version, name, sqlite, postgres }: Migration): readonly string[] => [
  ...(postgres ?? sqlite).map(toPostgres),
  `INSERT INTO schema_migrations (version, name) VALUES (${version}, '${name}')`,
]

async function requireEncoding(connection: Connection): Promise<void> {
  const [row] = await connection.exec('SHOW server_encoding')
  const { server_encoding: encoding } = row as { server_encoding: string } // as documented
  if (encoding !== 'UTF8')
    throw new Error(
      `the database has the encoding ${encoding}; create it with ENCODING 'UTF8' TEMPLATE template0`,
    )
}
