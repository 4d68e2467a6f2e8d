// The change log: every write to a scope (a zone, an account, a user) as one change set, in the transaction of the
// rows that it changes. History, audit, transfers and other nodes read it.
import type { Actor } from '../../platform/actor.ts'
import {
  collect,
  insertInto,
  query,
  type Database,
  type Reader,
  type Transaction,
} from '../../storage/index.ts'

export interface ChangeOp {
  /** What was done, `dns_record.create`. */
  readonly kind: string
  readonly objectId: string
  /** JSON text of the object before and after; null where there was or is none. */
  readonly before: string | null
  readonly after: string | null
}

export interface ChangeSet {
  readonly scopeId: string
  readonly at: string
  readonly actor: Actor
  /** The zone's serial after the change; null outside zones. */
  readonly serial: number | null
  readonly ops: readonly ChangeOp[]
}

/** A change set with its place in its scope. */
export interface NumberedChange extends ChangeSet {
  readonly number: number
}

/** Appends a change set; numbers within a scope run from 1 without gaps. @returns its place in the log. */
export async function appendChange(tx: Transaction, { ops, ...change }: ChangeSet): Promise<number> {
  const { position, add } = await openChange(tx, change)
  await add(ops)
  return position
}

/** A change set to which operations are added as they are done, so that not all of them are held in memory. */
export interface OpenChange {
  /** Its place in the log. */
  readonly position: number
  add(ops: readonly ChangeOp[]): Promise<void>
}

/** Begins a change set, as {@link appendChange} appends a whole one. */
export async function openChange(tx: Transaction, change: Omit<ChangeSet, 'ops'>): Promise<OpenChange> {
  const number = (await lastChangeNumber(tx, change.scopeId)) + 1
  const inserted = await tx.first(
    query
      .insertInto('changes')
      .values({
        scope_id: change.scopeId,
        number,
        at: change.at,
        actor_kind: change.actor.kind,
        actor_id: change.actor.id,
        actor_name: change.actor.name,
        request_id: change.actor.requestId,
        serial: change.serial,
      })
      .returning('position'),
  )
  const position = inserted?.position ?? 0
  const collected: ChangeOp[] = []
  const isCollected = collect({ ...change, number, ops: collected } satisfies NumberedChange)
  let ordinal = 0
  return {
    position,
    async add(ops) {
      if (isCollected) for (const op of ops) collected.push(op)
      await insertOps(tx, position, ordinal, ops)
      ordinal += ops.length
    },
  }
}

/** Adds operations to the end of the change set at `position`, in the transaction that began it. */
export async function appendOps(tx: Transaction, position: number, ops: readonly ChangeOp[]): Promise<void> {
  const last = await tx.first(
    query
      .selectFrom('change_ops')
      .select('ordinal')
      .where('position', '=', position)
      .orderBy('ordinal', 'desc')
      .limit(1),
  )
  await insertOps(tx, position, (last?.ordinal ?? -1) + 1, ops)
}

const insertOp = insertInto('change_ops', ['position', 'ordinal', 'kind', 'object_id', 'before', 'after'])

/** Operations written before the rest of the program may work again. */
const OPS_AT_ONCE = 500

async function insertOps(
  tx: Transaction,
  position: number,
  firstOrdinal: number,
  ops: readonly ChangeOp[],
): Promise<void> {
  for (const [index, { kind, objectId, before, after }] of ops.entries()) {
    await tx.run(
      insertOp({ position, ordinal: firstOrdinal + index, kind, object_id: objectId, before, after }),
    )
    if (index % OPS_AT_ONCE === OPS_AT_ONCE - 1) await tx.pause()
  }
}

/** A change set without its operations. */
export interface ChangeSummary extends Omit<NumberedChange, 'ops'> {
  readonly operations: number
}

/** Change sets of a scope, newest first, and how many there are. */
export async function listChanges(
  db: Reader,
  scopeId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ changes: ChangeSummary[]; totalCount: number }> {
  const totalCount = await lastChangeNumber(db, scopeId)
  // Numbers have no gaps: a page is a range of them.
  const newest = totalCount - offset
  const rows = await db.all(
    summaries(scopeId)
      .where('number', '<=', newest)
      .where('number', '>', newest - limit)
      .orderBy('number', 'desc'),
  )
  return { changes: rows.map(toSummary), totalCount }
}

export async function findChange(
  db: Reader,
  scopeId: string,
  number: number,
): Promise<NumberedChange | undefined> {
  const row = await db.first(summaries(scopeId).where('number', '=', number))
  if (row === undefined) return undefined
  const ops = await db.all(opsOf(row.position))
  const { operations: _, ...summary } = toSummary(row)
  return { ...summary, ops: ops.map(toOp) }
}

export async function lastChangeNumber(db: Reader, scopeId: string): Promise<number> {
  const last = query.selectFrom('changes').select('number').where('scope_id', '=', scopeId)
  return (await db.first(last.orderBy('number', 'desc').limit(1)))?.number ?? 0
}

/** The newest change set of the scope at that time; 0 before the first. */
export async function changeNumberAt(db: Reader, scopeId: string, at: string): Promise<number> {
  const last = query
    .selectFrom('changes')
    .select('number')
    .where('scope_id', '=', scopeId)
    .where('at', '<=', at)
  return (await db.first(last.orderBy('number', 'desc').limit(1)))?.number ?? 0
}

/** Calls `take` with every operation after a change set, newest first. */
export async function eachOpAfter(
  db: Reader,
  scopeId: string,
  number: number,
  take: (op: ChangeOp) => void,
): Promise<void> {
  const ops = query
    .selectFrom('changes')
    .innerJoin('change_ops', 'change_ops.position', 'changes.position')
    .selectAll('change_ops')
    .where('changes.scope_id', '=', scopeId)
    .where('changes.number', '>', number)
    .orderBy('changes.number', 'desc')
    .orderBy('change_ops.ordinal', 'desc')
  await db.each(ops, (row) => take(toOp(row)))
}

const summaries = (scopeId: string) =>
  query
    .selectFrom('changes')
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom('change_ops')
        .select(({ fn }) => fn.countAll<number>().as('operations'))
        .whereRef('change_ops.position', '=', 'changes.position')
        .as('operations'),
    )
    .where('scope_id', '=', scopeId)

const opsOf = (position: number) =>
  query.selectFrom('change_ops').selectAll().where('position', '=', position).orderBy('ordinal')

interface SummaryRow extends Omit<Database['changes'], 'position'> {
  readonly operations: number | null
}

function toSummary(row: SummaryRow): ChangeSummary {
  return {
    scopeId: row.scope_id,
    number: row.number,
    at: row.at,
    actor: {
      kind: row.actor_kind as Actor['kind'], // written by appendChange
      id: row.actor_id,
      name: row.actor_name,
      requestId: row.request_id,
    },
    serial: row.serial,
    operations: row.operations ?? 0,
  }
}

function toOp(row: Database['change_ops']): ChangeOp {
  return { kind: row.kind, objectId: row.object_id, before: row.before, after: row.after }
}
