// Gives a secondary zone the records that its primary has, under the primary's serial: one transfer, one change set.
import { hexFromOctets, typeCode, type Name } from '@zonereeve/dns'
import { SYSTEM } from '../../platform/actor.ts'
import type { Transaction } from '../../storage/index.ts'
import type { Zone } from '../zones/index.ts'
import type { DnsRecord } from './dns-record.ts'
import {
  deleteRecords,
  insertRecord,
  pageOfType,
  rowsAtNames,
  typesOf,
  updateRecord,
  type StoredRow,
} from './dns-records.store.ts'
import {
  demandPossible,
  followedFields,
  followedState,
  isSameValue,
  valueKey,
  type FollowedContents,
} from './followed-records.rules.ts'
import { commitChanges, type RecordChange, type RecordState } from './record-changes.service.ts'
import type { RecordValue } from './record-value.rules.ts'
import { RECORDS_AT_ONCE, type WriterDeps } from './record-writer.service.ts'

const ROWS_AT_ONCE = 1_000

interface StoredValue extends RecordValue {
  readonly row: StoredRow
}

export function createFollowedRecords({ clock, ids, publish, toText, fromText }: WriterDeps) {
  return { follow }

  /**
   * Makes the zone's records those of its primary, and its serial too.
   *
   * @returns the zone as it now is. @throws UnusableZone: then the unit must not be committed.
   */
  async function follow(
    tx: Transaction,
    zone: Zone,
    contents: FollowedContents,
    serial: number,
  ): Promise<Zone> {
    const at = clock.timestamp()
    const stored = await readStored(tx, zone, contents)
    const wanted = followedState(stored, contents)
    demandPossible(zone.name, wanted.values())
    const changes: RecordChange[] = []
    for (const [key, value] of stored) {
      if (!wanted.has(key)) changes.push({ before: stateOf(zone, value), after: undefined })
    }
    let looked = 0
    for (const [key, value] of wanted) {
      const before = stored.get(key)
      if (before === undefined) changes.push({ before, after: fresh(zone, value, at) })
      else if (!isSameValue(before, value)) changes.push(changed(zone, before, value, at))
      if ((looked += 1) % RECORDS_AT_ONCE === 0) await tx.pause()
    }
    if (changes.length === 0 && serial === zone.serial) return zone
    await write(tx, changes)
    return commitChanges(tx, zone, changes, { actor: SYSTEM, at, publish, serial })
  }

  function fresh(zone: Zone, value: RecordValue, at: string): RecordState {
    const times = { createdOn: at, modifiedOn: at, commentModifiedOn: null, tagsModifiedOn: null }
    return withText({ ...followedFields(value), id: ids.id(), ...inZone(zone), ...times })
  }

  function changed(zone: Zone, stored: StoredValue, value: RecordValue, at: string): RecordChange {
    const before = stateOf(zone, stored)
    const after = withText({ ...before.record, ...followedFields(value), modifiedOn: at })
    return { before, after }
  }

  function stateOf(zone: Zone, { row, ...value }: StoredValue): RecordState {
    const { input: _, ...times } = fromText(row.body)
    const record = { ...followedFields(value), id: row.id, ...inZone(zone), ...times }
    return { record, text: row.body }
  }

  function withText(record: DnsRecord): RecordState {
    return { record, text: toText(record) }
  }
}

const inZone = (zone: Zone) => ({ zoneId: zone.id, zoneName: zone.displayName })

/** All of the zone, or what a difference is about: its names and the apex. */
async function readStored(
  tx: Transaction,
  zone: Zone,
  contents: FollowedContents,
): Promise<ReadonlyMap<string, StoredValue>> {
  const stored = new Map<string, StoredValue>()
  const take = (rows: readonly StoredRow[]): void => {
    for (const row of rows) {
      const { name, ttl: ttlSeconds, rdata } = row
      const value = { name, type: typeCode(row.type) ?? 0, ttlSeconds, rdata, row }
      stored.set(valueKey(value), value)
    }
  }
  if (contents.kind === 'difference') {
    const values = contents.steps.flatMap(({ removed, added }) => [...removed, ...added])
    take(await rowsAtNames(tx, zone.id, [...new Set<Name>([zone.name, ...values.map(({ name }) => name)])]))
    return stored
  }
  for (const type of await typesOf(tx, zone.id)) {
    let page: StoredRow[] = []
    do {
      page = await pageOfType(tx, zone.id, type, page.at(-1), ROWS_AT_ONCE)
      take(page)
      await tx.pause()
    } while (page.length === ROWS_AT_ONCE)
  }
  return stored
}

async function write(tx: Transaction, changes: readonly RecordChange[]): Promise<void> {
  const gone = changes.flatMap(({ before, after }) =>
    after === undefined && before ? [before.record.id] : [],
  )
  await deleteRecords(tx, gone)
  for (const [index, { before, after }] of changes.entries()) {
    if (after === undefined) continue
    // To a primary, texts that are cut into strings otherwise are two records.
    const identity = `=${hexFromOctets(after.record.rdata)}`
    await (before === undefined ? insertRecord : updateRecord)(tx, after.record, after.text, identity)
    if (index % RECORDS_AT_ONCE === RECORDS_AT_ONCE - 1) await tx.pause()
  }
}
