// Replaces the records of a zone: matching records stay, others are deleted, all in one change set.
import { compareOctets, type Name } from '@zonereeve/dns'
import {
  type Actor,
  DomainError,
  type Issue,
  issueBelow,
  type Notice,
  throwIfIssues,
} from '@zonereeve/platform'
import { CHUNK_SIZE, chunksOf } from '@zonereeve/cooperate'
import type { Transaction } from '@zonereeve/storage'
import { beginChangeSet } from '../../changes/index.ts'
import { addressNotices, requireOwn, type Zone } from '../../zones/index.ts'
import type { RecordFields, RecordInput } from './dns-records.rules.ts'
import {
  deleteRecords,
  identityOf,
  outlinesOfType,
  rowsOfIds,
  typesOf,
  type RowOutline,
  type StoredRow,
} from './dns-records.store.ts'
import { insertRecords, type NewRecord, updateRecord } from './record-rows.store.ts'
import { openCoexistenceCheck, type CoexistenceCheck } from './coexistence.service.ts'
import {
  beginRecordChangeSet,
  type BeginChangeSet,
  proxiedAlias,
  type ChangeSession,
  type RecordChange,
  type RecordState,
} from './record-changes.service.ts'
import { createRecordStates } from './record-states.service.ts'
import { isUnsafe, isUnchanged, withWhatStays } from './replacement.rules.ts'
import { RECORDS_IN_CHUNK, type Outcome, type WriterDeps } from './record-writer.service.ts'

/** A record that the zone is to have. For an existing record, members that the input does not give are kept. */
export interface DesiredRecords {
  readonly input: RecordInput
  /** Where the client's input describes it. */
  readonly pointer: string
}

export interface DesiredList extends Iterable<DesiredRecords> {
  /** Whether a single record of the list has the name: it is not compared with others then. */
  readonly hasOne?: (name: Name) => boolean
}

/** Numbers of added, changed and removed records. */
export interface Replaced extends Outcome {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
}

/** Replaces all records of a zone by others that are known already. */
export type ReplaceRecords = (tx: Transaction, zone: Zone, actor: Actor, force: boolean) => Promise<Replaced>

export interface ReplacementDeps extends WriterDeps {
  readonly begin?: BeginChangeSet
}

/** Maximum number of issues reported in one reply. */
export const MAX_REPORTED_ISSUES = 100

/** Which stored records become which wanted ones. */
interface Pairing {
  /** The stored record for each wanted record, by its index in the list. */
  readonly rows: ReadonlyMap<number, RowOutline>
  readonly removed: readonly RowOutline[]
}

interface Session {
  readonly tx: Transaction
  readonly zone: Zone
  readonly at: string
  readonly coexistence: CoexistenceCheck
  readonly changes: ChangeSession
  readonly issues: Issue[]
  readonly notices: Notice[]
  readonly aliases: Outcome['proxiedAliases'][number][]
  /** Numbers of records to write. */
  readonly written: { added: number; changed: number }
}

/** A parsed wanted record, and the stored record it replaces. */
interface ReadDesired {
  readonly desired: DesiredRecords
  readonly outline: RowOutline | undefined
  readonly fields: RecordFields | readonly Issue[]
}

/** A change of a record that exists afterwards. */
interface WrittenChange extends RecordChange {
  readonly after: RecordState
  readonly identity: string
}

