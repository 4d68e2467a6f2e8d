// Writes records: a list of steps becomes one change set of the zone, one move of its serial, one announcement.
import type { Name } from '@zonereeve/dns'
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError, refuse, type Notice } from '../../platform/domain-error.ts'
import { demandMatch, etagOf, type Expected } from '../../platform/etag.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Transaction } from '../../storage/index.ts'
import { appendChange } from '../changes/index.ts'
import { servingSettingsOf } from '../dns-settings/index.ts'
import { addressNotices, advanceZone, type Zone, servedNameServers } from '../zones/index.ts'
import { coexistenceIssues, coexistenceNotices } from './coexistence.rules.ts'
import type { DnsRecord } from './dns-record.ts'
import {
  isAddressType,
  readRecord,
  servedTtlSeconds,
  type RecordFields,
  type RecordInput,
  type Surroundings,
} from './dns-records.rules.ts'
import {
  deleteRecord,
  findRecordText,
  identityOf,
  insertRecord,
  parkRecords,
  siblingsOf,
  updateRecord,
} from './dns-records.store.ts'
import { emailNotices } from './email-notices.rules.ts'

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

/** What of a stored record only its text tells. */
export interface StoredText {
  readonly input: RecordInput
  readonly createdOn: string
  readonly modifiedOn: string
  readonly commentModifiedOn: string | null
  readonly tagsModifiedOn: string | null
}

export interface RecordEdit extends Omit<RecordInput, 'type'> {
  readonly type: string | undefined
}

/** One step; `pointer` is where the caller's body describes it, and `expected` what the caller has seen of the record. */
export type RecordStep = { readonly pointer?: string; readonly expected?: Expected } & (
  | { readonly kind: 'create'; readonly input: RecordInput }
  /** A record that once was: under its old id, with its old times. */
  | { readonly kind: 'restore'; readonly id: string; readonly text: string }
  /** Members that are not said go back to their defaults. */
  | { readonly kind: 'overwrite'; readonly id: string; readonly edit: RecordEdit }
  /** Members that are not said stay. */
  | { readonly kind: 'edit'; readonly id: string; readonly edit: RecordEdit }
  | { readonly kind: 'remove'; readonly id: string }
)

export interface WriterDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly rules: Pick<Surroundings, 'lettersFirst' | 'quoteTxt'>
  /** A record as the text that replies carry, and back. */
  readonly toText: (record: DnsRecord) => string
  readonly fromText: (text: string) => StoredText
  readonly publish: (change: RecordsChanged) => void
  /** What proxied names are answered with, canonical; empty without an edge. */
  readonly edgeAddresses: readonly string[]
}

/** What the steps came to: for each the record's text (of a removed one, its last), and what its writer should know. */
export interface Applied {
  readonly texts: readonly string[]
  readonly notices: readonly Notice[]
  /** Proxied CNAMEs as they are now. */
  readonly proxiedAliases: readonly { readonly name: Name; readonly target: Name }[]
  readonly zone: Zone
}

interface RecordState {
  readonly record: DnsRecord
  readonly text: string
}

/** What one step changes; `after` undefined = removed, both the same = nothing. */
interface StepChange {
  readonly before: RecordState | undefined
  readonly after: RecordState | undefined
  readonly notices: readonly Notice[]
}

const MINIMUM_TTL_SECONDS = 60
const ENTERPRISE_MINIMUM_TTL_SECONDS = 30
const CHANGE_KINDS = { create: 'dns_record.create', update: 'dns_record.update', delete: 'dns_record.delete' }

