// The entry of the audit log about a change set. It is written at the end of the transaction of the change, when its
// operations are known, and becomes durable with it.
import type { ChangeOp } from './change-op.ts'
import { appendEntry, findZoneNames, isAccount, readEnd } from './audit-log.store.ts'
import type { Actor } from '@zonereeve/platform'
import type { Transaction } from '@zonereeve/storage'

interface AuditedChange {
  readonly scopeId: string
  readonly number: number
  readonly at: string
  readonly actor: Actor
}

/** How many operations of a change set are of each kind, and the object of the first one. */
export type CountedKinds = Map<string, { count: number; readonly firstId: string }>

export function countKinds(kinds: CountedKinds, operations: readonly ChangeOp[]): void {
  for (const { kind, objectId } of operations) addKind(kinds, kind, 1, objectId)
}

export function addKind(kinds: CountedKinds, kind: string, count: number, firstId: string): void {
  const known = kinds.get(kind)
  if (known === undefined) kinds.set(kind, { count, firstId })
  else known.count += count
}

/** Kinds of operations that say more about a change set than those beside them: a zone is deleted with its contents. */
const LEADING = ['zone.create', 'zone.delete', 'account.create', 'account.delete']
/** Kinds that an entry names; a change set of the program has at most a few. */
const MAX_NAMED_KINDS = 50

/** The scope of a change set as it is before the change. */
export interface AuditContext {
  readonly zoneBefore: Awaited<ReturnType<typeof findZoneNames>>
  readonly wasAccount: boolean
}

/** What the entry about a change of the scope needs. */
export async function findAuditContext(tx: Transaction, scopeId: string): Promise<AuditContext> {
  const [zoneBefore] = await Promise.all([findZoneNames(tx, scopeId), readEnd(tx)])
  return { zoneBefore, wasAccount: zoneBefore === undefined && (await isAccount(tx, scopeId)) }
}

/**
 * Begins the entry about a change set, which is written even if the change set stays empty. @param kinds those of the
 * change set when it ends.
 */
export function auditChange(
  tx: Transaction,
  { scopeId, number, at, actor }: AuditedChange,
  { zoneBefore, wasAccount }: AuditContext,
  kinds: CountedKinds,
): void {
  tx.beforeCommit(async () => {
    // A new zone has its row at the end, a deleted one had it at the begin.
    const zone = zoneBefore ?? (wasAccount ? undefined : await findZoneNames(tx, scopeId))
    const isOfAccount = zone === undefined && (wasAccount || (await isAccount(tx, scopeId)))
    const action = actionOf(kinds)
    const counted = kinds.get(action)
    const by = actorMembers(actor) // not spread (ADR 151)
    await appendEntry(tx, {
      at,
      accountId: zone?.accountId ?? (isOfAccount ? scopeId : null),
      zoneId: zone === undefined ? null : scopeId,
      zoneName: zone?.name ?? null,
      actorKind: by.actorKind,
      actorId: by.actorId,
      actorName: by.actorName,
      address: by.address,
      requestId: by.requestId,
      action,
      resourceType: nounOf(action),
      resourceId: counted?.count === 1 ? counted.firstId : scopeId,
      succeeded: true,
      detail: JSON.stringify({
        scope: scopeId,
        change: number,
        kinds: [...kinds].slice(0, MAX_NAMED_KINDS).map(([kind, { count }]) => [kind, count]),
        operation: actor.trail?.operation, // not in the text if it is undefined
      }),
    })
  })
}

/** Who acted, as entries have it. */
export const actorMembers = ({ kind, id, name, requestId, trail }: Actor) => ({
  actorKind: kind,
  actorId: id,
  actorName: name,
  address: trail === undefined ? null : trail.address,
  requestId,
})

/** A change set without operations only increased the serial of its zone. */
function actionOf(kinds: CountedKinds): string {
  const [first = 'zone.serial'] = kinds.keys()
  return LEADING.find((kind) => kinds.has(kind)) ?? first
}

const nounOf = (action: string): string => action.slice(0, action.lastIndexOf('.'))
