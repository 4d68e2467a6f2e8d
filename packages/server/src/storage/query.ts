// Kysely as a compiler of SQL only: queries are built here, and executed by the storage's own executor, which keeps
// prepared statements (the library's own executor prepares each time, at twice the cost).
import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Compilable,
  type Insertable,
} from 'kysely'
import type { Database } from './database.ts'

export const query = new Kysely<Database>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

/**
 * An insert that is compiled once, for tables that get thousands of rows at a time: compiling a statement takes many
 * times as long as running it. Rows have all of `columns`.
 */
export function insertInto<Table extends keyof Database>(
  table: Table,
  columns: readonly (keyof Insertable<Database[Table]> & string)[],
): (row: Insertable<Database[Table]>) => Compilable<unknown> {
  const blank = Object.fromEntries(columns.map((column) => [column, null]))
  // Only the names of the columns count here; what goes into them comes with each row.
  const compiled = query
    .insertInto(table)
    .values(blank as Insertable<Database[Table]>)
    .compile()
  return (row) => {
    const parameters = columns.map((column) => row[column])
    return { compile: () => ({ ...compiled, parameters }) }
  }
}

/** An update of one record, by its id, that is compiled once, as {@link insertInto}. Rows have all of `columns`. */
export function updateRecordById(
  columns: readonly (keyof Insertable<Database['dns_records']> & string)[],
): (id: string, row: Omit<Insertable<Database['dns_records']>, 'id'>) => Compilable<unknown> {
  const blank = Object.fromEntries(columns.map((column) => [column, null]))
  const compiled = query
    .updateTable('dns_records')
    // As above.
    .set(blank as Partial<Insertable<Database['dns_records']>>)
    .where('id', '=', '')
    .compile()
  return (id, row) => {
    const values: Readonly<Record<string, unknown>> = row
    const parameters = [...columns.map((column) => values[column]), id]
    return { compile: () => ({ ...compiled, parameters }) }
  }
}

export { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
