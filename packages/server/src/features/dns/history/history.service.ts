// History of a zone: its change sets, reverting one, and restoring a point in time.
import {
  type Actor,
  type Caller,
  DomainError,
  type Expected,
  type Notice,
  throwIfIssues,
} from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import {
  changeNumberAt,
  eachOpAfter,
  findChange,
  findChanges,
  historyFloor,
  lastChangeNumber,
  listChanges,
  type ChangeFilter,
  type NumberedChange,
} from '../../changes/index.ts'
import { requireUnchanged, requireZone, type Zone } from '../../zones/index.ts'
import type { DnsRecords, InspectedRecord, RecordStep } from '../dns-records/index.ts'
import { compareStates, type Compared } from './comparison.service.ts'
import { conflictIssues, kindIssues, targetsOf, undoOp, type Target } from './history.rules.ts'
import { shownOps } from './readers.rules.ts'
import { throwDeleted, throwUnknownChange } from './refusals.rules.ts'

export interface HistoryDeps {
  readonly storage: Storage
  readonly records: Pick<DnsRecords, 'applySteps' | 'inspect'>
  /** Operations between two states that are compared. */
  readonly maxComparedOps?: number
}

/** Numbers of added, changed and removed records. */
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

export function createHistory({ storage, records, maxComparedOps }: HistoryDeps) {
  return { list, get, getOfScope, compare, revert, restore }

  function list(
    scopeId: string,
    { since, before, ...filter }: ChangeFilter,
    page: { readonly offset: number; readonly limit: number },
  ) {
    const desired = { ...filter, since: storedTime(since), before: storedTime(before) }
    const isFiltered = Object.values(desired).some((value) => value !== undefined)
    // A filter may read every operation of the scope.
    return isFiltered
      ? findChanges(storage.offload, scopeId, desired, page)
      : listChanges(storage, scopeId, page)
  }

  /**
   * For scopes that are no zone, whose changes the caller may see completely. @throws DomainError: change.unknown,
   * change.deleted.
   */
  function getOfScope(scopeId: string, number: number, signal: AbortSignal): Promise<NumberedChange> {
    return requireChange(storage, scopeId, number, signal)
  }

  /**
   * Returns what the caller may see; notices name what is hidden. @throws DomainError: zone.unknown, change.unknown,
   * change.deleted.
   */
  async function get(
    zoneId: string,
    number: number,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<ShownChange> {
    const { accountId } = await requireZone(storage, zoneId)
    const change = await requireChange(storage, zoneId, number, signal)
    const { ops, missing } = shownOps(change.ops, (anyOf) =>
      caller.can(anyOf, { kind: 'zone', zoneId, accountId }),
    )
    const notices = missing.map((groups): Notice => {
      const values = { groups: groups.join(' or '), resource: `zone ${zoneId}` }
      return { notice: 'auth.missing_permission', values }
    })
    return { change: { ...change, ops }, notices }
  }

  /**
   * Compares the records after a change set with those after another, older or newer one. @throws DomainError:
   * zone.unknown, change.unknown, change.deleted, change.range.
   */
  async function compare(zoneId: string, from: number, to: number, signal: AbortSignal): Promise<Compared> {
    await requireZone(storage, zoneId)
    return compareStates(storage, zoneId, { from, to }, signal, maxComparedOps)
  }

  /**
   * Reverts one change set. A damaged record counts as what the history says of it. @throws DomainError:
   * change.unknown, change.deleted, change.kind, change.conflict, or as any write of records.
   */
  function revert(zoneId: string, number: number, actor: Actor, expected: Expected): Promise<Reverted> {
    return storage.write(async (tx) => {
      const { ops } = await requireChange(tx, zoneId, number)
      throwIfIssues(kindIssues(number, ops))
      const targets = targetsOf(ops.toReversed())
      const zone = await requireZone(tx, zoneId)
      const present = await presentRecords(tx, zone, targets)
      const unreadable = [...present].flatMap(([id, { text }]) => (text === undefined ? [id] : []))
      const logged = await loggedContents(tx, zoneId, unreadable)
      throwIfIssues(conflictIssues(targets, (id) => present.get(id)?.text ?? logged.get(id) ?? null))
      return move(tx, zone, targets, present, actor, expected)
    })
  }

  /**
   * Restores all records to an earlier state, and with them records that are known to be damaged. @throws
   * DomainError: change.point, change.unknown, change.deleted, or as any write of records.
   */
  async function restore(zoneId: string, point: Point, actor: Actor, expected: Expected): Promise<Reverted> {
    const known = (await storage.unreadable.list()).filter((row) => row.zoneId === zoneId)
    const damaged = known.filter(({ table }) => table === 'dns_records').map(({ id }) => id)
    return storage.write(async (tx) => {
      const number = await pointNumber(tx, zoneId, point)
      const undone = new Map<string, Target>()
      await eachOpAfter(tx, zoneId, number, (op) => undoOp(undone, op))
      // What did not change since has its text of then.
      const untouched = damaged.filter((id) => !undone.has(id))
      for (const [id, text] of await loggedContents(tx, zoneId, untouched))
        undone.set(id, { id, text, undone: text })
      const targets = [...undone.values()]
      const zone = await requireZone(tx, zoneId)
      return move(tx, zone, targets, await presentRecords(tx, zone, targets), actor, expected)
    })
  }

  async function move(
    tx: Transaction,
    zone: Zone,
    targets: readonly Target[],
    present: ReadonlyMap<string, InspectedRecord>,
    actor: Actor,
    expected: Expected,
  ): Promise<Reverted> {
    requireUnchanged(zone, expected)
    const isDamaged = (id: string) => present.get(id)?.isDamaged === true
    const removals = targets.filter(({ id, text }) => text === null && present.has(id))
    const back = targets.flatMap(({ id, text }) =>
      text !== null && (isDamaged(id) || present.get(id)?.text !== text) ? [{ id, text }] : [],
    )
    // Removals first: restored records may need their names.
    const steps: RecordStep[] = [
      ...removals.map(({ id }): RecordStep => ({ kind: 'remove', id })),
      ...back.map(({ id, text }): RecordStep => ({
        kind: 'restore',
        id,
        text,
        isDamaged: isDamaged(id),
      })),
    ]
    const { notices } = await records.applySteps(tx, zone, steps, actor)
    const restored = back.filter(({ id }) => !present.has(id)).length
    return { restored, changed: back.length - restored, removed: removals.length, notices }
  }

  async function presentRecords(
    tx: Transaction,
    zone: Zone,
    targets: readonly Target[],
  ): Promise<Map<string, InspectedRecord>> {
    const present = new Map<string, InspectedRecord>()
    for (const { id } of targets) {
      await tx.yieldIfDue()
      const record = await records.inspect(tx, zone, id)
      if (record !== undefined) present.set(id, record)
    }
    return present
  }
}

/** The last contents of these records in the history; deleted records, and those it does not reach back to, are absent. */
async function loggedContents(
  tx: Transaction,
  zoneId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const contents = new Map<string, string | null>()
  const unresolved = new Set(ids)
  if (unresolved.size > 0)
    await eachOpAfter(tx, zoneId, (await historyFloor(tx, zoneId)) - 1, ({ objectId, after }) => {
      if (unresolved.delete(objectId)) contents.set(objectId, after)
    })
  return new Map([...contents].flatMap(([id, text]) => (text === null ? [] : [[id, text]])))
}

/** Times of the log have microseconds, always in UTC: as strings they sort by time. */
function storedTime(at: string | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString().replace('Z', '000Z')
}

/** Exactly one of both must be given. */
async function numberOf(tx: Reader, zoneId: string, { number, at }: Point): Promise<number> {
  if (number !== undefined && at === undefined) return number
  if (number !== undefined || at === undefined) throw new DomainError({ reason: 'change.point' })
  return changeNumberAt(tx, zoneId, new Date(at).toISOString().replace('Z', '999Z'))
}

async function pointNumber(tx: Reader, zoneId: string, point: Point): Promise<number> {
  const { number } = point
  const chosen = await numberOf(tx, zoneId, point)
  const floor = await historyFloor(tx, zoneId)
  // A restore reverts the operations of all later change sets: those from the floor on are kept.
  if (floor > 1 && chosen < floor - 1) throwDeleted(floor, number === undefined ? '/at' : '/number')
  if (chosen < 1) throw new DomainError({ reason: 'change.point', pointer: '/at' })
  if (chosen > (await lastChangeNumber(tx, zoneId))) throwUnknownChange(chosen)
  return chosen
}

async function requireChange(
  db: Reader & Partial<Pick<Transaction, 'yieldIfDue'>>,
  scopeId: string,
  number: number,
  signal?: AbortSignal,
): Promise<NumberedChange> {
  const change = await findChange(db, scopeId, number, signal)
  // Read last: the floor moves before operations are deleted, so a change set above it was read completely.
  const floor = await historyFloor(db, scopeId)
  if (number < floor) throwDeleted(floor)
  return change ?? throwUnknownChange(number)
}
