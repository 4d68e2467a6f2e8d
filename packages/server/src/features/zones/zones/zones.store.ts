// Rows of zones.
import { chunksOf, yieldNow } from '@zonereeve/cooperate'
import type { Name } from '@zonereeve/dns'
import type { Reach } from '@zonereeve/platform'
import {
  countRows,
  type Database,
  exactTextMatch,
  type Expression,
  type ExpressionBuilder,
  oneRow,
  prepare,
  query,
  type Reader,
  sql,
  type SqlBool,
  tables,
  textMatch,
  type Transaction,
} from '@zonereeve/storage'
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
  /** Custom name servers, answered instead of the assigned ones if there are any. */
  readonly vanityNameServers: readonly string[]
  readonly serial: number
  readonly recordCount: number
  readonly addressCount: number
  readonly createdOn: string
  readonly modifiedOn: string
  readonly activatedOn: string | null
}

const zones = tables.zones.of<Zone>()
const zoneSerials = tables.zone_serials.of<Pick<Zone, 'name' | 'serial'>>()

export interface ZoneInAccount extends Zone {
  readonly accountName: string
}

export type TextOperator = 'equal' | 'not_equal' | 'starts_with' | 'ends_with' | 'contains'

export interface TextFilter {
  readonly operator: TextOperator
  /** Lower case, unless the operator is case-sensitive. */
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

export const findZone = (db: Reader, id: string): Promise<Zone | undefined> => zones.find(db, { id })

export const findZoneInAccount = (db: Reader, id: string): Promise<ZoneInAccount | undefined> =>
  zones.first(db, withAccount().where('zones.id', '=', id), inAccount)

/** The zones with these IDs: as many as fit a statement. Those that cannot be read are left out. */
export async function findZonesInAccount(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ZoneInAccount>> {
  if (ids.length === 0) return new Map()
  const found = await zones.readable(db, withAccount().where('zones.id', 'in', ids), inAccount)
  return new Map(found.map((zone) => [zone.id, zone]))
}

export const findZoneByName = (db: Reader, name: Name): Promise<Zone | undefined> => zones.find(db, { name })

/** Zones that {@link findZones} reads at once. */
const ZONES_IN_A_STATEMENT = 500

const rowsOfZones = prepare(
  ({ ids }: { ids: readonly string[] }) => query.selectFrom('zones').selectAll().where('id', 'in', ids),
  { ids: ZONES_IN_A_STATEMENT },
)

/** The zones with these IDs, without those that cannot be read. */
export async function findZones(db: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, Zone>> {
  const found = new Map<string, Zone>()
  for (const some of chunksOf(ids, ZONES_IN_A_STATEMENT))
    for (const zone of await zones.readable(db, rowsOfZones({ ids: some }))) found.set(zone.id, zone)
  return found
}

/** Rows of zones that are read at once. */
const ZONES_IN_A_PAGE = 1_000

/**
 * All needed zones by name, some at a time. Calls `skipped` with each one that cannot be read.
 *
 * @param isNeeded called with the ID of each zone.
 */
export async function* eachZone(
  db: Reader,
  skipped: (zone: { readonly id: string; readonly name: Name }) => void,
  isNeeded: (id: string) => boolean = () => true,
): AsyncGenerator<Zone, void, undefined> {
  const page = query.selectFrom('zones').selectAll().orderBy('name').limit(ZONES_IN_A_PAGE)
  let rows = await db.all(page)
  for (;;) {
    for (const row of rows) {
      if (!isNeeded(row.id)) continue
      const zone = readOrSkip(db, row)
      if (zone === undefined) skipped({ id: row.id, name: row.name as Name }) // as in fromRow
      else yield zone
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < ZONES_IN_A_PAGE) return
    rows = await db.all(page.where('name', '>', last.name))
  }
}

function readOrSkip(db: Reader, row: Parameters<typeof zones.read>[1]): Zone | undefined {
  try {
    return zones.read(db, row)
  } catch {
    return undefined // reported by the decoder
  }
}

/** A zone, and the number of its last change; 0 if the log has none. */
export interface ZoneAtChange {
  readonly id: string
  readonly accountId: string
  readonly change: number
}

/** Zones within reach by name, some at a time. */
export async function* zonesAtChange(
  db: Reader,
  reaches: readonly Reach[],
): AsyncGenerator<readonly ZoneAtChange[], void, undefined> {
  const page = query
    .selectFrom('zones')
    .select([
      'zones.id as id',
      'zones.account_id as accountId',
      'zones.name as name',
      sql<number>`coalesce((SELECT max(changes.number) FROM changes WHERE changes.scope_id = zones.id), 0)`.as(
        'change',
      ),
    ])
    .where((eb) => eb.or(reaches.map((reach) => withinReach(eb, reach))))
    .orderBy('zones.name')
    .limit(ZONES_IN_A_PAGE)
  let rows = await db.all(page)
  for (;;) {
    yield rows.map(({ id, accountId, change }) => ({ id, accountId, change: Number(change) }))
    const last = rows.at(-1)
    if (last === undefined || rows.length < ZONES_IN_A_PAGE) return
    await yieldNow()
    rows = await db.all(page.where('zones.name', '>', last.name))
  }
}

/** IDs of zones within reach, of some if there are more. */
export async function zoneIdsWithin(db: Reader, reaches: readonly Reach[], limit: number): Promise<string[]> {
  const rows = query
    .selectFrom('zones')
    .select('zones.id as id')
    .where((eb) => eb.or(reaches.map((reach) => withinReach(eb, reach))))
    .limit(limit)
  return (await db.all(rows)).map(({ id }) => id)
}

export async function zonesOfAccount(db: Reader, accountId: string): Promise<Zone[]> {
  const rows = query.selectFrom('zones').selectAll().where('account_id', '=', accountId).orderBy('name')
  return zones.readable(db, rows)
}

/** Records in all zones of an account, by the zones' own counts. */
export async function countAccountRecords(db: Reader, accountId: string): Promise<number> {
  const summed = query
    .selectFrom('zones')
    .select(sql<number>`coalesce(sum(record_count), 0)`.as('count'))
    .where('account_id', '=', accountId)
  return Number((await oneRow(db, summed)).count)
}

/**
 * Zones within reach that match the filters: a page of them, and their number.
 * Every zone has an account. Joined from the left, zones are read in the order of their names; databases might otherwise
 * begin with the account, and sort all of its zones for the first page.
 */
export async function listZones(
  db: Reader,
  reaches: readonly Reach[],
  desired: ZoneQuery,
): Promise<{ zones: ZoneInAccount[]; totalCount: number }> {
  const where = (eb: ZoneExpressions) =>
    eb.and([eb.or(reaches.map((reach) => withinReach(eb, reach))), passes(eb, desired)])
  const direction = desired.descending ? 'desc' : 'asc'
  const page = query
    .selectFrom('zones')
    .leftJoin('accounts', 'accounts.id', 'zones.account_id')
    .selectAll('zones')
    .select(({ ref }) => ref('accounts.name').$notNull().as('account_name'))
    .where(where)
    .orderBy(ORDER_COLUMNS[desired.order], direction)
    .orderBy('zones.name', direction)
    .limit(desired.limit)
    .offset(desired.offset)
  // Without a join: SQLite would look up the account of each zone, also if nothing asks about it.
  const matching = query.selectFrom('zones').where(where)
  return { zones: await zones.readable(db, page, inAccount), totalCount: await countRows(db, matching) }
}

export const insertZone = (tx: Transaction, zone: Zone): Promise<void> => zones.insert(tx, zone)

export const updateZone = (tx: Transaction, zone: Zone): Promise<void> => zones.update(tx, zone)

/** Deletes the zone, and keeps its serial for a later zone of the same name. */
export async function deleteZone(tx: Transaction, { id, name, serial }: Zone): Promise<void> {
  await zones.remove(tx, { id })
  await zoneSerials.save(tx, { name, serial })
}

/** The last serial of the last deleted zone of this name; undefined if there was none. */
export async function lastSerialOf(db: Reader, name: Name): Promise<number | undefined> {
  return (await zoneSerials.find(db, { name }))?.serial
}

type ZoneExpressions = ExpressionBuilder<Pick<Database, 'zones' | 'accounts'>, 'zones'>

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

function passes(eb: ZoneExpressions, desired: ZoneQuery) {
  const conditions = [
    ...(desired.name === undefined ? [] : [compare(eb.ref('zones.name'), desired.name)]),
    ...(desired.accountName === undefined ? [] : [accountPasses(eb, desired.accountName)]),
    ...(desired.accountId === undefined ? [] : [eb('zones.account_id', '=', desired.accountId)]),
    ...(desired.status === undefined ? [] : [eb('zones.status', '=', desired.status)]),
    ...(desired.types === undefined ? [] : [eb('zones.type', 'in', desired.types)]),
  ]
  if (conditions.length === 0) return eb.lit(true)
  return desired.match === 'any' ? eb.or(conditions) : eb.and(conditions)
}

const accountPasses = (eb: ZoneExpressions, filter: TextFilter) =>
  eb('zones.account_id', 'in', ({ selectFrom }) =>
    selectFrom('accounts')
      .select('accounts.id')
      .where((of) =>
        compare(of.ref(filter.caseSensitive ? 'accounts.name' : 'accounts.name_search'), filter),
      ),
  )

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

const inAccount = (zone: Zone, row: { readonly account_name: string }): ZoneInAccount => ({
  ...zone,
  accountName: row.account_name,
})