export function createRecordReplacement(deps: ReplacementDeps) {
  const { clock, fromText, edgeAddresses, begin = beginChangeSet } = deps
  const states = createRecordStates(deps)
  return { replace }

  /**
   * Gives the zone exactly the wanted records. Iterates over them several times and writes them in chunks, so that a
   * large list is never held in memory.
   *
   * @param force also apply changes that affect more of the zone than the safety limit allows.
   * @throws DomainError: issues of the wanted records, at most the first hundred; zone_file.unsafe; zone.follows.
   */
  async function replace(
    tx: Transaction,
    zone: Zone,
    desired: DesiredList,
    actor: Actor,
    force: boolean,
  ): Promise<Replaced> {
    requireOwn(zone)
    const { rows, removed } = await pairUp(tx, zone, desired)
    const session = open(tx, zone, actor, desired.hasOne)
    for (const some of chunksOf(removed, RECORDS_IN_CHUNK)) {
      await remove(session, some)
      await tx.yieldIfDue()
    }
    const count = await writeAll(session, desired, rows)
    throwIfIssues(session.issues.slice(0, MAX_REPORTED_ISSUES))
    const { added, changed } = session.written
    if (!force && isUnsafe(zone.recordCount, changed + removed.length)) {
      const values = { touched: changed + removed.length, records: zone.recordCount }
      throw new DomainError({ reason: 'zone_file.unsafe', values })
    }
    // A million names: they would be in memory until the records are published.
    session.coexistence.clear()
    const isChanged = added + changed + removed.length > 0
    const moved = isChanged ? await session.changes.commit() : zone
    return {
      added,
      changed,
      removed: removed.length,
      unchanged: count - added - changed,
      notices: [...session.notices, ...addressNotices(moved)],
      proxiedAliases: session.aliases,
      zone: moved,
    }
  }

  function open(tx: Transaction, zone: Zone, actor: Actor, hasOne: DesiredList['hasOne']): Session {
    const coexistence = openCoexistenceCheck(tx, zone, { hasEdge: edgeAddresses.length > 0 })
    coexistence.clear(hasOne)
    const at = clock.timestamp()
    const changes = beginRecordChangeSet(tx, zone, { actor, at, changesOnce: true, begin })
    const written = { added: 0, changed: 0 }
    const lists = { issues: [], notices: [], aliases: [] }
    return { tx, zone, at, coexistence, changes, ...lists, written }
  }

  /** Matches stored records to wanted ones: identical ones first, then others of the same RRset. */
  async function pairUp(tx: Transaction, zone: Zone, desired: Iterable<DesiredRecords>): Promise<Pairing> {
    const stored = await readStored(tx, zone)
    const rows = new Map<number, RowOutline>()
    if (stored.size === 0) return { rows, removed: [] }
    const unpaired = new Map<number, string>()
    let index = 0
    for (const { input } of desired) {
      const fields = states.read(input, zone)
      // Invalid records are reported when they are written.
      if ('name' in fields) {
        const row = stored.get(valueKey(fields, identityOf(fields)))
        if (row === undefined) unpaired.set(index, rrsetKey(fields))
        else rows.set(index, row)
        if (row !== undefined) stored.delete(valueKey(row, row.identity))
      }
      index += 1
      await tx.yieldIfDue()
    }
    const left = new Map<string, RowOutline[]>()
    for (const some of unpaired.size === 0 ? [] : chunksOf(stored.values(), RECORDS_IN_CHUNK)) {
      for (const row of some) {
        const rrset = left.get(rrsetKey(row))
        if (rrset === undefined) left.set(rrsetKey(row), [row])
        else rrset.push(row)
      }
      await tx.yieldIfDue()
    }
    for (const [at, key] of unpaired) {
      const row = left.get(key)?.shift()
      if (row === undefined) continue
      rows.set(at, row)
      stored.delete(valueKey(row, row.identity))
      await tx.yieldIfDue()
    }
    return { rows, removed: [...stored.values()] }
  }

  async function remove({ tx, zone, changes }: Session, outlines: readonly RowOutline[]): Promise<void> {
    const ids = outlines.map(({ id }) => id)
    const byId = new Map((await rowsOfIds(tx, zone.id, ids)).map((row) => [row.id, row]))
    await deleteRecords(tx, ids)
    const removed = ids.map((id) => {
      const row = byId.get(id)
      if (row === undefined) throw new Error(`record ${id} is gone within the transaction that read it`)
      return { before: readBack(row, zone), after: undefined }
    })
    await changes.append(removed)
  }

  /**
   * @returns the number of wanted records. Issues are added to the session; after the first, nothing more is written.
   */
  async function writeAll(
    session: Session,
    desired: Iterable<DesiredRecords>,
    rows: ReadonlyMap<number, RowOutline>,
  ): Promise<number> {
    // A DS record needs the NS records at its name, which may come later in the list.
    const later: (readonly [wanted: DesiredRecords, row: RowOutline | undefined])[] = []
    let count = 0
    const now = function* () {
      for (const each of desired) {
        const row = rows.get(count)
        count += 1
        if (each.input.type === 'DS') later.push([each, row])
        else yield [each, row] as const
      }
    }
    for (const list of [now(), later]) {
      for (const some of chunksOf(list, RECORDS_IN_CHUNK)) {
        await writeSome(session, some)
        if (session.issues.length >= MAX_REPORTED_ISSUES) return count
        await session.tx.yieldIfDue()
      }
    }
    return count
  }

  async function writeSome(
    session: Session,
    some: readonly (readonly [wanted: DesiredRecords, row: RowOutline | undefined])[],
  ): Promise<void> {
    const { tx, issues, changes, aliases, written } = session
    const notes: RecordChange[] = []
    const read = some.map(([desired, outline]) => ({
      desired,
      outline,
      fields: states.read(desired.input, session.zone),
    }))
    const rows = await closerLooks(session, read)
    const added: NewRecord[] = []
    const writes: Promise<void>[] = []
    for (const each of read) {
      const checked = checkMerged(session, each, rows)
      const change = checked instanceof Promise ? await checked : checked
      if (change === undefined || issues.length > 0) continue
      const { before, after, identity } = change
      if (before === undefined) {
        added.push({ record: after.record, body: after.text, identity })
      } else {
        const write = updateRecord(tx, after.record, after.text, identity)
        write.catch(() => {}) // reported below, unless reading the next record fails before
        writes.push(write)
      }
      if (before === undefined) written.added += 1
      else written.changed += 1
      aliases.push(...proxiedAlias(after))
      notes.push(change)
    }
    await insertRecords(tx, added)
    await Promise.all(writes)
    if (notes.length > 0) await changes.append(notes)
  }

  /** The stored records, by id, whose outlines do not prove that nothing changes. */
  async function closerLooks(
    { tx, zone }: Session,
    read: readonly ReadDesired[],
  ): Promise<ReadonlyMap<string, StoredRow>> {
    const ids = read.flatMap(({ desired, outline, fields }) => {
      if (outline === undefined || !('name' in fields)) return []
      // For types other than TXT, the identity represents the exact octets.
      const isSame = fields.type !== 'TXT' && outline.identity === identityOf(fields)
      return isSame && isUnchanged(outline, desired.input) ? [] : [outline.id]
    })
    const rows = ids.length === 0 ? [] : await rowsOfIds(tx, zone.id, ids)
    return new Map(rows.map((row) => [row.id, row]))
  }

  /** @returns the change; undefined if there is none. Issues are added to the session. */
  function checkMerged(
    session: Session,
    { desired, fields, outline }: ReadDesired,
    rows: ReadonlyMap<string, StoredRow>,
  ): WrittenChange | undefined | Promise<WrittenChange | undefined> {
    const { issues } = session
    if (!('name' in fields)) {
      issues.push(...below(desired.pointer, fields))
      return undefined
    }
    const note = (error: unknown): undefined => {
      if (!(error instanceof DomainError)) throw error
      issues.push(...below(desired.pointer, error.issues)) // rejected as a whole, after all issues are collected
    }
    try {
      const judged =
        outline === undefined
          ? judgeNew(session, fields)
          : judge(session, desired, fields, outline, rows.get(outline.id))
      return judged instanceof Promise ? judged.catch(note) : judged
    } catch (error) {
      return note(error)
    }
  }

  /** At once, unless something must be read for it: there may be a million. @throws DomainError as judge. */
  function judgeNew(session: Session, fields: RecordFields): WrittenChange | Promise<WrittenChange> {
    const { zone, at, coexistence } = session
    const identity = identityOf(fields)
    const add = (notices: readonly Notice[]): WrittenChange => {
      session.notices.push(...notices)
      const after = states.fresh(fields, zone, at)
      coexistence.put(after.record.id, fields, identity)
      return { before: undefined, after, identity }
    }
    const notices = coexistence.check(fields, undefined, identity)
    return notices instanceof Promise ? notices.then(add) : add(notices)
  }

  /** @returns the change; undefined if there is none. @throws DomainError: the issues of the record. */
  async function judge(
    { zone, at, coexistence, notices }: Session,
    { input }: DesiredRecords,
    fields: RecordFields,
    outline: RowOutline,
    row: StoredRow | undefined,
  ): Promise<WrittenChange | undefined> {
    const isSameValue = row === undefined || compareOctets(row.rdata, fields.rdata) === 0
    if (row === undefined || (isSameValue && isUnchanged(row, input))) {
      const same = { ...fields, proxied: outline.proxied, settings: outline.settings }
      await coexistence.check(same)
      coexistence.put(outline.id, same)
      return undefined
    }
    const merged = states.requireFields(withWhatStays(input, fromText(row.body).input, isSameValue), zone)
    const placementNotices = await coexistence.check(merged)
    const before = readBack(row, zone)
    const after = states.applyFields(before, merged, zone, at)
    coexistence.put(row.id, merged)
    if (after === before) return undefined
    notices.push(...placementNotices)
    return { before, after, identity: identityOf(merged) }
  }

  function readBack(row: StoredRow, zone: Zone): RecordState {
    return states.readBack(row.body, zone, row.id).before
  }
}

type RrsetPlace = Pick<RowOutline, 'name' | 'type'>

const rrsetKey = ({ name, type }: RrsetPlace): string => `${type} ${name}`
const valueKey = (place: RrsetPlace, identity: string): string => `${rrsetKey(place)} ${identity}`

/** The stored records by identity key. */
async function readStored(tx: Transaction, zone: Zone): Promise<Map<string, RowOutline>> {
  const stored = new Map<string, RowOutline>()
  for (const type of await typesOf(tx, zone.id)) {
    let page: RowOutline[] = []
    do {
      page = await outlinesOfType(tx, zone.id, type, page.at(-1), CHUNK_SIZE)
      for (const row of page) stored.set(valueKey(row, row.identity), row)
      await tx.yieldIfDue()
    } while (page.length === CHUNK_SIZE)
  }
  return stored
}

const below = (pointer: string, issues: readonly Issue[]): Issue[] =>
  issues.map((issue) => issueBelow(pointer, issue))
