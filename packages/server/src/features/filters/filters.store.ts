// Rows of filters.
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'

export interface Filter {
  readonly id: string
  readonly expression: string
  readonly paused: boolean
  /** null = never given. */
  readonly description: string | null
  /** null = never given. */
  readonly ref: string | null
}

export async function filtersOf(db: Reader, zoneId: string): Promise<Filter[]> {
  const rows = query.selectFrom('filters').selectAll().where('zone_id', '=', zoneId).orderBy('id')
  return (await db.all(rows)).map(fromRow)
}

export async function findFilter(db: Reader, zoneId: string, id: string): Promise<Filter | undefined> {
  const row = await db.first(
    query.selectFrom('filters').selectAll().where('zone_id', '=', zoneId).where('id', '=', id),
  )
  return row && fromRow(row)
}

export async function findFilterByExpression(
  db: Reader,
  zoneId: string,
  expression: string,
): Promise<Filter | undefined> {
  const rows = query.selectFrom('filters').selectAll().where('zone_id', '=', zoneId)
  const row = await db.first(rows.where('expression', '=', expression))
  return row && fromRow(row)
}

export async function countFilters(db: Reader, zoneId: string): Promise<number> {
  const counted = query.selectFrom('filters').select(({ fn }) => fn.countAll<number>().as('count'))
  return (await db.first(counted.where('zone_id', '=', zoneId)))?.count ?? 0
}

export async function insertFilter(tx: Transaction, zoneId: string, filter: Filter): Promise<void> {
  await tx.run(query.insertInto('filters').values({ id: filter.id, zone_id: zoneId, ...columns(filter) }))
}

export async function updateFilter(tx: Transaction, filter: Filter): Promise<void> {
  await tx.run(query.updateTable('filters').set(columns(filter)).where('id', '=', filter.id))
}

export async function deleteFilter(tx: Transaction, id: string): Promise<void> {
  await tx.run(query.deleteFrom('filters').where('id', '=', id))
}

export async function deleteFilters(tx: Transaction, zoneId: string): Promise<void> {
  await tx.run(query.deleteFrom('filters').where('zone_id', '=', zoneId))
}

function columns(filter: Filter): Omit<Database['filters'], 'id' | 'zone_id'> {
  return {
    expression: filter.expression,
    paused: filter.paused ? 1 : 0,
    description: filter.description,
    ref: filter.ref,
  }
}

function fromRow(row: Database['filters']): Filter {
  return {
    id: row.id,
    expression: row.expression,
    paused: row.paused === 1,
    description: row.description,
    ref: row.ref,
  }
}
