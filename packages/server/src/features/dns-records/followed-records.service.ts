// Gives a secondary zone the records that its primary has, under the primary's serial: one transfer, one change set.
import { hexFromOctets, typeCode, type Name } from '@zonereeve/dns'
import { SYSTEM } from '../../platform/actor.ts'
import type { Sliced } from '../../platform/slices.ts'
import { portions } from '../../platform/portions.ts'
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
import { openChanges, type RecordChange, type RecordState } from './record-changes.service.ts'
import type { RecordValue } from './record-value.rules.ts'
import { RECORDS_AT_ONCE, type WriterDeps } from './record-writer.service.ts'

const ROWS_AT_ONCE = 1_000

/** Of a record that is there afterwards. */
interface WrittenChange extends RecordChange {
  readonly after: RecordState
}

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
    const wanted = await whilePausing(tx, followedState(stored, contents))
    await whilePausing(tx, demandPossible(zone.name, wanted.values()))
    const session = openChanges(tx, zone, { actor: SYSTEM, at, publish, serial })
    for (const some of portions(
      [...stored].filter(([key]) => !wanted.has(key)),
      RECORDS_AT_ONCE,
    )) {
      await deleteRecords(
        tx,
        some.map(([, { row }]) => row.id),
      )
      await session.note(some.map(([, value]) => ({ before: stateOf(zone, value), after: undefined })))
      await tx.pause()
    }
    for (const some of portions(wanted, RECORDS_AT_ONCE)) {
      const changes = some.flatMap(([key, value]) => changeOf(zone, stored.get(key), value, at))
      for (const change of changes) await writeRow(tx, change)
      if (changes.length > 0) await session.note(changes)
      await tx.pause()
    }
    return session.finish()
  }

  function changeOf(
    zone: Zone,
    before: StoredValue | undefined,
    value: RecordValue,
    at: string,
  ): WrittenChange[] {
    if (before === undefined) return [{ before, after: fresh(zone, value, at) }]
    return isSameValue(before, value) ? [] : [changed(zone, before, value, at)]
  }

  function fresh(zone: Zone, value: RecordValue, at: string): RecordState {
    const times = { createdOn: at, modifiedOn: at, commentModifiedOn: null, tagsModifiedOn: null }
    return withText({ ...followedFields(value), id: ids.id(), ...inZone(zone), ...times })
  }

  function changed(zone: Zone, stored: StoredValue, value: RecordValue, at: string): WrittenChange {
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

async function writeRow(tx: Transaction, { before, after }: WrittenChange): Promise<void> {
  // To a primary, texts that are cut into strings otherwise are two records.
  const identity = `=${hexFromOctets(after.record.rdata)}`
  await (before === undefined ? insertRecord : updateRecord)(tx, after.record, after.text, identity)
}

async function whilePausing<Result>(tx: Transaction, work: Sliced<Result>): Promise<Result> {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    await tx.pause()
  }
}
