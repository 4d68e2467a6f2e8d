// Gives a zone other records: what is there already stays as it is, what is not wanted goes, all in one change set.
import { compareOctets } from '@zonereeve/dns'
import type { Actor } from '../../platform/actor.ts'
import { DomainError, refuse, type Issue, type Notice } from '../../platform/domain-error.ts'
import { portions } from '../../platform/portions.ts'
import type { Transaction } from '../../storage/index.ts'
import { addressNotices, demandOwn, type Zone } from '../zones/index.ts'
import type { RecordFields, RecordInput } from './dns-records.rules.ts'
import {
  deleteRecords,
  identityOf,
  insertRecord,
  outlinesOfType,
  rowsOfIds,
  typesOf,
  updateRecord,
  type RowOutline,
  type StoredRow,
} from './dns-records.store.ts'
import { openPlacing, type Placing } from './placing.service.ts'
import {
  openChanges,
  proxiedAlias,
  type ChangeSession,
  type RecordChange,
  type RecordState,
} from './record-changes.service.ts'
import { createRecordStates } from './record-states.service.ts'
import { isUnsafe, saysNothingNew, withWhatStays } from './replacement.rules.ts'
import { RECORDS_AT_ONCE, type Outcome, type WriterDeps } from './record-writer.service.ts'

/** A record that the zone is to have; of one that is there already, what the input does not say stays. */
export interface Wanted {
  readonly input: RecordInput
  /** Where the caller describes it. */
  readonly pointer: string
}

/** How many records went which way. */
export interface Replaced extends Outcome {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
}

/** Refusals that are told at once. */
export const MAX_TOLD_ISSUES = 100
const ROWS_AT_ONCE = 500

/** What is to become of the stored records. */
interface Pairing {
  /** By the place of a wanted record in its list: the stored one that it is from now on. */
  readonly rows: ReadonlyMap<number, RowOutline>
  readonly removed: readonly RowOutline[]
}

interface Session {
  readonly tx: Transaction
  readonly zone: Zone
  readonly at: string
  readonly placing: Placing
  readonly changes: ChangeSession
  readonly issues: Issue[]
  readonly notices: Notice[]
  readonly aliases: Outcome['proxiedAliases'][number][]
  /** How many records are to be written. */
  readonly written: { added: number; changed: number }
}

/** A wanted record, read, and what is stored in its place. */
interface ReadWanted {
  readonly wanted: Wanted
  readonly outline: RowOutline | undefined
  readonly fields: RecordFields | readonly Issue[]
}

/** Of a record that is there afterwards. */
interface WrittenChange extends RecordChange {
  readonly after: RecordState
}

