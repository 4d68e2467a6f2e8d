// Turns changed records into counts, a new serial and one change set.
import { nextSerial, type Name } from '@zonereeve/dns'
import type { Actor } from '@zonereeve/platform'
import { chunksOf } from '@zonereeve/cooperate'
import type { ServedRecord, Transaction } from '@zonereeve/storage'
import { type Appending, beginChangeSet, type ChangeHeader, type ChangeOp } from '../../changes/index.ts'
import { advanceZone, type Zone } from '../../zones/index.ts'
import type { DnsRecord } from './dns-record.ts'
import { isAddressType, servedTtlSeconds } from './dns-records.rules.ts'
import { addToCounts } from './record-counts.store.ts'
import { createServedRecordList } from './served-rows.store.ts'
import { SIGNER_TYPES } from './types/opaque.ts'

/** A record and its JSON text for replies. */
export interface RecordState {
  readonly record: DnsRecord
  readonly text: string
  /** The damaged part of its row. */
  readonly damage?: 'body' | 'columns'
}

/** The change of one record; `after` undefined = removed, both the same = no change. */
export interface RecordChange {
  readonly before: RecordState | undefined
  readonly after: RecordState | undefined
}

/** The state after a change; of a removed record, the one before. */
export function stateOf({ before, after }: RecordChange): RecordState {
  const state = after ?? before
  if (state === undefined) throw new Error('a change is about no record')
  return state
}

/** Passed on at once, before all of a large change are known. */
const RECORDS_AHEAD = 5_000

const CHANGE_KINDS = { create: 'dns_record.create', update: 'dns_record.update', delete: 'dns_record.delete' }

/** Whether the change changes anything, if only the columns of a damaged row. */
export const isReal = ({ before, after }: RecordChange): boolean =>
  before?.text !== after?.text || before?.damage !== undefined

export interface CommitDeps {
  readonly actor: Actor
  readonly at: string
  /** Serial of the primary that the records are from; their TTLs are published as received. */
  readonly serial?: number
  /** No record is changed twice: what is published need not be remembered by ID. */
  readonly changesOnce?: boolean
  readonly begin?: BeginChangeSet
}

/** {@link beginChangeSet}, or what asks the main thread for it. */
export type BeginChangeSet = (tx: Transaction, header: ChangeHeader) => Promise<Appending>

/** Commits rows that are already written as one change of the zone. @returns the updated zone. */
export async function commitChanges(
  tx: Transaction,
  zone: Zone,
  changes: readonly RecordChange[],
  deps: CommitDeps,
): Promise<Zone> {
  const session = beginRecordChangeSet(tx, zone, deps)
  for (const some of chunksOf(changes)) {
    await session.append(some)
    await tx.yieldIfDue()
  }
  return session.commit()
}

/**
 * One change set of a zone, open while its rows are written, for more changes than fit in memory with their texts.
 */
export interface ChangeSession {
  /** Appends changes whose rows are written. */
  append(changes: readonly RecordChange[]): Promise<void>
  /** Commits the change set. @returns the updated zone; the same zone if there were no changes. */
  commit(): Promise<Zone>
}

export function beginRecordChangeSet(
  tx: Transaction,
  zone: Zone,
  { actor, at, serial, changesOnce = false, begin = beginChangeSet }: CommitDeps,
): ChangeSession {
  const types = new Map<string, number>()
  /** The net change per record, whatever the steps in between. */
  const net = new Map<
    string,
    { readonly before: ServedRecord | undefined; after: ServedRecord | undefined }
  >()
  const removed = createServedRecordList()
  let added = createServedRecordList()
  let arePlain = true
  const serialAfter = serial ?? nextSerial(zone.serial)
  const isSecondary = serial !== undefined
  let change: Appending | undefined
  let isRepair = false
  return { append, commit }

  async function append(changes: readonly RecordChange[]): Promise<void> {
    change ??= await begin(tx, { scopeId: zone.id, at, actor, serial: serialAfter })
    for (const { before, after } of changes) {
      isRepair ||= before?.damage !== undefined
      count(before, -1)
      count(after, 1)
      const servedBefore = before && toServed(before.record, isSecondary)
      const served = after && toServed(after.record, isSecondary)
      // Then the zone is read again, and a damaged record may be of any form.
      if (isRepair) continue
      if (changesOnce) {
        list(servedBefore, served)
        continue
      }
      const { id } = stateOf({ before, after }).record
      const known = net.get(id)
      if (known !== undefined) known.after = served
      else net.set(id, { before: servedBefore, after: served })
    }
    await change.append(changes.map(opOf))
    if (isRepair || added.length < RECORDS_AHEAD || change.carryAhead === undefined) return
    change.carryAhead(added)
    added = createServedRecordList()
  }

  function count(state: RecordState | undefined, by: number): void {
    if (state !== undefined) types.set(state.record.type, (types.get(state.record.type) ?? 0) + by)
  }

  async function commit(): Promise<Zone> {
    if (change === undefined && serialAfter === zone.serial) return zone
    change ??= await begin(tx, { scopeId: zone.id, at, actor, serial: serialAfter })
    await addToCounts(tx, zone.id, types)
    const sum = (isCounted: (type: string) => boolean) =>
      [...types].reduce((total, [type, by]) => total + (isCounted(type) ? by : 0), 0)
    const counts = { records: sum((type) => !SIGNER_TYPES.includes(type)), addresses: sum(isAddressType) }
    const moved = await advanceZone(tx, zone, counts, at, serialAfter)
    for (const { before, after } of isRepair ? [] : net.values()) {
      list(before, after)
      await tx.yieldIfDue()
    }
    net.clear()
    change.carry(isRepair ? { removed: [], added: [], isRepair } : { removed, added, isRepair, arePlain })
    return moved
  }

  function list(before: ServedRecord | undefined, after: ServedRecord | undefined): void {
    if (before !== undefined) removed.add(before)
    if (after === undefined) return
    added.add(after)
    arePlain &&= isPlain(after, zone.name)
  }
}

/** Whether a record is published as stored, unless settings of its zone say otherwise. */
const isPlain = ({ name, type, proxied, settings }: ServedRecord, apex: Name): boolean =>
  !proxied && settings['flatten_cname'] !== true && !(type === 'CNAME' && name === apex)

function opOf({ before, after }: RecordChange): ChangeOp {
  const kind =
    before === undefined
      ? CHANGE_KINDS.create
      : after === undefined
        ? CHANGE_KINDS.delete
        : CHANGE_KINDS.update
  const { id: objectId } = stateOf({ before, after }).record
  return { kind, objectId, before: before?.text ?? null, after: after?.text ?? null }
}

export function toServed(record: DnsRecord, isSecondary: boolean): ServedRecord {
  const { id, name, type, ttl, rdata, proxied, settings } = record
  return { id, name, type, ttlSeconds: isSecondary ? ttl : servedTtlSeconds(ttl), rdata, proxied, settings }
}
/** Name and target of a proxied CNAME; an empty list for other records. */
export function proxiedAlias(
  state: RecordState | undefined,
): { readonly name: Name; readonly target: Name }[] {
  if (state === undefined || !state.record.proxied || state.record.type !== 'CNAME') return []
  const { name, content } = state.record
  return [{ name, target: content as Name }] // the content of a CNAME is a Name
}
