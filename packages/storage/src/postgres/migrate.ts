// The tables of a PostgreSQL database: the same migrations as for SQLite, in PostgreSQL's words.
import type { Migration } from '../migrations/migration.ts'
import { toPostgres } from '../migrations/to-postgres.ts'
import { MIGRATIONS } from '../migrations/registry.ts'
import { NEWEST_SCHEMA } from '../migrate.ts'
import type { Connection } from './connection.ts'

/** Tables and functions that exist before the first migration. */
const FOUNDATION = `
  CREATE TABLE IF NOT EXISTS schema_migrations (version int8 PRIMARY KEY, name text NOT NULL);
  CREATE TABLE IF NOT EXISTS server_lock (id int8 PRIMARY KEY CHECK (id = 1), holder text);
  CREATE TABLE IF NOT EXISTS server_heartbeat (
    id int8 PRIMARY KEY CHECK (id = 1), holder text, place text, beat int8 NOT NULL);
  INSERT INTO server_lock (id) VALUES (1) ON CONFLICT DO NOTHING;
  INSERT INTO server_heartbeat (id, beat) VALUES (1, 0) ON CONFLICT DO NOTHING;
  CREATE OR REPLACE FUNCTION json_valid(value text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS $$
    BEGIN PERFORM value::json; RETURN true; EXCEPTION WHEN OTHERS THEN RETURN false; END $$;
`

/** @throws Error: the database has a newer schema, or another encoding. */
export async function migrate(connection: Connection): Promise<void> {
  await requireEncoding(connection)
  // Two programs that create the same table at once: one of them fails.
  await connection.exec(FOUNDATION).catch(() => connection.exec(FOUNDATION))
  await connection.exec('BEGIN; LOCK TABLE schema_migrations IN EXCLUSIVE MODE')
  try {
    const rows = await connection.exec('SELECT version FROM schema_migrations')
    const applied = new Set((rows as { version: number }[]).map(({ version }) => version)) // as selected
    const current = Math.max(0, ...applied)
    if (current > NEWEST_SCHEMA)
      throw new Error(
        `the database has schema ${current}, but this version supports only ${NEWEST_SCHEMA}; use a newer version`,
      )
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
