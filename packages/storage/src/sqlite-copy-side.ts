// SQLite as one side of a copy.
import { COPY_TABLE, type CopySide, quoteNames, type Value } from './copy-side.ts'
import { readMove, writeMove } from './database-move.ts'
import { appliedMigrations, isThisSchema } from './migrate.ts'
import { hasTable, inTransaction, type SqliteConnection } from './sqlite-driver.ts'

export function sqliteSide(connection: SqliteConnection, close: () => void): CopySide {
  const first = (text: string, ...values: Value[]): unknown =>
    Object.values((connection.prepare(text).get(...values) ?? {}) as object)[0] // a row, if there is one
  /** Others number their rows by the highest one that is there. */
  const keepsNumbers = (name: string): boolean =>
    String(first('SELECT sql FROM sqlite_master WHERE name = ?', name)).includes('AUTOINCREMENT')
  connection.exec('PRAGMA foreign_keys = ON')
  return {
    move: async () => readMove(connection),
    setMove: async (move, expected) => writeMove(connection, move, expected),
    hasThisSchema: async () => isThisSchema([...appliedMigrations(connection)]),
    async copyId() {
      if (!hasTable(connection, COPY_TABLE)) return undefined
      return first(`SELECT id FROM ${COPY_TABLE}`) as string // as created
    },
    beginCopy: async (id, cleared) =>
      inTransaction(connection, () => {
        for (const { name } of cleared) connection.exec(`DELETE FROM "${name}"`)
        connection.exec(`CREATE TABLE ${COPY_TABLE} AS SELECT '${id}' AS id`)
      }),
    endCopy: async () => connection.exec(`DROP TABLE ${COPY_TABLE}`),
    async rows({ name, columns, key }, after, limit) {
      const where =
        after === undefined ? '' : `WHERE (${quoteNames(key)}) > (${key.map(() => '?').join(', ')})`
      const text = `SELECT ${quoteNames(columns)} FROM "${name}" ${where} ORDER BY ${quoteNames(key)} LIMIT ${limit}`
      const rows = connection.prepare(text).all(...(after ?? [])) as Record<string, Value>[] // as selected
      return rows.map((row) => columns.map((column) => row[column] ?? null)) // SQLite has no undefined
    },
    async lastKey({ name, key }) {
      const text = `SELECT ${quoteNames(key)} FROM "${name}" ORDER BY ${key.map((one) => `"${one}" DESC`).join(', ')} LIMIT 1`
      const row = connection.prepare(text).get() as Record<string, Value> | undefined // as selected
      return row && key.map((one) => row[one] ?? null) // as above
    },
    async insert({ name, columns }, rows) {
      const statement = connection.prepare(
        `INSERT INTO "${name}" (${quoteNames(columns)}) VALUES (${columns.map(() => '?').join(', ')})`,
      )
      inTransaction(connection, () => {
        for (const row of rows) statement.run(...row)
      })
    },
    count: async ({ name }) => Number(first(`SELECT count(*) FROM "${name}"`)),
    async lastNumber({ name }) {
      if (!keepsNumbers(name)) return undefined
      return first('SELECT seq FROM sqlite_sequence WHERE name = ?', name) as number | undefined // as SQLite has it
    },
    async setLastNumber({ name }, number) {
      if (!keepsNumbers(name)) return
      connection.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(name)
      connection.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, number)
    },
    close: async () => close(),
  }
}