export function createRecordWriter(deps: WriterDeps) {
  const { clock, ids, rules, toText, fromText, publish, edgeAddresses } = deps
  const hasEdge = edgeAddresses.length > 0
  return { apply }

  /**
   * Applies `steps` in order, all or nothing.
   *
   * @throws DomainError: what is wrong with the first step that fails, its pointers below that step's.
   */
  async function apply(
    tx: Transaction,
    zone: Zone,
    steps: readonly RecordStep[],
    actor: Actor,
  ): Promise<Applied> {
    const at = clock.timestamp()
    const changes: StepChange[] = []
    const returning = steps.flatMap((step) => (step.kind === 'restore' ? [step.id] : []))
    await parkRecords(tx, zone.id, returning)
    for (const step of steps) changes.push(await located(step, () => perform(tx, zone, step, at)))
    const real = changes.filter(({ before, after }) => before?.text !== after?.text)
    const moved = real.length === 0 ? zone : await commitChanges(tx, zone, real, actor, at)
    return {
      texts: changes.map(({ before, after }) => (after ?? before)?.text ?? ''),
      notices: [...distinct(changes.flatMap(({ notices }) => notices)), ...addressNotices(moved)],
      proxiedAliases: changes.flatMap(({ after }) => proxiedAlias(after)),
      zone: moved,
    }
  }

  function perform(tx: Transaction, zone: Zone, step: RecordStep, at: string): Promise<StepChange> {
    switch (step.kind) {
      case 'create':
        return create(tx, zone, step.input, at)
      case 'restore':
        return restore(tx, zone, step.id, step.text)
      case 'overwrite':
        return change(tx, zone, step, at, (before) => ({
          ...step.edit,
          type: before.type,
          name: step.edit.name ?? before.name,
        }))
      case 'edit':
        return change(tx, zone, step, at, (before) => merge(before, step.edit))
      case 'remove':
        return remove(tx, zone, step)
    }
  }

  async function create(tx: Transaction, zone: Zone, input: RecordInput, at: string): Promise<StepChange> {
    const fields = read(input, zone)
    const notices = await checkPlace(tx, zone, fields)
    const after = withText({
      ...fields,
      id: ids.id(),
      ...inZone(zone),
      createdOn: at,
      modifiedOn: at,
      commentModifiedOn: fields.comment === null ? null : at,
      tagsModifiedOn: fields.tags.length === 0 ? null : at,
    })
    await insertRecord(tx, after.record, after.text)
    return { before: undefined, after, notices }
  }

  async function restore(tx: Transaction, zone: Zone, id: string, text: string): Promise<StepChange> {
    const { input, ...times } = fromText(text)
    const fields = read(input, zone)
    const notices = await checkPlace(tx, zone, fields, id)
    const after = withText({ ...fields, ...times, id, ...inZone(zone) })
    const known = await findRecordText(tx, zone.id, id)
    const before = known === undefined ? undefined : readBack(known, zone, id).before
    if (before === undefined) await insertRecord(tx, after.record, after.text)
    else await updateRecord(tx, after.record, after.text)
    return { before, after, notices }
  }

  async function change(
    tx: Transaction,
    zone: Zone,
    { id, edit, expected }: { readonly id: string; readonly edit: RecordEdit; readonly expected?: Expected },
    at: string,
    inputFrom: (before: RecordInput) => RecordInput,
  ): Promise<StepChange> {
    const { before, input } = await demand(tx, zone, id, expected)
    if (edit.type !== undefined && edit.type !== before.record.type) {
      throw new DomainError({ reason: 'record.type_change', pointer: '/type' })
    }
    const fields = read(inputFrom(input), zone)
    const notices = await checkPlace(tx, zone, fields, id)
    const { comment, tags, commentModifiedOn, tagsModifiedOn } = before.record
    const untouched: DnsRecord = { ...fields, id, ...inZone(zone), ...timesOf(before.record) }
    if (toText(untouched) === before.text) return { before, after: before, notices }
    const after = withText({
      ...untouched,
      modifiedOn: at,
      commentModifiedOn: touched(fields.comment === null, fields.comment === comment, commentModifiedOn, at),
      tagsModifiedOn: touched(fields.tags.length === 0, sameTags(fields.tags, tags), tagsModifiedOn, at),
    })
    await updateRecord(tx, after.record, after.text)
    return { before, after, notices }
  }

  async function remove(
    tx: Transaction,
    zone: Zone,
    { id, expected }: { readonly id: string; readonly expected?: Expected },
  ): Promise<StepChange> {
    const { before } = await demand(tx, zone, id, expected)
    await deleteRecord(tx, before.record)
    return { before, after: undefined, notices: [] }
  }

  function read(input: RecordInput, zone: Zone): RecordFields {
    const fields = readRecord(input, {
      apex: zone.name,
      minimumTtlSeconds: zone.plan === 'enterprise' ? ENTERPRISE_MINIMUM_TTL_SECONDS : MINIMUM_TTL_SECONDS,
      edgeAddresses,
      offersFamilies: hasEdge,
      ...rules,
    })
    if ('name' in fields) return fields
    refuse(fields)
    throw new Error('a record without fields has issues')
  }

  async function checkPlace(
    tx: Transaction,
    zone: Zone,
    fields: RecordFields,
    id?: string,
  ): Promise<Notice[]> {
    const siblings = await siblingsOf(tx, zone.id, fields.name, id)
    const place = { apex: zone.name, nameServers: servedNameServers(zone) }
    refuse(coexistenceIssues(fields, identityOf(fields), siblings, place))
    const served = { apex: zone.name, hasEdge, multiProvider: await isMultiProvider(tx, zone, fields) }
    return [...coexistenceNotices(fields, siblings, served), ...emailNotices(fields, siblings)]
  }

  /** Looked up for the records alone that it makes a difference to. */
  async function isMultiProvider(
    tx: Transaction,
    zone: Zone,
    { type, name }: RecordFields,
  ): Promise<boolean> {
    return type === 'NS' && name === zone.name && (await servingSettingsOf(tx, zone)).multiProvider
  }

  /** @throws DomainError: record.unknown, request.precondition. */
  async function demand(tx: Transaction, zone: Zone, id: string, expected: Expected) {
    const text = await findRecordText(tx, zone.id, id)
    if (text === undefined) throw new DomainError({ reason: 'record.unknown' })
    demandMatch(expected, etagOf(text))
    return readBack(text, zone, id)
  }

  /** A stored record, and the input that says the same. */
  function readBack(
    text: string,
    zone: Zone,
    id: string,
  ): { readonly before: RecordState; readonly input: RecordInput } {
    const { input, ...times } = fromText(text)
    // What is stored passed the rules of its day; the laxest ones read it back.
    const fields = readRecord(input, {
      apex: zone.name,
      minimumTtlSeconds: 1,
      lettersFirst: false,
      quoteTxt: false,
      controlCharacters: true,
      edgeAddresses: [],
      offersFamilies: true,
    })
    if (!('name' in fields)) throw new Error(`record ${id} of zone ${zone.id} cannot be read back`)
    return { before: { record: { ...fields, ...times, id, ...inZone(zone) }, text }, input }
  }

  function withText(record: DnsRecord): RecordState {
    return { record, text: toText(record) }
  }

  /** Moves the zone on, writes the change set, and announces it once it is durable. */
  async function commitChanges(
    tx: Transaction,
    zone: Zone,
    changes: readonly StepChange[],
    actor: Actor,
    at: string,
  ): Promise<Zone> {
    const sum = (weight: (state: RecordState) => number) =>
      changes.reduce(
        (total, { before, after }) => total + (after ? weight(after) : 0) - (before ? weight(before) : 0),
        0,
      )
    const counts = {
      records: sum(() => 1),
      addresses: sum(({ record }) => (isAddressType(record.type) ? 1 : 0)),
    }
    const moved = await advanceZone(tx, zone, counts, at)
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
    const announced = { zoneId: zone.id, serial: moved.serial, ...netChange(changes) }
    tx.onCommit(() => publish(announced))
    return moved
  }
}

