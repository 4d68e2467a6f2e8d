// Rows of zones.
import type { Name } from '@zonereeve/dns'
import type { Reach } from '../../platform/caller.ts'
import {
  exactTextMatch,
  query,
  sql,
  textMatch,
  type Database,
  type Expression,
  type ExpressionBuilder,
  type Reader,
  type SqlBool,
  type Transaction,
} from '../../storage/index.ts'
import type { Plan, ZoneStatus, ZoneType } from './zones.rules.ts'

export interface Zone {
  readonly id: string
  readonly accountId: string
  readonly name: Name
  readonly displayName: string
  readonly status: ZoneStatus
  readonly paused: boolean
  readonly type: ZoneType
  readonly plan: Plan
  /** Assigned when the zone was created. */
  readonly nameServers: readonly string[]
  /** The zone's own, answered in their place where there are any. */
  readonly vanityNameServers: readonly string[]
  readonly serial: number
  readonly recordCount: number
  readonly addressCount: number
  readonly createdOn: string
  readonly modifiedOn: string
  readonly activatedOn: string | null
}

export interface ZoneInAccount extends Zone {
  readonly accountName: string
}

export type TextOperator = 'equal' | 'not_equal' | 'starts_with' | 'ends_with' | 'contains'

export interface TextFilter {
  readonly operator: TextOperator
  /** Lower case, unless the case counts. */
  readonly value: string
  readonly caseSensitive: boolean
}

export interface ZoneQuery {
  readonly name?: TextFilter
  readonly accountName?: TextFilter
  readonly accountId?: string
  readonly status?: ZoneStatus
  readonly types?: readonly string[]
  readonly match: 'any' | 'all'
  readonly order: 'name' | 'status' | 'account.id' | 'account.name' | 'plan.id'
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

const ORDER_COLUMNS = {
  name: 'zones.name',
  status: 'zones.status',
  'account.id': 'zones.account_id',
  'account.name': 'accounts.name',
  'plan.id': 'zones.plan',
} as const

export async function findZone(db: Reader, id: string): Promise<Zone | undefined> {
  const row = await db.first(query.selectFrom('zones').selectAll().where('id', '=', id))
  return row && fromRow(row)
}

export async function findZoneInAccount(db: Reader, id: string): Promise<ZoneInAccount | undefined> {
  const row = await db.first(withAccount().where('zones.id', '=', id))
  return row && { ...fromRow(row), accountName: row.account_name }
}

export async function findZoneByName(db: Reader, name: Name): Promise<Zone | undefined> {
  const row = await db.first(query.selectFrom('zones').selectAll().where('name', '=', name))
  return row && fromRow(row)
}

export async function allZones(db: Reader): Promise<Zone[]> {
  return (await db.all(query.selectFrom('zones').selectAll().orderBy('name'))).map(fromRow)
}

export async function zonesOfAccount(db: Reader, accountId: string): Promise<Zone[]> {
  const rows = query.selectFrom('zones').selectAll().where('account_id', '=', accountId).orderBy('name')
  return (await db.all(rows)).map(fromRow)
}

/** Records in all zones of an account, by the zones' own counts. */
export async function countAccountRecords(db: Reader, accountId: string): Promise<number> {
  const summed = query
    .selectFrom('zones')
    .select(({ fn }) => fn.sum<number | null>('record_count').as('count'))
    .where('account_id', '=', accountId)
  return Number((await db.first(summed))?.count ?? 0)
}

/** Zones within reach that pass the filters: a page of them, and how many there are. */
export async function listZones(
  db: Reader,
  reaches: readonly Reach[],
  wanted: ZoneQuery,
): Promise<{ zones: ZoneInAccount[]; totalCount: number }> {
  const where = (eb: ZoneExpressions) =>
    eb.and([eb.or(reaches.map((reach) => withinReach(eb, reach))), passes(eb, wanted)])
  const direction = wanted.descending ? 'desc' : 'asc'
  const rows = await db.all(
    withAccount()
      .where(where)
      .orderBy(ORDER_COLUMNS[wanted.order], direction)
      .orderBy('zones.name', direction)
      .limit(wanted.limit)
      .offset(wanted.offset),
  )
  const counted = await db.first(
    query
      .selectFrom('zones')
      .innerJoin('accounts', 'accounts.id', 'zones.account_id')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(where),
  )
  return {
    zones: rows.map((row) => ({ ...fromRow(row), accountName: row.account_name })),
    totalCount: counted?.count ?? 0,
  }
}

export async function insertZone(tx: Transaction, zone: Zone): Promise<void> {
  await tx.run(query.insertInto('zones').values(toRow(zone)))
}

export async function updateZone(tx: Transaction, zone: Zone): Promise<void> {
  await tx.run(query.updateTable('zones').set(toRow(zone)).where('id', '=', zone.id))
}

/** Deletes the zone, and keeps its serial for another zone of the name. */
export async function deleteZone(tx: Transaction, { id, name, serial }: Zone): Promise<void> {
  await tx.run(query.deleteFrom('zones').where('id', '=', id))
  await tx.run(
    query
      .insertInto('zone_serials')
      .values({ name, serial })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ serial })),
  )
}

