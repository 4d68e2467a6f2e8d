// The audit log in the database: entries are appended, read by number or filters, and deleted from the start.
import { hash } from 'node:crypto'
import { CHAIN_START, linkHash, type AuditEntry, type LinkedEntry } from '@zonereeve/audit'
import {
  countRows,
  placeIn,
  prepare,
  query,
  readAt,
  type Reader,
  sql,
  tables,
  type Transaction,
} from '@zonereeve/storage'

const entries = tables.audit_log.of<LinkedEntry>()
const starts = tables.audit_log_start.of<{
  readonly id: number
  readonly number: number
  readonly hash: string
}>()
const START_ID = 1

/** An entry by its number and hash; number 0 stands before the first. */
export interface LogEnd {
  readonly number: number
  readonly hash: string
}

export const sha256 = (text: string): string => hash('sha256', text, 'hex')

/** The last entry, as units of a transaction know it. Nothing else is appended while one runs. */
const knownEnds = new WeakMap<object, LogEnd>()
/** What the units of a transaction share. */
const keyOf = (tx: Reader): object => tx.memory ?? tx

/** Appends an entry, in the transaction of what it is about. */
export async function appendEntry(tx: Transaction, entry: Omit<AuditEntry, 'number'>): Promise<void> {
  const last = knownEnds.get(keyOf(tx)) ?? (await lastEntry(tx))
  const number = last.number + 1
  // Not spread: that would take several times as long (ADR 151).
  const linked = Object.assign({ number, hash: '' }, entry)
  linked.hash = linkHash(sha256, last.hash, linked)
  knownEnds.set(keyOf(tx), { number, hash: linked.hash })
  await entries.insert(tx, linked)
}

/** Reads the end of the log for entries that the unit appends later. */
export async function readEnd(tx: Reader): Promise<void> {
  if (knownEnds.has(keyOf(tx))) return
  knownEnds.set(keyOf(tx), await readAt(tx, placeIn('audit_log'), () => lastEntry(tx)))
}

/** The last entry; that before the first if there is none. */
export async function lastEntry(db: Reader): Promise<LogEnd> {
  return (await db.first(newest({}))) ?? logStart(db)
}

const newest = prepare(() =>
  query.selectFrom('audit_log').select(['number', 'hash']).orderBy('number', 'desc').limit(1),
)

/** The last entry that was deleted, to which the first one is linked. */
export async function logStart(db: Reader): Promise<LogEnd> {
  const start = await starts.find(db, { id: START_ID })
  return start === undefined ? { number: 0, hash: CHAIN_START } : { number: start.number, hash: start.hash }
}

/** Entries after a number, oldest first, each with the hash before it. */
export async function entriesAfter(
  db: Reader,
  number: number,
  limit: number,
): Promise<{ readonly entry: LinkedEntry; readonly previousHash: string }[]> {
  const rows = await entriesOf(db, undefined, number, limit)
  const [first] = rows
  if (first === undefined) return []
  let previousHash = await hashBefore(db, first.number)
  return rows.map((entry) => {
    const linked = { entry, previousHash }
    previousHash = entry.hash
    return linked
  })
}

/** Entries after a number, oldest first: all, or those about changes of one zone. */
export const entriesOf = (
  db: Reader,
  zoneId: string | undefined,
  number: number,
  limit: number,
): Promise<LinkedEntry[]> => {
  const after = query.selectFrom('audit_log').selectAll().where('number', '>', number)
  const chosen =
    zoneId === undefined ? after : after.where('zone_id', '=', zoneId).where('succeeded', '=', 1 as never) // a flag
  return entries.all(db, chosen.orderBy('number').limit(limit))
}

/** Entries of an account after a number, oldest first. */
export const entriesOfAccount = (
  db: Reader,
  accountId: string,
  number: number,
  limit: number,
): Promise<LinkedEntry[]> =>
  entries.all(
    db,
    query
      .selectFrom('audit_log')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('number', '>', number)
      .orderBy('number')
      .limit(limit),
  )

async function hashBefore(db: Reader, number: number): Promise<string> {
  const before = await db.first(
    query
      .selectFrom('audit_log')
      .select('hash')
      .where('number', '=', number - 1),
  )
  return before?.hash ?? (await logStart(db)).hash
}

/** Every member is optional; an entry must match all that are given. */
export interface AuditFilter {
  readonly number?: number | undefined
  readonly action?: string | undefined
  readonly address?: string | undefined
  readonly actorName?: string | undefined
  readonly zoneName?: string | undefined
  readonly since?: string | undefined
  readonly before?: string | undefined
  /** Only entries that belong to the account. */
  readonly accountOnly: boolean
}

/** A page of a list. */
export interface AuditPage {
  readonly offset: number
  readonly limit: number
  readonly direction: 'asc' | 'desc'
}

/** Entries of an account, and those that belong to none; and the number of all that match. */
export async function findEntries(
  db: Reader,
  accountId: string,
  filter: AuditFilter,
  { offset, limit, direction }: AuditPage,
): Promise<{ entries: LinkedEntry[]; totalCount: number }> {
  const matching = query.selectFrom('audit_log').where((where) => where.and(conditions(accountId, filter)))
  const page = matching.selectAll().orderBy('number', direction).offset(offset).limit(limit)
  return { entries: await entries.all(db, page), totalCount: await countRows(db, matching) }
}

function conditions(accountId: string, filter: AuditFilter) {
  const { number, action, address, actorName, zoneName, since, before, accountOnly } = filter
  return [
    accountOnly
      ? sql<boolean>`account_id = ${accountId}`
      : sql<boolean>`(account_id = ${accountId} or account_id is null)`,
    ...(number === undefined ? [] : [sql<boolean>`number = ${number}`]),
    ...(action === undefined ? [] : [sql<boolean>`action = ${action}`]),
    ...(address === undefined ? [] : [sql<boolean>`address = ${address}`]),
    ...(actorName === undefined ? [] : [sql<boolean>`lower(actor_name) = ${actorName.toLowerCase()}`]),
    ...(zoneName === undefined ? [] : [sql<boolean>`zone_name = ${zoneName.toLowerCase()}`]),
    ...(since === undefined ? [] : [sql<boolean>`at >= ${since}`]),
    ...(before === undefined ? [] : [sql<boolean>`at < ${before}`]),
  ]
}

/** The account and name of a zone; undefined if it does not exist. */
export const findZoneNames = (db: Reader, id: string) => zoneNames.find(db, { id })

const zoneNames = tables.zones
  .only('id', 'account_id', 'name')
  .of<{ readonly id: string; readonly accountId: string; readonly name: string }>()

export const isAccount = async (db: Reader, id: string): Promise<boolean> =>
  (await db.first(accountWithId({ id }))) !== undefined

const accountWithId = prepare(({ id }: { id: string }) =>
  query.selectFrom('accounts').select('id').where('id', '=', id),
)

/**
 * Deletes up to `limit` entries from the start that are older than `before`. The start moves first, in the same
 * transaction.
 *
 * @returns the number of deleted entries.
 */
export async function deleteEntriesBefore(tx: Transaction, before: string, limit: number): Promise<number> {
  const rows = await tx.all(
    query.selectFrom('audit_log').select(['number', 'hash', 'at']).orderBy('number').limit(limit),
  )
  const end = rows.findIndex(({ at }) => at >= before)
  const last = (end === -1 ? rows : rows.slice(0, end)).at(-1)
  if (last === undefined) return 0
  await starts.save(tx, { id: START_ID, number: last.number, hash: last.hash })
  return tx.run(query.deleteFrom('audit_log').where('number', '<=', last.number))
}
