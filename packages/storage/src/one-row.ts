// Queries that always return one row: counts, sums, maxima.
import { sql, type Compilable, type SelectQueryBuilder } from 'kysely'
import type { Reader } from './storage.ts'

/** @throws Error: the query returned no row. */
export async function oneRow<Row>(db: Pick<Reader, 'first'>, query: Compilable<Row>): Promise<Row> {
  const row = await db.first(query)
  if (row === undefined) throw new Error(`no row of a query that always finds one: ${query.compile().sql}`)
  return row
}

/** Number of rows of a query without a selection. */
export async function countRows<Tables, Table extends keyof Tables>(
  db: Pick<Reader, 'first'>,
  rows: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const counted = rows.select(sql<number>`count(*)`.as('count'))
  return (await oneRow(db, counted as unknown as Compilable<{ readonly count: number }>)).count // as selected
}
