// History of a zone: its change sets, undoing one, and going back to a point in time.
import type { Actor } from '../../platform/actor.ts'
import type { Caller } from '../../platform/caller.ts'
import { DomainError, refuse, type Notice } from '../../platform/domain-error.ts'
import type { Expected } from '../../platform/etag.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import {
  changeNumberAt,
  eachOpAfter,
  findChange,
  lastChangeNumber,
  listChanges,
  type ChangeOp,
  type NumberedChange,
} from '../changes/index.ts'
import { findRecordText, type DnsRecords, type RecordStep } from '../dns-records/index.ts'
import { demandUnchanged, demandZone } from '../zones/index.ts'
import { conflictIssues, kindIssues, targetsOf, type Target } from './history.rules.ts'
import { shownOps } from './readers.rules.ts'

export interface HistoryDeps {
  readonly storage: Storage
  readonly records: Pick<DnsRecords, 'applySteps'>
}

/** How many records went which way. */
export interface Reverted {
  readonly restored: number
  readonly changed: number
  readonly removed: number
  readonly notices: readonly Notice[]
}

export interface ShownChange {
  readonly change: NumberedChange
  readonly notices: readonly Notice[]
}

export interface Point {
  readonly number: number | undefined
  readonly at: string | undefined
}

export type History = ReturnType<typeof createHistory>

export function createHistory({ storage, records }: HistoryDeps) {
  return { list, get, getOfScope, revert, restore }

  function list(scopeId: string, page: { readonly offset: number; readonly limit: number }) {
    return listChanges(storage, scopeId, page)
  }

  /** Of what is no zone: the caller may see all of it. @throws DomainError: change.unknown. */
  function getOfScope(scopeId: string, number: number): Promise<NumberedChange> {
    return demandChange(storage, scopeId, number)
  }

  /** As far as the caller may see it; notices say what they may not. @throws DomainError: zone.unknown, change.unknown. */
  async function get(zoneId: string, number: number, caller: Caller): Promise<ShownChange> {
    const { accountId } = await demandZone(storage, zoneId)
    const change = await demandChange(storage, zoneId, number)
    const { ops, missing } = shownOps(change.ops, (anyOf) =>
      caller.can(anyOf, { kind: 'zone', zoneId, accountId }),
    )
    const notices = missing.map((groups): Notice => {
      const values = { groups: groups.join(' or '), resource: `zone ${zoneId}` }
      return { notice: 'auth.missing_permission', values }
    })
    return { change: { ...change, ops }, notices }
  }

  /** Undoes one change set. @throws DomainError: change.unknown, change.kind, change.conflict, or as any write of records. */
  function revert(zoneId: string, number: number, actor: Actor, expected: Expected): Promise<Reverted> {
    return storage.write(async (tx) => {
      const { ops } = await demandChange(tx, zoneId, number)
      refuse(kindIssues(number, ops))
      const targets = targetsOf(ops.toReversed())
      const present = await presentTexts(tx, zoneId, targets)
      refuse(conflictIssues(targets, (id) => present.get(id) ?? null))
      return move(tx, zoneId, targets, present, actor, expected)
    })
  }

  /** Brings all records back to how they were. @throws DomainError: change.point, change.unknown, or as any write of records. */
  function restore(zoneId: string, point: Point, actor: Actor, expected: Expected): Promise<Reverted> {
    return storage.write(async (tx) => {
      const number = await pointNumber(tx, zoneId, point)
      const ops: ChangeOp[] = []
      await eachOpAfter(tx, zoneId, number, (op) => ops.push(op))
      const targets = targetsOf(ops)
      return move(tx, zoneId, targets, await presentTexts(tx, zoneId, targets), actor, expected)
    })
  }

  async function move(
    tx: Transaction,
    zoneId: string,
    targets: readonly Target[],
    present: ReadonlyMap<string, string>,
    actor: Actor,
    expected: Expected,
  ): Promise<Reverted> {
    const zone = await demandZone(tx, zoneId)
    demandUnchanged(zone, expected)
    const gone = targets.filter(({ id, text }) => text === null && present.has(id))
    const back = targets.filter(({ id, text }) => text !== null && present.get(id) !== text)
    // Removals first: what comes back may need their place.
    const steps: RecordStep[] = [
      ...gone.map(({ id }): RecordStep => ({ kind: 'remove', id })),
      ...back.map(({ id, text }): RecordStep => ({ kind: 'restore', id, text: text ?? '' })),
    ]
    const { notices } = await records.applySteps(tx, zone, steps, actor)
    const restored = back.filter(({ id }) => !present.has(id)).length
    return { restored, changed: back.length - restored, removed: gone.length, notices }
  }
}

async function presentTexts(
  tx: Reader,
  zoneId: string,
  targets: readonly Target[],
): Promise<Map<string, string>> {
  const present = new Map<string, string>()
  for (const { id } of targets) {
    const text = await findRecordText(tx, zoneId, id)
    if (text !== undefined) present.set(id, text)
  }
  return present
}

async function pointNumber(tx: Reader, zoneId: string, { number, at }: Point): Promise<number> {
  if ((number === undefined) === (at === undefined)) throw new DomainError({ reason: 'change.point' })
  const chosen =
    number ?? (await changeNumberAt(tx, zoneId, new Date(at ?? '').toISOString().replace('Z', '999Z')))
  if (chosen < 1) throw new DomainError({ reason: 'change.point', pointer: '/at' })
  if (chosen > (await lastChangeNumber(tx, zoneId))) unknown(chosen)
  return chosen
}

async function demandChange(db: Reader, scopeId: string, number: number): Promise<NumberedChange> {
  return (await findChange(db, scopeId, number)) ?? unknown(number)
}

function unknown(number: number): never {
  throw new DomainError({ reason: 'change.unknown', values: { number } })
}