/** The last serial of the zone of this name that was deleted last; undefined where there was none. */
export async function lastSerialOf(db: Reader, name: Name): Promise<number | undefined> {
  return (await db.first(query.selectFrom('zone_serials').select('serial').where('name', '=', name)))?.serial
}

type ZoneExpressions = ExpressionBuilder<Pick<Database, 'zones' | 'accounts'>, 'zones' | 'accounts'>

const withAccount = () =>
  query
    .selectFrom('zones')
    .innerJoin('accounts', 'accounts.id', 'zones.account_id')
    .selectAll('zones')
    .select('accounts.name as account_name')

function withinReach(eb: ZoneExpressions, reach: Reach) {
  const allowed = reach.everything
    ? eb.lit(true)
    : eb.or([anyOf(eb, 'zones.account_id', reach.accountIds), anyOf(eb, 'zones.id', reach.zoneIds)])
  const { withinAccountId } = reach
  return eb.and([
    allowed,
    withinAccountId === undefined ? eb.lit(true) : eb('zones.account_id', '=', withinAccountId),
    eb.not(anyOf(eb, 'zones.account_id', reach.exceptAccountIds)),
    eb.not(anyOf(eb, 'zones.id', reach.exceptZoneIds)),
  ])
}

function anyOf(eb: ZoneExpressions, column: 'zones.account_id' | 'zones.id', ids: readonly string[]) {
  return ids.length === 0 ? eb.lit(false) : eb(column, 'in', ids)
}

function passes(eb: ZoneExpressions, wanted: ZoneQuery) {
  const conditions = [
    ...(wanted.name === undefined ? [] : [compare(eb.ref('zones.name'), wanted.name)]),
    ...(wanted.accountName === undefined ? [] : [accountPasses(eb, wanted.accountName)]),
    ...(wanted.accountId === undefined ? [] : [eb('zones.account_id', '=', wanted.accountId)]),
    ...(wanted.status === undefined ? [] : [eb('zones.status', '=', wanted.status)]),
    ...(wanted.types === undefined ? [] : [eb('zones.type', 'in', wanted.types)]),
  ]
  if (conditions.length === 0) return eb.lit(true)
  return wanted.match === 'any' ? eb.or(conditions) : eb.and(conditions)
}

const accountPasses = (eb: ZoneExpressions, filter: TextFilter) =>
  compare(eb.ref(filter.caseSensitive ? 'accounts.name' : 'accounts.name_search'), filter)

function compare(subject: Expression<string>, { operator, value, caseSensitive }: TextFilter) {
  const match = caseSensitive ? exactTextMatch : textMatch
  switch (operator) {
    case 'equal':
      return sql<SqlBool>`${subject} = ${value}`
    case 'not_equal':
      return sql<SqlBool>`${subject} != ${value}`
    case 'starts_with':
      return match(subject, value, 'at-start')
    case 'ends_with':
      return match(subject, value, 'at-end')
    case 'contains':
      return match(subject, value, 'anywhere')
  }
}

function fromRow(row: Database['zones']): Zone {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name as Name, // only canonical names are stored
    displayName: row.display_name,
    status: row.status,
    paused: row.paused === 1,
    type: row.type as ZoneType, // only known types are stored
    plan: row.plan as Plan, // only known plans are stored
    nameServers: JSON.parse(row.name_servers) as string[], // written by toRow
    vanityNameServers: JSON.parse(row.vanity_name_servers) as string[], // as above
    serial: row.serial,
    recordCount: row.record_count,
    addressCount: row.address_count,
    createdOn: row.created_on,
    modifiedOn: row.modified_on,
    activatedOn: row.activated_on,
  }
}

function toRow(zone: Zone): Database['zones'] {
  return {
    id: zone.id,
    account_id: zone.accountId,
    name: zone.name,
    display_name: zone.displayName,
    status: zone.status,
    paused: zone.paused ? 1 : 0,
    type: zone.type,
    plan: zone.plan,
    name_servers: JSON.stringify(zone.nameServers),
    vanity_name_servers: JSON.stringify(zone.vanityNameServers),
    serial: zone.serial,
    record_count: zone.recordCount,
    address_count: zone.addressCount,
    created_on: zone.createdOn,
    modified_on: zone.modifiedOn,
    activated_on: zone.activatedOn,
  }
}
