// Rows of security events.
import {
  query,
  template,
  type Database,
  type Expression,
  type ExpressionBuilder,
  type Reader,
  type SqlBool,
  type Transaction,
} from '../../storage/index.ts'
import type { EventFilter, EventPlace, SecurityEvent } from './security-event.rules.ts'

export interface NumberedEvent extends SecurityEvent {
  readonly number: number
}

const insertion = template(
  query
    .insertInto('security_events')
    .values({
      zone_id: '',
      ray_id: '',
      at: '',
      action: '',
      source: '',
      level: null,
      phase: null,
      ruleset_id: null,
      rule_id: '',
      description: null,
      expression: null,
      matched_field: null,
      method: '',
      host: '',
      path: '',
      ip: '',
    })
    .onConflict((conflict) => conflict.column('ray_id').doNothing()),
)

/** @returns false where another request has the ray id: nothing is written then. */
export async function insertEvent(tx: Transaction, zoneId: string, event: SecurityEvent): Promise<boolean> {
  const { rayId, at, action, source, level, phase, rulesetId, ruleId } = event
  const { description, expression, matchedField, method, host, path, ip } = event
  const place = [level, phase, rulesetId, ruleId, description, expression, matchedField]
  return (
    (await tx.run(insertion([zoneId, rayId, at, action, source, ...place, method, host, path, ip]))) === 1
  )
}

export interface EventQuery {
  readonly filter: EventFilter
  /** Events from here on are too old to be told. */
  readonly keptSince: string
  readonly after: EventPlace | undefined
  readonly limit: number
}

type Columns = ExpressionBuilder<Database, 'security_events'>

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
        : // Alone, the first of them bounds the walk of an index.
          eb.and([
            eb('at', '<=', after.at),
            eb.or([eb('at', '<', after.at), eb('number', '<', after.number)]),
          ]),
    )
    .orderBy('at', 'desc')
    .orderBy('number', 'desc')
    .limit(limit)
  return (await db.all(rows)).map(fromRow)
}

function conditions(eb: Columns, filter: EventFilter): Expression<SqlBool>[] {
  const { action, source, ruleId, rulesetId, rayId, host, path, method, ip, since, until } = filter
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
  ]
}

/** The first zone behind `zoneId`, in the order of identifiers, that has events. */
export async function nextZoneWithEvents(db: Reader, zoneId: string): Promise<string | undefined> {
  const next = query.selectFrom('security_events').select('zone_id').where('zone_id', '>', zoneId)
  return (await db.first(next.orderBy('zone_id').limit(1)))?.zone_id
}

/** When the newest event happened that is one too many; undefined where there is room. */
export async function surplusSince(
  db: Reader,
  zoneId: string,
  maxEvents: number,
): Promise<string | undefined> {
  const own = query.selectFrom('security_events').select('at').where('zone_id', '=', zoneId)
  return (await db.first(own.orderBy('at', 'desc').offset(maxEvents).limit(1)))?.at
}

/** Deletes the oldest events up to a time, `limit` at most. @returns how many. */
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

function fromRow(
  row: Omit<Database['security_events'], 'number'> & { readonly number: number },
): NumberedEvent {
  return {
    number: row.number,
    rayId: row.ray_id,
    at: row.at,
    action: row.action as SecurityEvent['action'], // written by insertEvent
    source: row.source as SecurityEvent['source'], // the same
    level: row.level as SecurityEvent['level'], // the same
    phase: row.phase,
    rulesetId: row.ruleset_id,
    ruleId: row.rule_id,
    description: row.description,
    expression: row.expression,
    matchedField: row.matched_field,
    method: row.method,
    host: row.host,
    path: row.path,
    ip: row.ip,
  }
}
