// PostgreSQL as one side of a copy.
import type { Compilable } from 'kysely'
import { silentLog } from '@zonereeve/platform'
import { COPY_TABLE, type CopySide, type CopyTable, NO_TABLES, quoteNames, type Value } from '../copy-side.ts'
import { parseMove } from '../database-move.ts'
import { type Connection, createConnection } from './connection.ts'
import { createLease, type Lease, takeLease } from './lease.ts'
import { hasThisSchema, isUnfinishedCopy, layFoundation, migrate } from './migrate.ts'

/** Parameters of a statement: the protocol's limit is 65,535. */
const MAX_PARAMETERS = 30_000

/**
 * A target is held until it is closed; a source may be used by servers, which write nothing while it is being moved.
 *
 * @throws Error: a server uses the target; the source is no database of this program
 */
export async function openPostgresSide(url: string, role: 'source' | 'target'): Promise<CopySide> {
  const connection = createConnection({ url, keepsStatements: false })
  const lease = createLease({ url, log: silentLog })
  const close = async (): Promise<void> => {
    await lease.release()
    await connection.close()
  }
  try {
    if (role === 'target') {
      await layFoundation(connection)
      await takeLease(lease)
      await migrate(connection)
    } else {
      await requireTables(connection, url)
      await layFoundation(connection)
      // Servers of the source have migrated it.
      if (await takeIfFree(connection, lease)) await migrate(connection)
      await lease.release()
    }
  } catch (failure) {
    await close()
    throw failure
  }
  return postgresSide(connection, close)
}

/** Takes the lease of a database that no server uses, also none of several nodes between two that write. */
async function takeIfFree(connection: Connection, lease: Lease): Promise<boolean> {
  const nodes = await connection.exec('SELECT 1 AS one FROM server_nodes')
  if (nodes.length > 0) return false
  const { last, lives } = await lease.watch()
  return !lives && lease.take(last)
}

/** Changes nothing. @throws Error: it is no database of this program */
export async function openPostgresAsItIs(url: string): Promise<CopySide> {
  const connection = createConnection({ url, keepsStatements: false })
  const close = () => connection.close()
  try {
    await requireTables(connection, url)
  } catch (failure) {
    await close()
    throw failure
  }
  return postgresSide(connection, close)
}

async function requireTables(connection: Connection, url: string): Promise<void> {
  const [row] = await connection.exec(`SELECT to_regclass('schema_migrations') IS NOT NULL AS is_there`)
  const { is_there: isThere } = row as { is_there: number } // as selected
  if (isThere !== 1) throw new Error(`${new URL(url).pathname.slice(1)}: ${NO_TABLES}`)
}

function postgresSide(connection: Connection, close: () => Promise<void>): CopySide {
  const query = (text: string, parameters: readonly Value[] = []) =>
    connection.query({ compileFor: () => ({ sql: text, parameters }) } as unknown as Compilable<unknown>) // a query of one engine
  const all = async (text: string, parameters?: readonly Value[]) =>
    (await query(text, parameters)).rows as Record<string, Value>[] // as selected
  const first = async (text: string, parameters?: readonly Value[]) =>
    Object.values((await all(text, parameters))[0] ?? {})[0] // there may be none
  return {
    async move() {
      return parseMove((await first('SELECT move FROM server_lock')) as string | null) // as written below
    },
    async setMove(move, expected) {
      // Waits for the transaction of a server; each later one sees it.
      const { count } = await query(
        `UPDATE server_lock SET move = $1 WHERE move::json ->> 'id' IS NOT DISTINCT FROM $2`,
        [move === undefined ? null : JSON.stringify(move), expected === undefined ? null : expected.id],
      )
      return count === 1
    },
    hasThisSchema: () => hasThisSchema(connection),
    async copyId() {
      if (!(await isUnfinishedCopy(connection))) return undefined
      return (await first(`SELECT id FROM ${COPY_TABLE}`)) as string // as created
    },
    async beginCopy(id, cleared) {
      const clearing = cleared.map(({ name }) => `DELETE FROM "${name}";`)
      await connection.exec(`${clearing.join('')} CREATE TABLE ${COPY_TABLE} AS SELECT '${id}'::text AS id`)
    },
    endCopy: async () => void (await query(`DROP TABLE ${COPY_TABLE}`)),
    async rows({ name, columns, key }, after, limit) {
      const where =
        after === undefined
          ? ''
          : `WHERE (${quoteNames(key)}) > (${key.map((_, at) => `$${at + 1}`).join(', ')})`
      const text = `SELECT ${quoteNames(columns)} FROM "${name}" ${where} ORDER BY ${quoteNames(key)} LIMIT ${limit}`
      return (await all(text, after)).map((row) => columns.map((column) => row[column] ?? null)) // no undefined
    },
    async lastKey({ name, key }) {
      const order = key.map((one) => `"${one}" DESC`).join(', ')
      const [row] = await all(`SELECT ${quoteNames(key)} FROM "${name}" ORDER BY ${order} LIMIT 1`)
      return row && key.map((one) => row[one] ?? null) // as above
    },
    async insert(table, rows) {
      const chunkRows = Math.max(1, Math.floor(MAX_PARAMETERS / table.columns.length))
      for (let at = 0; at < rows.length; at += chunkRows)
        await insertSome(table, rows.slice(at, at + chunkRows))
    },
    count: async ({ name }) => Number(await first(`SELECT count(*) FROM "${name}"`)),
    async lastNumber(table) {
      const sequence = await sequenceOf(table)
      if (sequence === undefined) return undefined
      const [row] = await all(`SELECT last_value, is_called FROM ${sequence}`)
      return row?.['is_called'] === 1 ? Number(row['last_value']) : undefined
    },
    async setLastNumber(table, number) {
      const sequence = await sequenceOf(table)
      if (sequence !== undefined) await query(`SELECT setval('${sequence}', $1::int8)`, [number])
    },
    close,
  }

  async function sequenceOf({ name, key }: CopyTable): Promise<string | undefined> {
    const found = await first('SELECT pg_get_serial_sequence($1, $2)', [name, key[0] ?? '']) // every table has a key
    return typeof found === 'string' ? found : undefined
  }

  async function insertSome(
    { name, columns }: CopyTable,
    rows: readonly (readonly Value[])[],
  ): Promise<void> {
    const places = rows.map(
      (_, row) => `(${columns.map((__, column) => `$${row * columns.length + column + 1}`).join(', ')})`,
    )
    await query(`INSERT INTO "${name}" (${quoteNames(columns)}) VALUES ${places.join(', ')}`, rows.flat())
  }
}
