// The change log: every write to a scope (a zone, an account, a user) as one change set, in the transaction that
// changes the rows. History, audit and transfers read it.
import { CHUNK_SIZE, yieldNow } from '@zonereeve/cooperate'
import { type Actor, DomainError } from '@zonereeve/platform'
import {
  collect,
  type Database,
  type LogPlace,
  noteLogPlace,
  prepare,
  query,
  type Reader,
  readLogPlace,
  type RecordsDelta,
  reserveLogPlaces,
  type ServedRecordList,
  sql,
  takeLogPlace,
  type Transaction,
} from '@zonereeve/storage'
import { addKind, auditChange, type CountedKinds, countKinds, findAuditContext } from './audit-change.ts'
import type { ChangeOp } from './change-op.ts'
import { readEnd } from './audit-log.store.ts'
import { createOpWriter, nextOrdinal, opsBackward, opsForward } from './change-ops.store.ts'
import { eventsOf } from './events.ts'

export interface ChangeSet {
  readonly scopeId: string
  readonly at: string
  readonly actor: Actor
  /** The zone's serial after the change; null outside zones. */
  readonly serial: number | null
  readonly ops: readonly ChangeOp[]
}

/** A change set and its number in its scope. */
export interface NumberedChange extends ChangeSet {
  readonly number: number
}

/** Scope and actor of a change set. */
export interface ChangeHeader extends Pick<ChangeSet, 'scopeId' | 'actor'> {
  /** Defaults to now; set if the rows share a time. */
  readonly at?: string
  readonly serial?: number | null
}

/** Appends a change set, unless it is empty. Numbers within a scope run from 1 without gaps. */
export async function append(
  tx: Transaction,
  header: ChangeHeader,
  operations: readonly ChangeOp[],
): Promise<void> {
  if (operations.length > 0) await (await beginChangeSet(tx, header)).append(operations)
}

const RETRY_AFTER_SECONDS = 2

