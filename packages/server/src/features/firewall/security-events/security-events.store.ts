// Rows of security events.
import {
  type Database,
  type Expression,
  type ExpressionBuilder,
  query,
  type Reader,
  type SqlBool,
  tables,
  type Transaction,
} from '@zonereeve/storage'
import { EXCLUDABLE } from './security-event.rules.ts'
import type { EventFilter, EventPlace, ExcludableMember, SecurityEvent } from './security-event.rules.ts'

export interface NumberedEvent extends SecurityEvent {
  readonly number: number
}

const events = tables.security_events.beside('zone_id').of<SecurityEvent>()

/** @returns false if the ray ID is already taken; then nothing is written. */
export const insertEvent = (tx: Transaction, zoneId: string, event: SecurityEvent): Promise<boolean> =>
  events.insertNew(tx, { ...event, zoneId })

export interface EventQuery {
  readonly filter: EventFilter
  /** Events before this time are expired and not listed. */
  readonly keptSince: string
  readonly after: EventPlace | undefined
  readonly limit: number
}

export type Columns = ExpressionBuilder<Database, 'security_events'>

/** Newest first. */
export async function listEvents(
  db: Reader,
  zoneId: string,
  { filter, keptSince, after, limit }: EventQuery,
): Promise<readonly NumberedEvent[]> {
  const rows = query
    .selectFrom('security_events')
    .selectAll()
    .where('zone_id', '=', zoneId)
    .where((eb) => eb.and([...conditions(eb, filter), eb('at', '>=', keptSince)]))
    .where((eb) =>
      after === undefined
        ? eb.and([])
        : // If it is the only condition, the first one limits the index scan.
          eb.and([
            eb('at', '<=', after.at),
            eb.or([eb('at', '<', after.at), eb('number', '<', after.number)]),
          ]),
    )
    .orderBy('at', 'desc')
    .orderBy('number', 'desc')
    .limit(limit)
  return events.all(db, rows, (event, { number }) => ({ number, ...event }))
}

export function conditions(eb: Columns, filter: EventFilter): Expression<SqlBool>[] {
  const { action, source, ruleId, rulesetId, rayId, host, path, method, ip, since, until, not = {} } = filter
  return [
    ...(action === undefined ? [] : [eb('action', '=', action)]),
    ...(source === undefined ? [] : [eb('source', '=', source)]),
    ...(ruleId === undefined ? [] : [eb('rule_id', '=', ruleId)]),
    ...(rulesetId === undefined ? [] : [eb('ruleset_id', '=', rulesetId)]),
    ...(rayId === undefined ? [] : [eb('ray_id', '=', rayId)]),
    ...(host === undefined ? [] : [eb('host', '=', host)]),
    ...(path === undefined ? [] : [eb('path', '=', path)]),
    ...(method === undefined ? [] : [eb('method', '=', method)]),
    ...(ip === undefined ? [] : [eb('ip', '=', ip)]),
    ...(since === undefined ? [] : [eb('at', '>=', since)]),
    ...(until === undefined ? [] : [eb('at', '<', until)]),
    ...EXCLUDABLE.flatMap((member) => {
      const values = not[member]
      return values === undefined ? [] : [isNoneOf(eb, COLUMNS[member], values)]
    }),
  ]
}

const COLUMNS = {
  action: 'action',
  source: 'source',
  ruleId: 'rule_id',
  rulesetId: 'ruleset_id',
  host: 'host',
  path: 'path',
  method: 'method',
  ip: 'ip',
} as const satisfies Record<ExcludableMember, string>

/** An event without a ruleset is not of an excluded one. */
const isNoneOf = (
  eb: Columns,
  column: (typeof COLUMNS)[ExcludableMember],
  values: readonly string[],
): Expression<SqlBool> =>
  column === 'ruleset_id'
    ? eb.or([eb(column, 'is', null), eb(column, 'not in', values)])
    : eb(column, 'not in', values)

/** The first zone after `zoneId`, in ID order, that has events. */
export async function nextZoneWithEvents(db: Reader, zoneId: string): Promise<string | undefined> {
  const next = query.selectFrom('security_events').select('zone_id').where('zone_id', '>', zoneId)
  return (await db.first(next.orderBy('zone_id').limit(1)))?.zone_id
}

/** Time of the newest event over the limit; undefined if the limit is not exceeded. */
export async function surplusSince(
  db: Reader,
  zoneId: string,
  maxEvents: number,
): Promise<string | undefined> {
  const own = query.selectFrom('security_events').select('at').where('zone_id', '=', zoneId)
  return (await db.first(own.orderBy('at', 'desc').offset(maxEvents).limit(1)))?.at
}

/**
 * Deletes the oldest events up to a time, at most `limit`.
 * @returns the number of deleted events.
 */
export async function deleteOldest(
  tx: Transaction,
  zoneId: string,
  {
    until,
    isInclusive,
    limit,
  }: { readonly until: string; readonly isInclusive: boolean; readonly limit: number },
): Promise<number> {
  const oldest = query
    .selectFrom('security_events')
    .select('number')
    .where('zone_id', '=', zoneId)
    .where('at', isInclusive ? '<=' : '<', until)
    .orderBy('at')
    .limit(limit)
  return tx.run(query.deleteFrom('security_events').where('number', 'in', oldest))
}
