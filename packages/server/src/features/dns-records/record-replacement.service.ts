// Gives a zone other records: what is there already stays as it is, what is not wanted goes, all in one change set.
import { compareOctets, type Name } from '@zonereeve/dns'
import type { Actor } from '../../platform/actor.ts'
import { DomainError, refuse, type Issue, type Notice } from '../../platform/domain-error.ts'
import type { Transaction } from '../../storage/index.ts'
import { addressNotices, demandOwn, type Zone } from '../zones/index.ts'
import type { RecordFields, RecordInput } from './dns-records.rules.ts'
import {
  deleteRecords,
  identityOf,
  insertRecord,
  pageOfType,
  typesOf,
  updateRecord,
  type StoredRow,
} from './dns-records.store.ts'
import { openPlacing, type Placing } from './placing.service.ts'
import { commitChanges, proxiedAlias, type RecordChange, type RecordState } from './record-changes.service.ts'
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
const ROWS_AT_ONCE = 1_000

interface Pair {
  readonly wanted: Wanted
  readonly fields: RecordFields
  /** The stored record that it is from now on. */
  row: StoredRow | undefined
}

interface Session {
  readonly tx: Transaction
  readonly zone: Zone
  readonly at: string
  readonly placing: Placing
  readonly issues: Issue[]
  readonly notices: Notice[]
}

