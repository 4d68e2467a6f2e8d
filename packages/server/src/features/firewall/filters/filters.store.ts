// Rows of filters. An unreadable filter must not silently drop out of decisions: reads that need it fail.
import { exactTextMatch, query, type Reader, sql, tables, type Transaction } from '@zonereeve/storage'
import { type ListScope, zonesIn } from '../lists/index.ts'

export interface Filter {
  readonly id: string
  readonly expression: string
  readonly paused: boolean
  /** null = not set. */
  readonly description: string | null
  /** null = not set. */
  readonly ref: string | null
}

const filters = tables.filters.beside('zone_id').of<Filter>()

export const filtersOf = (db: Reader, zoneId: string): Promise<Filter[]> =>
  filters.all(db, query.selectFrom('filters').selectAll().where('zone_id', '=', zoneId).orderBy('id'))

export const findFilter = (db: Reader, zoneId: string, id: string): Promise<Filter | undefined> =>
  filters.find(db, { zoneId, id })

export const findFilterByExpression = (
  db: Reader,
  zoneId: string,
  expression: string,
): Promise<Filter | undefined> => filters.find(db, { zoneId, expression })

/** The filters that may name a list. */
export const filtersWithLists = (db: Reader, scope: ListScope): Promise<Filter[]> =>
  filters.all(
    db,
    query
      .selectFrom('filters')
      .selectAll()
      .where('zone_id', 'in', zonesIn(scope))
      .where(exactTextMatch(sql.ref<string>('expression'), '$', 'anywhere')),
  )

export const countFilters = (db: Reader, zoneId: string): Promise<number> => filters.count(db, { zoneId })

export const insertFilter = (tx: Transaction, zoneId: string, filter: Filter): Promise<void> =>
  filters.insert(tx, { ...filter, zoneId })

export const updateFilter = (tx: Transaction, filter: Filter): Promise<void> => filters.update(tx, filter)

export const deleteFilter = (tx: Transaction, id: string): Promise<number> => filters.remove(tx, { id })

export const deleteFilters = (tx: Transaction, zoneId: string): Promise<number> =>
  filters.remove(tx, { zoneId })