/** What the steps come to for each record, whatever way they took. */
function netChange(changes: readonly StepChange[]): Pick<RecordsChanged, 'removed' | 'added'> {
  const net = new Map<string, { before: RecordState | undefined; after: RecordState | undefined }>()
  for (const { before, after } of changes) {
    const id = (after ?? before)?.record.id ?? ''
    net.set(id, { before: net.has(id) ? net.get(id)?.before : before, after })
  }
  const served = (states: (RecordState | undefined)[]) =>
    states.filter((state) => state !== undefined).map(({ record }) => toServed(record))
  const ends = [...net.values()]
  return { removed: served(ends.map(({ before }) => before)), added: served(ends.map(({ after }) => after)) }
}

function toServed({ id, name, type, ttl, rdata, proxied, settings }: DnsRecord): ServedRecord {
  return { id, name, type, ttlSeconds: servedTtlSeconds(ttl), rdata, proxied, settings }
}

function proxiedAlias(state: RecordState | undefined): { readonly name: Name; readonly target: Name }[] {
  if (state === undefined || !state.record.proxied || state.record.type !== 'CNAME') return []
  const { name, content } = state.record
  return [{ name, target: content as Name }] // the content of a CNAME is a Name
}

async function located<T>({ pointer }: RecordStep, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (pointer === undefined || !(error instanceof DomainError)) throw error
    const [first, ...rest] = error.issues.map((issue) => ({
      ...issue,
      pointer: `${pointer}${issue.pointer ?? ''}`,
    }))
    throw first === undefined ? error : new DomainError([first, ...rest], error.notices)
  }
}

const inZone = (zone: Zone) => ({ zoneId: zone.id, zoneName: zone.displayName })

const timesOf = ({ createdOn, modifiedOn, commentModifiedOn, tagsModifiedOn }: DnsRecord) => ({
  createdOn,
  modifiedOn,
  commentModifiedOn,
  tagsModifiedOn,
})

/** Lays a patch over a record. */
function merge(before: RecordInput, patch: RecordEdit): RecordInput {
  const said = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  return { ...before, ...said, type: before.type }
}

function touched(absent: boolean, same: boolean, before: string | null, at: string): string | null {
  if (absent) return null
  return same ? before : at
}

const sameTags = (a: readonly string[], b: readonly string[]): boolean => a.join('\n') === b.join('\n')

/** A batch says the same thing of many records; once is enough. */
function distinct(notices: readonly Notice[]): Notice[] {
  return [...new Map(notices.map((notice) => [JSON.stringify(notice), notice])).values()]
}