export function createRecordReplacement(deps: WriterDeps) {
  const { clock, publish, fromText, edgeAddresses } = deps
  const states = createRecordStates(deps)
  return { replace }

  /**
   * Gives the zone the wanted records and no others. They are gone through several times, and written as they come: of a
   * great many none is held for longer than its turn.
   *
   * @param force also where that touches more of the zone than is taken for meant.
   * @throws DomainError: what is wrong with the wanted records, the first hundred; zone_file.unsafe; zone.follows.
   */
  async function replace(
    tx: Transaction,
    zone: Zone,
    wanted: Iterable<Wanted>,
    actor: Actor,
    force: boolean,
  ): Promise<Replaced> {
    demandOwn(zone)
    const { rows, removed } = await pairUp(tx, zone, wanted)
    const session = open(tx, zone, actor)
    for (const some of portions(removed, RECORDS_AT_ONCE)) {
      await remove(session, some)
      await tx.pause()
    }
    const count = await writeAll(session, wanted, rows)
    refuse(session.issues.slice(0, MAX_TOLD_ISSUES))
    const { added, changed } = session.written
    if (!force && isUnsafe(zone.recordCount, changed + removed.length)) {
      const values = { touched: changed + removed.length, records: zone.recordCount }
      throw new DomainError({ reason: 'zone_file.unsafe', values })
    }
    const isChanged = added + changed + removed.length > 0
    const moved = isChanged ? await session.changes.finish() : zone
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

  function open(tx: Transaction, zone: Zone, actor: Actor): Session {
    const placing = openPlacing(tx, zone, { hasEdge: edgeAddresses.length > 0 })
    placing.clear()
    const at = clock.timestamp()
    const changes = openChanges(tx, zone, { actor, at, publish })
    const written = { added: 0, changed: 0 }
    return { tx, zone, at, placing, changes, issues: [], notices: [], aliases: [], written }
  }

  /** Finds the stored records that become wanted ones: the identical ones first, then others of the same rrset. */
  async function pairUp(tx: Transaction, zone: Zone, wanted: Iterable<Wanted>): Promise<Pairing> {
    const stored = await readStored(tx, zone)
    const rows = new Map<number, RowOutline>()
    if (stored.size === 0) return { rows, removed: [] }
    const unpaired = new Map<number, string>()
    let index = 0
    for (const { input } of wanted) {
      const fields = states.read(input, zone)
      // What cannot be read is told when it is to be written.
      if ('name' in fields) {
        const row = stored.get(valueKey(fields, identityOf(fields)))
        if (row === undefined) unpaired.set(index, rrsetKey(fields))
        else rows.set(index, row)
        if (row !== undefined) stored.delete(valueKey(row, row.identity))
      }
      if ((index += 1) % RECORDS_AT_ONCE === 0) await tx.pause()
    }
    const left = new Map<string, RowOutline[]>()
    for (const some of unpaired.size === 0 ? [] : portions(stored.values(), RECORDS_AT_ONCE)) {
      for (const row of some) {
        const rrset = left.get(rrsetKey(row))
        if (rrset === undefined) left.set(rrsetKey(row), [row])
        else rrset.push(row)
      }
      await tx.pause()
    }
    for (const [at, key] of unpaired) {
      const row = left.get(key)?.shift()
      if (row === undefined) continue
      rows.set(at, row)
      stored.delete(valueKey(row, row.identity))
      if (rows.size % ROWS_AT_ONCE === 0) await tx.pause()
    }
    return { rows, removed: [...stored.values()] }
  }

  async function remove({ tx, zone, changes }: Session, outlines: readonly RowOutline[]): Promise<void> {
    const ids = outlines.map(({ id }) => id)
    const byId = new Map((await rowsOfIds(tx, zone.id, ids)).map((row) => [row.id, row]))
    await deleteRecords(tx, ids)
    const gone = ids.flatMap((id) => byId.get(id) ?? [])
    await changes.note(gone.map((row) => ({ before: readBack(row, zone), after: undefined })))
  }

  /** @returns how many are wanted. Issues go to the session; once there are some, nothing more is written. */
  async function writeAll(
    session: Session,
    wanted: Iterable<Wanted>,
    rows: ReadonlyMap<number, RowOutline>,
  ): Promise<number> {
    // A DS record needs the NS records at its name, which may come behind it.
    const later: (readonly [wanted: Wanted, row: RowOutline | undefined])[] = []
    let count = 0
    const now = function* () {
      for (const each of wanted) {
        const row = rows.get(count)
        count += 1
        if (each.input.type === 'DS') later.push([each, row])
        else yield [each, row] as const
      }
    }
    for (const list of [now(), later]) {
      for (const some of portions(list, RECORDS_AT_ONCE)) {
        await writeSome(session, some)
        if (session.issues.length >= MAX_TOLD_ISSUES) return count
        await session.tx.pause()
      }
    }
    return count
  }

  async function writeSome(
    session: Session,
    some: readonly (readonly [wanted: Wanted, row: RowOutline | undefined])[],
  ): Promise<void> {
    const { tx, issues, changes, aliases, written } = session
    const noted: RecordChange[] = []
    const read = some.map(([wanted, outline]) => ({
      wanted,
      outline,
      fields: states.read(wanted.input, session.zone),
    }))
    const rows = await closerLooks(session, read)
    for (const each of read) {
      const change = await judged(session, each, rows)
      if (change === undefined || issues.length > 0) continue
      const { before, after } = change
      await (before === undefined ? insertRecord : updateRecord)(tx, after.record, after.text)
      if (before === undefined) written.added += 1
      else written.changed += 1
      aliases.push(...proxiedAlias(after))
      noted.push(change)
    }
    if (noted.length > 0) await changes.note(noted)
  }

  /** The stored records, by their ids, whose outlines do not tell that nothing changes. */
  async function closerLooks(
    { tx, zone }: Session,
    read: readonly ReadWanted[],
  ): Promise<ReadonlyMap<string, StoredRow>> {
    const ids = read.flatMap(({ wanted, outline, fields }) => {
      if (outline === undefined || !('name' in fields)) return []
      // Of other types the identity stands for the very octets.
      const isSame = fields.type !== 'TXT' && outline.identity === identityOf(fields)
      return isSame && saysNothingNew(outline, wanted.input) ? [] : [outline.id]
    })
    const rows = ids.length === 0 ? [] : await rowsOfIds(tx, zone.id, ids)
    return new Map(rows.map((row) => [row.id, row]))
  }

  /** @returns the change; undefined where there is none. What is wrong goes to the session. */
  async function judged(
    session: Session,
    { wanted, fields, outline }: ReadWanted,
    rows: ReadonlyMap<string, StoredRow>,
  ): Promise<WrittenChange | undefined> {
    if (!('name' in fields)) {
      session.issues.push(...below(wanted.pointer, fields))
      return undefined
    }
    try {
      return await judge(session, wanted, fields, outline, rows.get(outline?.id ?? ''))
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      session.issues.push(...below(wanted.pointer, error.issues)) // refused as a whole, once all are told
      return undefined
    }
  }

  /** @returns the change; undefined where there is none. @throws DomainError: what is wrong with the record. */
  async function judge(
    { zone, at, placing, notices }: Session,
    { input }: Wanted,
    fields: RecordFields,
    outline: RowOutline | undefined,
    row: StoredRow | undefined,
  ): Promise<WrittenChange | undefined> {
    if (outline === undefined) {
      notices.push(...(await placing.check(fields)))
      const after = states.fresh(fields, zone, at)
      placing.put(after.record.id, fields)
      return { before: undefined, after }
    }
    const isSameValue = row === undefined || compareOctets(row.rdata, fields.rdata) === 0
    if (row === undefined || (isSameValue && saysNothingNew(row, input))) {
      const same = { ...fields, proxied: outline.proxied, settings: outline.settings }
      await placing.check(same)
      placing.put(outline.id, same)
      return undefined
    }
    const merged = states.demand(withWhatStays(input, fromText(row.body).input, isSameValue), zone)
    const told = await placing.check(merged)
    const before = readBack(row, zone)
    const after = states.changed(before, merged, zone, at)
    placing.put(row.id, merged)
    if (after === before) return undefined
    notices.push(...told)
    return { before, after }
  }

  function readBack(row: StoredRow, zone: Zone): RecordState {
    return states.readBack(row.body, zone, row.id).before
  }
}

type RrsetPlace = Pick<RowOutline, 'name' | 'type'>

const rrsetKey = ({ name, type }: RrsetPlace): string => `${type} ${name}`
const valueKey = (place: RrsetPlace, identity: string): string => `${rrsetKey(place)} ${identity}`

/** What is stored, by what makes one record another. */
async function readStored(tx: Transaction, zone: Zone): Promise<Map<string, RowOutline>> {
  const stored = new Map<string, RowOutline>()
  for (const type of await typesOf(tx, zone.id)) {
    let page: RowOutline[] = []
    do {
      page = await outlinesOfType(tx, zone.id, type, page.at(-1), ROWS_AT_ONCE)
      for (const row of page) stored.set(valueKey(row, row.identity), row)
      await tx.pause()
    } while (page.length === ROWS_AT_ONCE)
  }
  return stored
}

const below = (pointer: string, issues: readonly Issue[]): Issue[] =>
  issues.map((issue) => ({ ...issue, pointer: `${pointer}${issue.pointer ?? ''}` }))
