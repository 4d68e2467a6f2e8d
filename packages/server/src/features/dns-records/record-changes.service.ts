// From changed records to what follows from them: counts, serial, one change set, one announcement.
import type { Name } from '@zonereeve/dns'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../storage/index.ts'
import { appendChange } from '../changes/index.ts'
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
  readonly publish: (change: RecordsChanged) => void
  /** Of the primary that the records are from, whose TTLs are served as they are. */
  readonly serial?: number
}

/** Moves the zone on by rows that are written already, and announces them once they are durable. @returns the zone as it now is. */
export async function commitChanges(
  tx: Transaction,
  zone: Zone,
  changes: readonly RecordChange[],
  { actor, at, publish, serial }: CommitDeps,
): Promise<Zone> {
  const types = new Map<string, number>()
  const count = (state: RecordState | undefined, by: number) => {
    if (state !== undefined) types.set(state.record.type, (types.get(state.record.type) ?? 0) + by)
  }
  for (const { before, after } of changes) {
    count(before, -1)
    count(after, 1)
  }
  await addToCounts(tx, zone.id, types)
  const sum = (isCounted: (type: string) => boolean) =>
    [...types].reduce((total, [type, by]) => total + (isCounted(type) ? by : 0), 0)
  const moved = await advanceZone(
    tx,
    zone,
    { records: sum(() => true), addresses: sum(isAddressType) },
    at,
    serial,
  )
  const ops = changes.map(({ before, after }) => ({
    kind:
      before === undefined
        ? CHANGE_KINDS.create
        : after === undefined
          ? CHANGE_KINDS.delete
          : CHANGE_KINDS.update,
    objectId: (after ?? before)?.record.id ?? '',
    before: before?.text ?? null,
    after: after?.text ?? null,
  }))
  await appendChange(tx, { scopeId: zone.id, at, actor, serial: moved.serial, ops })
  const announced = { zoneId: zone.id, serial: moved.serial, ...netChange(changes, serial !== undefined) }
  tx.onCommit(() => publish(announced))
  return moved
}

/** What the steps come to for each record, whatever way they took. */
function netChange(
  changes: readonly RecordChange[],
  isFollowed: boolean,
): Pick<RecordsChanged, 'removed' | 'added'> {
  const net = new Map<string, { before: RecordState | undefined; after: RecordState | undefined }>()
  for (const { before, after } of changes) {
    const id = (after ?? before)?.record.id ?? ''
    net.set(id, { before: net.has(id) ? net.get(id)?.before : before, after })
  }
  const served = (states: (RecordState | undefined)[]) =>
    states
      .filter((state) => state !== undefined)
      .map(({ record }) => {
        return isFollowed ? { ...toServed(record), ttlSeconds: record.ttl } : toServed(record)
      })
  const ends = [...net.values()]
  return { removed: served(ends.map(({ before }) => before)), added: served(ends.map(({ after }) => after)) }
}

function toServed({ id, name, type, ttl, rdata, proxied, settings }: DnsRecord): ServedRecord {
  return { id, name, type, ttlSeconds: servedTtlSeconds(ttl), rdata, proxied, settings }
}

/** The way of a proxied CNAME; nothing of other records. */
export function proxiedAlias(
  state: RecordState | undefined,
): { readonly name: Name; readonly target: Name }[] {
  if (state === undefined || !state.record.proxied || state.record.type !== 'CNAME') return []
  const { name, content } = state.record
  return [{ name, target: content as Name }] // the content of a CNAME is a Name
}