export function createRecordReplacement(deps: WriterDeps) {
  const { clock, publish, fromText, edgeAddresses } = deps
  const states = createRecordStates(deps)
  return { replace }

  /**
   * Gives the zone the wanted records and no others.
   *
   * @param force also where that touches more of the zone than is taken for meant.
   * @throws DomainError: what is wrong with the wanted records, the first hundred; zone_file.unsafe; zone.follows.
   */
  async function replace(
    tx: Transaction,
    zone: Zone,
    wanted: readonly Wanted[],
    actor: Actor,
    force: boolean,
  ): Promise<Replaced> {
    demandOwn(zone)
    const placing = openPlacing(tx, zone, { hasEdge: edgeAddresses.length > 0 })
    const session: Session = { tx, zone, at: clock.timestamp(), placing, issues: [], notices: [] }
    const stored = await readStored(tx, zone)
    const pairs = await pairUp(session, wanted, stored)
    placing.clear(new Set(pairs.map(({ fields }) => fields.name)))
    const changes = await judge(session, pairs)
    const removed = [...stored.values()].flatMap((rrset) => [...rrset.values()])
    refuse(session.issues.slice(0, MAX_TOLD_ISSUES))
    const changed = changes.filter(({ before }) => before !== undefined).length
    if (!force && isUnsafe(zone.recordCount, changed + removed.length)) {
      const values = { touched: changed + removed.length, records: zone.recordCount }
      throw new DomainError({ reason: 'zone_file.unsafe', values })
    }
    const gone = removed.map((row): RecordChange => ({ before: readBack(row, zone), after: undefined }))
    await write(tx, gone, changes)
    const all = [...gone, ...changes]
    const moved =
      all.length === 0 ? zone : await commitChanges(tx, zone, all, { actor, at: session.at, publish })
    return {
      added: changes.length - changed,
      changed,
      removed: removed.length,
      unchanged: pairs.length - changes.length,
      notices: [...session.notices, ...addressNotices(moved)],
      proxiedAliases: changes.flatMap(({ after }) => proxiedAlias(after)),
      zone: moved,
    }
  }

  /** Takes the rows that become wanted records out of `stored`: the identical ones first, then others of the same rrset. */
  async function pairUp(session: Session, wanted: readonly Wanted[], stored: StoredRrsets): Promise<Pair[]> {
    const pairs: Pair[] = []
    for (const [index, each] of wanted.entries()) {
      const fields = states.read(each.input, session.zone)
      if ('name' in fields) pairs.push({ wanted: each, fields, row: takeIdentical(stored, fields) })
      else session.issues.push(...below(each.pointer, fields))
      if (index % RECORDS_AT_ONCE === RECORDS_AT_ONCE - 1) await session.tx.pause()
    }
    for (const pair of pairs) pair.row ??= takeAny(stored, pair.fields)
    return pairs
  }

  /** @returns what changes; issues and notices go to the session. */
  async function judge(session: Session, pairs: readonly Pair[]): Promise<RecordChange[]> {
    const { tx, issues } = session
    const changes: RecordChange[] = []
    // A DS record needs the NS records at its name, which may come behind it.
    const ordered = pairs.toSorted((a, b) => Number(a.fields.type === 'DS') - Number(b.fields.type === 'DS'))
    for (const [index, pair] of ordered.entries()) {
      try {
        const change = await judgeOne(session, pair)
        if (change !== undefined) changes.push(change)
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        issues.push(...below(pair.wanted.pointer, error.issues)) // refused as a whole, once all are told
      }
      if (issues.length >= MAX_TOLD_ISSUES) break
      if (index % RECORDS_AT_ONCE === RECORDS_AT_ONCE - 1) await tx.pause()
    }
    return changes
  }

  /** @returns the change; undefined where there is none. @throws DomainError: what is wrong with the record. */
  async function judgeOne(
    { zone, at, placing, notices }: Session,
    { wanted, fields, row }: Pair,
  ): Promise<RecordChange | undefined> {
    if (row === undefined) {
      notices.push(...(await placing.check(fields)))
      const after = states.fresh(fields, zone, at)
      placing.put(after.record.id, fields)
      return { before: undefined, after }
    }
    if (saysNothingNew(row, wanted.input, fields)) {
      const same = { ...fields, proxied: row.proxied, settings: row.settings }
      await placing.check(same)
      placing.put(row.id, same)
      return undefined
    }
    const isSameValue = compareOctets(row.rdata, fields.rdata) === 0
    const merged = states.demand(withWhatStays(wanted.input, fromText(row.body).input, isSameValue), zone)
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

/** What is stored, by name and type, then by identity. */
type StoredRrsets = Map<string, Map<string, StoredRow>>

const rrsetKey = ({ name, type }: { readonly name: Name; readonly type: string }): string => `${type} ${name}`

async function readStored(tx: Transaction, zone: Zone): Promise<StoredRrsets> {
  const stored: StoredRrsets = new Map()
  for (const type of await typesOf(tx, zone.id)) {
    let page: StoredRow[] = []
    do {
      page = await pageOfType(tx, zone.id, type, page.at(-1), ROWS_AT_ONCE)
      for (const row of page) {
        const rrset = stored.get(rrsetKey(row))
        if (rrset === undefined) stored.set(rrsetKey(row), new Map([[row.identity, row]]))
        else rrset.set(row.identity, row)
      }
      await tx.pause()
    } while (page.length === ROWS_AT_ONCE)
  }
  return stored
}

function takeIdentical(stored: StoredRrsets, fields: RecordFields): StoredRow | undefined {
  const rrset = stored.get(rrsetKey(fields))
  const identity = identityOf(fields)
  const row = rrset?.get(identity)
  rrset?.delete(identity)
  return row
}

function takeAny(stored: StoredRrsets, fields: RecordFields): StoredRow | undefined {
  const rrset = stored.get(rrsetKey(fields))
  const [row] = rrset?.values() ?? []
  if (row !== undefined) rrset?.delete(row.identity)
  return row
}

async function write(
  tx: Transaction,
  gone: readonly RecordChange[],
  changes: readonly RecordChange[],
): Promise<void> {
  await deleteRecords(
    tx,
    gone.flatMap(({ before }) => (before === undefined ? [] : [before.record.id])),
  )
  for (const [index, { before, after }] of changes.entries()) {
    if (after === undefined) continue
    await (before === undefined ? insertRecord : updateRecord)(tx, after.record, after.text)
    if (index % RECORDS_AT_ONCE === RECORDS_AT_ONCE - 1) await tx.pause()
  }
}

const below = (pointer: string, issues: readonly Issue[]): Issue[] =>
  issues.map((issue) => ({ ...issue, pointer: `${pointer}${issue.pointer ?? ''}` }))
