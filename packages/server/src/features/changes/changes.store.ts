// The change log: every write to a scope (a zone, an account, a user) as one change set, in the transaction of the
// rows that it changes. History, audit, transfers and other nodes read it.
import type { Actor } from '../../platform/actor.ts'
import { query, type Transaction } from '../../storage/index.ts'

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

/** Appends a change set; numbers within a scope run from 1 without gaps. @returns its place in the log. */
export async function appendChange(tx: Transaction, change: ChangeSet): Promise<number> {
  const last = await tx.first(
    query
      .selectFrom('changes')
      .select('number')
      .where('scope_id', '=', change.scopeId)
      .orderBy('number', 'desc')
      .limit(1),
  )
  const number = (last?.number ?? 0) + 1
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
  await insertOps(tx, position, 0, change.ops)
  return position
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

async function insertOps(
  tx: Transaction,
  position: number,
  firstOrdinal: number,
  ops: readonly ChangeOp[],
): Promise<void> {
  for (const [index, op] of ops.entries()) {
    await tx.run(
      query.insertInto('change_ops').values({
        position,
        ordinal: firstOrdinal + index,
        kind: op.kind,
        object_id: op.objectId,
        before: op.before,
        after: op.after,
      }),
    )
  }
}
