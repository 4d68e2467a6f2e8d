// The tables of a PostgreSQL database: the same migrations as for SQLite, in PostgreSQL's words.
import type { Migration } from '../migrations/migration.ts'
import { isExpanding } from '../migrations/expanding.ts'
import { toPostgres } from '../migrations/to-postgres.ts'
import { MIGRATIONS } from '../migrations/registry.ts'
import { COPY_TABLE } from '../copy-side.ts'
import { migrationRefusal, type Move, parseMove } from '../database-move.ts'
import { isThisSchema, NEWEST_SCHEMA } from '../migrate.ts'
import type { Connection } from './connection.ts'
import { COMMIT_MARKS_TABLE } from './commit-marks.ts'
import { LEASE_TABLES } from './lease.ts'

/** Tables and functions that exist before the first migration. */
const FOUNDATION = `
  CREATE TABLE IF NOT EXISTS schema_migrations (version int8 PRIMARY KEY, name text NOT NULL);
  ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS is_expanding boolean NOT NULL DEFAULT false;
  ${LEASE_TABLES}
  ${COMMIT_MARKS_TABLE}
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

/** Until the transaction ends, no move begins or ends. */
async function lockMove(connection: Connection): Promise<Move | undefined> {
  const [row] = await connection.exec('SELECT move FROM server_lock WHERE id = 1 FOR UPDATE')
  return parseMove((row as { move: string | null }).move) // as selected
}

/** Whether exactly the migrations of this program were applied. */
export async function hasThisSchema(connection: Connection): Promise<boolean> {
  const rows = await connection.exec('SELECT version FROM schema_migrations')
  return isThisSchema((rows as { version: number }[]).map(({ version }) => version)) // as selected
}

/** Migrations that the database does not have. @throws Error: it has a newer schema */
export async function pendingMigrations(connection: Connection): Promise<readonly Migration[]> {
  const rows = await connection.exec('SELECT version, is_expanding FROM schema_migrations')
  const applied = rows as { version: number; is_expanding: number }[] // as selected
  const versions = new Set(applied.map(({ version }) => version))
  // What a newer version only adds is nothing to this one.
  throwIfNewer(Math.max(0, ...applied.flatMap((one) => (one.is_expanding === 1 ? [] : one.version))))
  return MIGRATIONS.filter(({ version }) => !versions.has(version))
}

function throwIfNewer(current: number): void {
  if (current > NEWEST_SCHEMA)
    throw new Error(
      `the database has schema ${current}, but this version supports only ${NEWEST_SCHEMA}; use a newer version`,
    )
}

/**
 * @param lockMillis other programs use the database: their statements must not wait longer behind this one's.
 * @throws Error: the database has a newer schema, or was in use for that time
 */
export async function migrate(connection: Connection, lockMillis = 0): Promise<void> {
  await connection.exec(
    `BEGIN; SET LOCAL lock_timeout = ${lockMillis}; LOCK TABLE schema_migrations IN EXCLUSIVE MODE`,
  )
  try {
    const pending = await pendingMigrations(connection)
    const move = pending.length > 0 ? await lockMove(connection) : undefined
    if (move !== undefined) throw migrationRefusal(move)
    for (const migration of pending) await connection.exec(statementsOf(migration).join(';\n'))
    await connection.exec('COMMIT')
  } catch (failure) {
    connection.reset()
    throw failure
  }
}

const statementsOf = (migration: Migration): readonly string[] => [
  ...(migration.postgres ?? migration.sqlite).map(toPostgres),
  `INSERT INTO schema_migrations (version, name, is_expanding)
    VALUES (${migration.version}, '${migration.name}', ${isExpanding(migration)})`,
]

async function requireEncoding(connection: Connection): Promise<void> {
  const [row] = await connection.exec('SHOW server_encoding')
  const { server_encoding: encoding } = row as { server_encoding: string } // as documented
  if (encoding !== 'UTF8')
    throw new Error(
      `the database has the encoding ${encoding}; create it with ENCODING 'UTF8' TEMPLATE template0`,
    )
}