/** This node does not write changes. */
const noWriter = (
  problem = 'this node does not write changes, and no other node does at the moment',
): DomainError =>
  new DomainError({
    reason: 'storage.unavailable',
    values: { problem },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

/** A change set to which operations are appended while they are made, so that they need not all be in memory. */
export interface OpenChangeSet extends Appending {
  /** Its place in the log. */
  readonly position: number
  /** Counts operations that another thread has written (`createRemoteChanges`). */
  addWritten(kinds: CountedKinds): void
}

export interface Appending {
  /** Passes followers on this node data that they would otherwise read from the log. */
  carry(delta: RecordsDelta): void
  /** Passes some of the added records on, before all are known; the delta has the others. Nothing is added to the list any more. */
  carryAhead?(added: ServedRecordList): void
  append(operations: readonly ChangeOp[]): Promise<void>
}

/** Begins a change set; {@link append} writes a whole one. */
export async function beginChangeSet(
  tx: Transaction,
  { scopeId, actor, at = tx.clock.timestamp(), serial = null }: ChangeHeader,
): Promise<OpenChangeSet> {
  // Nothing that other nodes follow may be written beside the writer.
  if (!tx.isWriter) throw noWriter()
  const known = takeLogPlace(tx.memory, scopeId)
  const { kind: actorKind, id: actorId, name: actorName, requestId } = actor
  // Written out: a spread with further members takes microseconds (ADR 151).
  const places = { position: known?.position ?? 0, number: known?.number ?? 0 } // used only if they are known
  const row = { scopeId, at, serial, actorKind, actorId, actorName, requestId, ...places }
  const [inserted, audited] = await Promise.all([
    known === undefined ? tx.first(insertChange(row)) : tx.submit(insertChangeAt(row)),
    findAuditContext(tx, scopeId), // in the same round trip
    known ?? reserveLogPlaces(tx),
  ])
  const place = known ?? inserted
  if (!place) throw new Error(`a change of ${scopeId} was inserted without a position`)
  noteLogPlace(tx.memory, scopeId, place)
  const { position, number } = place
  const collected: ChangeOp[] = []
  const isCollected = collect({ scopeId, actor, at, serial, number, ops: collected } satisfies NumberedChange)
  const kinds: CountedKinds = new Map()
  let delta: RecordsDelta | undefined
  tx.publish(() => {
    if (actor.trail !== undefined) actor.trail.isRecorded = true // a commit hook would separate those that are joined
    return eventsOf({ scopeId, number, serial, kinds: kinds.keys(), delta })
  }, position)
  auditChange(tx, { scopeId, number, at, actor }, audited, kinds)
  const writer = createOpWriter(tx, position, 0)
  tx.beforeCommit(writer.flush)
  return {
    position,
    carry: (carried) => void (delta = carried),
    async append(operations) {
      countKinds(kinds, operations)
      if (isCollected) for (const operation of operations) collected.push(operation)
      await writer.append(operations)
    },
    addWritten(written) {
      for (const [kind, { count, firstId }] of written) addKind(kinds, kind, count, firstId)
    },
  }
}

/** Reads what a change set of the scope will read when it begins. */
export const readChangeSetAhead = (tx: Reader, scopeId: string): Promise<unknown> =>
  Promise.all([readLogPlace(tx, scopeId, () => lastChangeNumber(tx, scopeId)), readEnd(tx)])

interface ChangeRow {
  readonly scopeId: string
  readonly at: string
  readonly actorKind: Actor['kind']
  readonly actorId: Actor['id']
  readonly actorName: Actor['name']
  readonly requestId: Actor['requestId']
  readonly serial: number | null
}

const valuesOf = ({ scopeId, at, actorKind, actorId, actorName, requestId, serial }: ChangeRow) => ({
  scope_id: scopeId,
  at,
  actor_kind: actorKind,
  actor_id: actorId,
  actor_name: actorName,
  request_id: requestId,
  serial,
})

const insertChange = prepare((row: ChangeRow) => {
  const number = sql<number>`(select coalesce(max(number), 0) + 1 from changes where scope_id = ${row.scopeId})`
  const insertion = query.insertInto('changes').values({ ...valuesOf(row), number })
  return insertion.returning(['position', 'number'])
})

const insertChangeAt = prepare((row: ChangeRow & LogPlace) =>
  query.insertInto('changes').values({ ...valuesOf(row), position: row.position, number: row.number }),
)

/** Appends operations to the change set at `position`, in the transaction that began it. */
export async function appendOps(tx: Transaction, position: number, ops: readonly ChangeOp[]): Promise<void> {
  if (ops.length === 0) return
  const writer = createOpWriter(tx, position, await nextOrdinal(tx, position))
  await writer.append(ops)
  await writer.flush()
}

/** Yields between chunks of operations: `db.yieldIfDue()` in a transaction. */
export async function findChange(
  db: Reader & Partial<Pick<Transaction, 'yieldIfDue'>>,
  scopeId: string,
  number: number,
  signal?: AbortSignal,
): Promise<NumberedChange | undefined> {
  const row = await db.first(changeNumbered(scopeId, number))
  if (row === undefined) return undefined
  const ops: ChangeOp[] = []
  for await (const chunk of opsForward(db, row.position)) {
    for (const op of chunk) ops.push(op)
    if (ops.length < CHUNK_SIZE) continue
    await (db.yieldIfDue ?? yieldNow)()
    signal?.throwIfAborted()
  }
  return { ...toHeader(row), ops }
}

/** A change set without its operations. */
export async function findChangeHeader(
  db: Reader,
  scopeId: string,
  number: number,
): Promise<Omit<NumberedChange, 'ops'> | undefined> {
  const row = await db.first(changeNumbered(scopeId, number))
  return row === undefined ? undefined : toHeader(row)
}

const changeNumbered = (scopeId: string, number: number) =>
  query.selectFrom('changes').selectAll().where('scope_id', '=', scopeId).where('number', '=', number)

/** Position of the newest change set; 0 in an empty log. */
export const lastPosition = async (db: Reader): Promise<number> => (await lastLogged(db))?.position ?? 0 // none

/** Change sets after a position of the log, oldest first. */
export async function changesAfter(
  db: Reader,
  position: number,
  limit: number,
): Promise<{ position: number; scopeId: string; number: number; serial: number | null }[]> {
  const rows = await db.all(
    query
      .selectFrom('changes')
      .select(['position', 'scope_id', 'number', 'serial'])
      .where('position', '>', position)
      .orderBy('position')
      .limit(limit),
  )
  return rows.map(({ scope_id, ...row }) => ({ ...row, scopeId: scope_id }))
}

/** Scopes with change sets after a position of the log. */
export async function scopesChangedAfter(db: Reader, position: number): Promise<readonly string[]> {
  const scopes = query.selectFrom('changes').select('scope_id').distinct()
  return (await db.all(scopes.where('position', '>', position))).map((row) => row.scope_id)
}

/** A change set's place in the log, and what distinguishes it from one that another database has there. */
export interface LoggedPlace {
  readonly position: number
  readonly scopeId: string
  readonly number: number
  readonly at: string
}

const places = query.selectFrom('changes').select(['position', 'scope_id as scopeId', 'number', 'at'])

/** The newest change set; undefined if there is none. */
export const lastLogged = (db: Reader): Promise<LoggedPlace | undefined> =>
  db.first(places.orderBy('position', 'desc').limit(1))

/** The change set at a position; undefined if there is none. */
export const loggedAt = (db: Reader, position: number): Promise<LoggedPlace | undefined> =>
  db.first(places.where('position', '=', position))

/** 0 if the scope has not changed yet. */
export async function lastChangeNumber(db: Reader, scopeId: string): Promise<number> {
  return (await db.first(lastNumber({ scopeId })))?.number ?? 0 // none
}

const lastNumber = prepare(({ scopeId }: { scopeId: string }) =>
  query
    .selectFrom('changes')
    .select('number')
    .where('scope_id', '=', scopeId)
    .orderBy('number', 'desc')
    .limit(1),
)

/** Time of the scope's last change; undefined if there is none. */
export async function lastChangeAt(db: Reader, scopeId: string): Promise<string | undefined> {
  const last = query.selectFrom('changes').select('at').where('scope_id', '=', scopeId)
  return (await db.first(last.orderBy('number', 'desc').limit(1)))?.at
}

/** Number of the newest change set of the scope at that time; 0 before the first, or if it was deleted. */
export async function changeNumberAt(db: Reader, scopeId: string, at: string): Promise<number> {
  const last = query
    .selectFrom('changes')
    .select('number')
    .where('scope_id', '=', scopeId)
    .where('at', '<=', at)
  return (await db.first(last.orderBy('number', 'desc').limit(1)))?.number ?? 0 // none
}

/** Calls `take` with every operation after a change set, newest first. Yields in between. */
export async function eachOpAfter(
  tx: Transaction,
  scopeId: string,
  number: number,
  take: (op: ChangeOp) => void,
): Promise<void> {
  // Numbers have no gaps.
  for (let at = await lastChangeNumber(tx, scopeId); at > number; at -= 1) {
    const change = await tx.first(positionOf({ scopeId, number: at }))
    if (change === undefined) throw new Error(`change ${at} of ${scopeId} is not in the log`)
    for await (const chunk of opsBackward(tx, change.position)) {
      for (const op of chunk) take(op)
      await tx.yieldIfDue()
    }
  }
}

const positionOf = prepare(({ scopeId, number }: { scopeId: string; number: number }) =>
  query.selectFrom('changes').select('position').where('scope_id', '=', scopeId).where('number', '=', number),
)

/** A change set as its own row has it, without its operations. */
export function toHeader(row: Omit<Database['changes'], 'position'>): Omit<NumberedChange, 'ops'> {
  return {
    scopeId: row.scope_id,
    number: row.number,
    at: row.at,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name, requestId: row.request_id },
    serial: row.serial,
  }
}
