// From changed records to what follows from them: counts, serial, one change set, one announcement.
import { nextSerial, type Name } from '@zonereeve/dns'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../storage/index.ts'
import { openChange, type ChangeOp, type OpenChange } from '../changes/index.ts'
import { advanceZone, type Zone } from '../zones/index.ts'
import type { DnsRecord } from './dns-record.ts'
import { isAddressType, servedTtlSeconds } from './dns-records.rules.ts'
import { addToCounts } from './dns-records.store.ts'

/** A record as the nameserver serves it. */
export interface ServedRecord {
  readonly id: string
  readonly name: Name
  readonly type: string
  readonly ttlSeconds: number
  readonly rdata: Uint8Array
  readonly proxied: boolean
  /** Options by their wire names. */
  readonly settings: Readonly<Record<string, boolean>>
}

/** Told after commit, in the order of commits. */
export interface RecordsChanged {
  readonly zoneId: string
  readonly serial: number
  readonly removed: readonly ServedRecord[]
  readonly added: readonly ServedRecord[]
}

/** A record and the text that replies carry. */
export interface RecordState {
  readonly record: DnsRecord
  readonly text: string
}

/** What is changed of one record; `after` undefined = removed, both the same = nothing. */
export interface RecordChange {
  readonly before: RecordState | undefined
  readonly after: RecordState | undefined
}

const CHANGE_KINDS = { create: 'dns_record.create', update: 'dns_record.update', delete: 'dns_record.delete' }

/** Whether there is anything in a change. */
export const isReal = ({ before, after }: RecordChange): boolean => before?.text !== after?.text

export interface CommitDeps {
  readonly actor: Actor
  readonly at: string
  readonly publish: (change: RecordsChanged) => void | Promise<void>
  /** Of the primary that the records are from, whose TTLs are served as they are. */
  readonly serial?: number
}

/** Moves the zone on by rows that are written already, and announces them once they are durable. @returns the zone as it now is. */
export async function commitChanges(
  tx: Transaction,
  zone: Zone,
  changes: readonly RecordChange[],
  deps: CommitDeps,
): Promise<Zone> {
  const session = openChanges(tx, zone, deps)
  await session.note(changes)
  return session.finish()
}

/** One change set of a zone while its rows are written, for more changes than are to be held in memory with their texts. */
export interface ChangeSession {
  /** Takes changes whose rows are written. */
  note(changes: readonly RecordChange[]): Promise<void>
  /** Moves the zone on, and announces the changes once they are durable. @returns the zone as it now is; the same if nothing was noted. */
  finish(): Promise<Zone>
}

/** Changes whose ends are worked out before the rest of the program may work again. */
const CHANGES_AT_ONCE = 2_000

export function openChanges(
  tx: Transaction,
  zone: Zone,
  { actor, at, publish, serial }: CommitDeps,
): ChangeSession {
  const types = new Map<string, number>()
  /** What the steps come to for each record, whatever way they took. */
  const net = new Map<
    string,
    { readonly before: ServedRecord | undefined; after: ServedRecord | undefined }
  >()
  const serialAfter = serial ?? nextSerial(zone.serial)
  const isFollowed = serial !== undefined
  let change: OpenChange | undefined
  return { note, finish }

  async function note(changes: readonly RecordChange[]): Promise<void> {
    change ??= await openChange(tx, { scopeId: zone.id, at, actor, serial: serialAfter })
    for (const { before, after } of changes) {
      count(before, -1)
      count(after, 1)
      const id = (after ?? before)?.record.id ?? ''
      const served = after && toServed(after.record, isFollowed)
      const known = net.get(id)
      if (known !== undefined) known.after = served
      else net.set(id, { before: before && toServed(before.record, isFollowed), after: served })
    }
    await change.add(changes.map(opOf))
  }

  function count(state: RecordState | undefined, by: number): void {
    if (state !== undefined) types.set(state.record.type, (types.get(state.record.type) ?? 0) + by)
  }

  async function finish(): Promise<Zone> {
    if (change === undefined && serialAfter === zone.serial) return zone
    change ??= await openChange(tx, { scopeId: zone.id, at, actor, serial: serialAfter })
    await addToCounts(tx, zone.id, types)
    const sum = (isCounted: (type: string) => boolean) =>
      [...types].reduce((total, [type, by]) => total + (isCounted(type) ? by : 0), 0)
    const counts = { records: sum(() => true), addresses: sum(isAddressType) }
    const moved = await advanceZone(tx, zone, counts, at, serialAfter)
    const announced = { zoneId: zone.id, serial: serialAfter, ...(await ends()) }
    tx.onCommit(() => publish(announced))
    return moved
  }

  async function ends(): Promise<Pick<RecordsChanged, 'removed' | 'added'>> {
    const removed: ServedRecord[] = []
    const added: ServedRecord[] = []
    let done = 0
    for (const { before, after } of net.values()) {
      if (before !== undefined) removed.push(before)
      if (after !== undefined) added.push(after)
      if ((done += 1) % CHANGES_AT_ONCE === 0) await tx.pause()
    }
    net.clear()
    return { removed, added }
  }
}

function opOf({ before, after }: RecordChange): ChangeOp {
  const kind =
    before === undefined
      ? CHANGE_KINDS.create
      : after === undefined
        ? CHANGE_KINDS.delete
        : CHANGE_KINDS.update
  const objectId = (after ?? before)?.record.id ?? ''
  return { kind, objectId, before: before?.text ?? null, after: after?.text ?? null }
}

function toServed(record: DnsRecord, isFollowed: boolean): ServedRecord {
  const { id, name, type, ttl, rdata, proxied, settings } = record
  return { id, name, type, ttlSeconds: isFollowed ? ttl : servedTtlSeconds(ttl), rdata, proxied, settings }
}
/** The way of a proxied CNAME; nothing of other records. */
export function proxiedAlias(
  state: RecordState | undefined,
): { readonly name: Name; readonly target: Name }[] {
  if (state === undefined || !state.record.proxied || state.record.type !== 'CNAME') return []
  const { name, content } = state.record
  return [{ name, target: content as Name }] // the content of a CNAME is a Name
}
