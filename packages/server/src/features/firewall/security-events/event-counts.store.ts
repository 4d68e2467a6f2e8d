// Counts of security events: over time by action, and by the most frequent values of a column.
import { query, type Reader } from '@zonereeve/storage'
import type { EventSource } from '@zonereeve/firewall'
import { conditions, type Columns } from './security-events.store.ts'
import type { EventFilter } from './security-event.rules.ts'

export interface CountedRange {
  readonly filter: EventFilter
  /** Events before this time are expired and not counted. */
  readonly keptSince: string
}

const matching =
  ({ filter, keptSince }: CountedRange) =>
  (eb: Columns) =>
    eb.and([...conditions(eb, filter), eb('at', '>=', keptSince)])

export interface CountedUnit {
  /** The beginning of the time, as far as units differ: `2026-01-05T10:20`. */
  readonly unit: string
  readonly action: string
  readonly events: number
}

/** @param digits characters of the time in which two units differ. */
export const countByTime = (
  db: Reader,
  zoneId: string,
  range: CountedRange,
  digits: number,
): Promise<readonly CountedUnit[]> =>
  db.all(
    query
      .selectFrom('security_events')
      .select(({ fn, val }) => [
        'action',
        fn<string>('substr', ['at', val(1), val(digits)]).as('unit'),
        fn.countAll<number>().as('events'),
      ])
      .where('zone_id', '=', zoneId)
      .where(matching(range))
      .groupBy(['unit', 'action']),
  )

const COUNTED = ['action', 'source', 'host', 'path', 'method', 'ip'] as const
export type CountedColumn = (typeof COUNTED)[number]
export interface CountedValue {
  readonly value: string
  readonly events: number
}

const TOP = 10

/** Most frequent first. */
const countBy = (
  db: Reader,
  zoneId: string,
  range: CountedRange,
  column: CountedColumn,
): Promise<CountedValue[]> =>
  db.all(
    query
      .selectFrom('security_events')
      .select(({ fn, ref }) => [ref(column).as('value'), fn.countAll<number>().as('events')])
      .where('zone_id', '=', zoneId)
      .where(matching(range))
      .groupBy(column)
      .orderBy('events', 'desc')
      .orderBy('value')
      .limit(TOP),
  )

export interface CountedRule extends CountedValue {
  readonly description: string | null
  readonly source: EventSource
}

/** A rule may have had several descriptions. */
const countRules = async (db: Reader, zoneId: string, range: CountedRange): Promise<CountedRule[]> => {
  const counted = await db.all(
    query
      .selectFrom('security_events')
      .select(({ fn, ref }) => [
        ref('rule_id').as('value'),
        fn.max('number').as('newest'),
        fn.countAll<number>().as('events'),
      ])
      .where('zone_id', '=', zoneId)
      .where(matching(range))
      .groupBy('rule_id')
      .orderBy('events', 'desc')
      .orderBy('value')
      .limit(TOP),
  )
  const rows = await db.all(
    query
      .selectFrom('security_events')
      .select(['number', 'description', 'source'])
      .where(
        'number',
        'in',
        counted.map(({ newest }) => newest),
      ),
  )
  const byNumber = new Map(rows.map(({ number, ...last }) => [number, last]))
  return counted.flatMap(({ value, events, newest }) => {
    const last = byNumber.get(newest)
    if (last === undefined) return [] // deleted in between
    return [{ value, events, description: last.description, source: last.source as EventSource }] // as inserted
  })
}

export type TopValues = Readonly<Record<CountedColumn, CountedValue[]>> & {
  readonly rules: CountedRule[]
}

export async function topValues(db: Reader, zoneId: string, range: CountedRange): Promise<TopValues> {
  const columns = COUNTED.map(async (column) => [column, await countBy(db, zoneId, range, column)] as const)
  const rules = await countRules(db, zoneId, range)
  // One list for each column.
  const lists = Object.fromEntries(await Promise.all(columns)) as Record<CountedColumn, CountedValue[]>
  return { ...lists, rules }
}
