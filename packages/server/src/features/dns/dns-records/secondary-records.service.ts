// Gives a secondary zone the records and the serial of its primary: one transfer is one change set.
import { hexFromOctets, type Name, requireTypeCode } from '@zonereeve/dns'
import { SYSTEM } from '@zonereeve/platform'
import { CHUNK_SIZE, chunksOf, yieldingIn } from '@zonereeve/cooperate'
import type { Transaction } from '@zonereeve/storage'
import type { Zone } from '../../zones/index.ts'
import type { DnsRecord } from './dns-record.ts'
import {
  deleteRecords,
  identityOf,
  pageOfType,
  rowsAtNames,
  typesOf,
  type StoredRow,
} from './dns-records.store.ts'
import { insertRecords, type NewRecord, updateRecord } from './record-rows.store.ts'
import {
  requirePossible,
  requireWellFormed,
  secondaryFields,
  secondaryState,
  isSameValue,
  valueKey,
  type SecondaryContents,
} from './secondary-records.rules.ts'
import { beginRecordChangeSet, type RecordChange, type RecordState } from './record-changes.service.ts'
import type { RecordValue } from './record-value.rules.ts'
import { RECORDS_IN_CHUNK, type WriterDeps } from './record-writer.service.ts'
import { SIGNER_TYPES } from './types/opaque.ts'

/** A change of a record that exists afterwards. */
interface WrittenChange extends RecordChange {
  readonly after: RecordState
}

interface StoredValue extends RecordValue {
  readonly row: StoredRow
}

export function createSecondaryRecords({ clock, ids, toText, fromText }: WriterDeps) {
  return { follow }

  /**
   * Replaces the zone's records and serial by those of its primary.
   *
   * @returns the updated zone. @throws UnusableZone: then the transaction must not be committed.
   */
  async function follow(
    tx: Transaction,
    zone: Zone,
    contents: SecondaryContents,
    serial: number,
  ): Promise<Zone> {
    const at = clock.timestamp()
    const stored = await readStored(tx, zone, contents)
    const desired = await yieldingIn(tx, secondaryState(stored, contents))
    await yieldingIn(tx, requirePossible(zone.name, desired.values()))
    const session = beginRecordChangeSet(tx, zone, { actor: SYSTEM, at, serial })
    for (const some of chunksOf(
      [...stored].filter(([key]) => !desired.has(key)),
      RECORDS_IN_CHUNK,
    )) {
      await deleteRecords(
        tx,
        some.map(([, { row }]) => row.id),
      )
      await session.append(some.map(([, value]) => ({ before: stateOf(zone, value), after: undefined })))
      await tx.yieldIfDue()
    }
    for (const some of chunksOf(desired, RECORDS_IN_CHUNK)) {
      const changes = some.flatMap(([key, value]) => changeOf(zone, stored.get(key), value, at))
      await writeRows(tx, changes)
      if (changes.length > 0) await session.append(changes)
      await tx.yieldIfDue()
    }
    return session.commit()
  }

  function changeOf(
    zone: Zone,
    before: StoredValue | undefined,
    value: RecordValue,
    at: string,
  ): WrittenChange[] {
    if (before === undefined) return [{ before, after: fresh(zone, value, at) }]
    return isSameValue(before, value) ? [] : [toWrittenChange(zone, before, value, at)]
  }

  function fresh(zone: Zone, value: RecordValue, at: string): RecordState {
    requireWellFormed(value)
    const times = { createdOn: at, modifiedOn: at, commentModifiedOn: null, tagsModifiedOn: null }
    return withText({ ...secondaryFields(value), id: ids.id(), ...inZone(zone), ...times })
  }

  function toWrittenChange(zone: Zone, stored: StoredValue, value: RecordValue, at: string): WrittenChange {
    const before = stateOf(zone, stored)
    const after = withText({ ...before.record, ...secondaryFields(value), modifiedOn: at })
    return { before, after }
  }

  function stateOf(zone: Zone, { row, ...value }: StoredValue): RecordState {
    const { input: _, ...times } = fromText(row.body)
    const record = { ...secondaryFields(value), id: row.id, ...inZone(zone), ...times }
    return { record, text: row.body }
  }

  function withText(record: DnsRecord): RecordState {
    return { record, text: toText(record) }
  }
}

const inZone = (zone: Zone) => ({ zoneId: zone.id, zoneName: zone.displayName })

/** Reads the whole zone, or the names that a difference touches and the apex. */
async function readStored(
  tx: Transaction,
  zone: Zone,
  contents: SecondaryContents,
): Promise<ReadonlyMap<string, StoredValue>> {
  const stored = new Map<string, StoredValue>()
  const take = (rows: readonly StoredRow[]): void => {
    for (const row of rows) {
      const { name, ttl: ttlSeconds, rdata } = row
      const value = { name, type: requireTypeCode(row.type), ttlSeconds, rdata, row }
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
      page = await pageOfType(tx, zone.id, type, page.at(-1), CHUNK_SIZE)
      take(page)
      await tx.yieldIfDue()
    } while (page.length === CHUNK_SIZE)
  }
  return stored
}

/** No update gives a row the value of another one: their order does not matter. */
async function writeRows(tx: Transaction, changes: readonly WrittenChange[]): Promise<void> {
  const added: NewRecord[] = []
  for (const { before, after } of changes) {
    const row = { record: after.record, body: after.text, identity: secondaryIdentity(after.record) }
    if (before === undefined) added.push(row)
    else await updateRecord(tx, row.record, row.body, row.identity)
  }
  await insertRecords(tx, added)
}

/** On a primary, TXT values split differently into strings are two records. Signatures are long, and very many. */
const secondaryIdentity = (record: DnsRecord): string =>
  SIGNER_TYPES.includes(record.type) ? identityOf(record) : `=${hexFromOctets(record.rdata)}`
