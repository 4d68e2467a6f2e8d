// Records of a zone: created, overwritten, edited, deleted; each as one change set, announced after commit.
import type { Name } from '@zonereeve/dns'
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError, refuse, type Notice } from '../../platform/domain-error.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { appendChange } from '../changes/index.ts'
import { addressNotices, advanceZone, demandZone, type Zone } from '../zones/index.ts'
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
  siblingsOf,
  updateRecord,
} from './dns-records.store.ts'
import { createPageStarts } from './page-starts.ts'
import { listRecords, type RecordPage, type RecordQuery } from './record-list.store.ts'

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

export interface DnsRecordsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  readonly rules: Pick<Surroundings, 'lettersFirst' | 'quoteTxt'>
  /** A record as the text that replies carry, and back. */
  readonly toText: (record: DnsRecord) => string
  readonly fromText: (text: string) => StoredText
  readonly publish: (change: RecordsChanged) => void
  /** What proxied names are answered with, canonical; empty without an edge. */
  readonly edgeAddresses: readonly string[]
  /** Whether the CNAME of a name leads to an address; false also when that cannot be told in a short time. */
  readonly hasAddress: (name: Name, target: Name) => Promise<boolean>
}

/** A record's text, and what its writer should know. */
export interface Written {
  readonly text: string
  readonly notices: readonly Notice[]
}

const MINIMUM_TTL_SECONDS = 60
const ENTERPRISE_MINIMUM_TTL_SECONDS = 30

export type DnsRecords = ReturnType<typeof createDnsRecords>

export function createDnsRecords({
  storage,
  clock,
  ids,
  rules,
  toText,
  fromText,
  publish,
  edgeAddresses,
  hasAddress,
}: DnsRecordsDeps) {
  const pageStarts = createPageStarts()
  const hasEdge = edgeAddresses.length > 0
  return { list, get, create, overwrite, edit, remove }

  /** @throws DomainError: zone.unknown. */
  async function list(zoneId: string, wanted: RecordQuery): Promise<RecordPage> {
    const zone = await demandZone(storage, zoneId)
    return listRecords(storage, zone, wanted, pageStarts)
  }

  /** @throws DomainError: record.unknown. */
  async function get(zoneId: string, id: string): Promise<string> {
    const text = await findRecordText(storage, zoneId, id)
    if (text === undefined) throw new DomainError({ reason: 'record.unknown' })
    return text
  }

  /** @throws DomainError: every broken rule of the record, or what stands in its way. */
  async function create(zoneId: string, input: RecordInput, actor: Actor): Promise<Written> {
    const written = await storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      const fields = read(input, zone)
      const notices = await checkPlace(tx, zone, fields)
      const at = clock.timestamp()
      const after: DnsRecord = {
        ...fields,
        id: ids.id(),
        zoneId,
        zoneName: zone.displayName,
        createdOn: at,
        modifiedOn: at,
        commentModifiedOn: fields.comment === null ? null : at,
        tagsModifiedOn: fields.tags.length === 0 ? null : at,
      }
      const text = toText(after)
      await insertRecord(tx, after, text)
      const moved = await commitChange(tx, zone, actor, at, { after, afterText: text })
      return { text, fields, notices: [...notices, ...addressNotices(moved)] }
    })
    return withTargetNotice(written)
  }

  /** Members that are not sent go back to their defaults. @throws DomainError as create; record.type_change. */
  function overwrite(zoneId: string, id: string, edit: RecordEdit, actor: Actor): Promise<Written> {
    return change(zoneId, id, actor, edit.type, (before) => ({
      ...edit,
      type: before.type,
      name: edit.name ?? before.name,
    }))
  }

  /** Members that are not sent stay. @throws DomainError as create; record.type_change. */
  function edit(zoneId: string, id: string, patch: RecordEdit, actor: Actor): Promise<Written> {
    return change(zoneId, id, actor, patch.type, (before) => merge(before, patch))
  }

  async function change(
    zoneId: string,
    id: string,
    actor: Actor,
    type: string | undefined,
    inputFrom: (before: RecordInput) => RecordInput,
  ): Promise<Written> {
    const written = await storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      const { before, beforeText, stored } = await demandRecord(tx, zone, id)
      if (type !== undefined && type !== before.type) {
        throw new DomainError({ reason: 'record.type_change', pointer: '/type' })
      }
      const fields = read(inputFrom(stored.input), zone)
      const notices = await checkPlace(tx, zone, fields, id)
      const at = clock.timestamp()
      const untouched: DnsRecord = { ...before, ...fields }
      if (toText(untouched) === beforeText)
        return { text: beforeText, fields, notices: [...notices, ...addressNotices(zone)] }
      const after: DnsRecord = {
        ...untouched,
        modifiedOn: at,
        commentModifiedOn: touched(
          fields.comment === null,
          fields.comment === before.comment,
          before.commentModifiedOn,
          at,
        ),
        tagsModifiedOn: touched(
          fields.tags.length === 0,
          sameTags(fields.tags, before.tags),
          before.tagsModifiedOn,
          at,
        ),
      }
      const text = toText(after)
      await updateRecord(tx, after, text)
      const moved = await commitChange(tx, zone, actor, at, { before, beforeText, after, afterText: text })
      return { text, fields, notices: [...notices, ...addressNotices(moved)] }
    })
    return withTargetNotice(written)
  }

  /**
   * Proxied traffic must end at an address (specification §2.2 rule 1). Told after the write, not a reason to refuse it:
   * the target may come later, and others' nameservers must not decide what can be written here.
   */
  async function withTargetNotice({ text, fields, notices }: WrittenFields): Promise<Written> {
    const { name, type, content, proxied } = fields
    if (type !== 'CNAME' || !proxied) return { text, notices }
    if (await hasAddress(name, content as Name)) return { text, notices } // content of a CNAME is a Name
    return {
      text,
      notices: [...notices, { notice: 'record.target_unresolved', values: { name, target: content } }],
    }
  }

  /** @throws DomainError: record.unknown. */
  function remove(zoneId: string, id: string, actor: Actor): Promise<readonly Notice[]> {
    return storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      const { before, beforeText } = await demandRecord(tx, zone, id)
      await deleteRecord(tx, before)
      const moved = await commitChange(tx, zone, actor, clock.timestamp(), { before, beforeText })
      return addressNotices(moved)
    })
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

  async function checkPlace(tx: Transaction, zone: Zone, fields: RecordFields, id?: string) {
    const siblings = await siblingsOf(tx, zone.id, fields.name, id)
    const place = { apex: zone.name, nameServers: zone.nameServers }
    refuse(coexistenceIssues(fields, identityOf(fields), siblings, place))
    return coexistenceNotices(fields, siblings, { apex: zone.name, hasEdge })
  }

  async function demandRecord(tx: Transaction, zone: Zone, id: string) {
    const text = await findRecordText(tx, zone.id, id)
    if (text === undefined) throw new DomainError({ reason: 'record.unknown' })
    const stored = fromText(text)
    const { input, ...times } = stored
    // What is stored passed the rules of its day; the laxest ones read it back.
    const fields = readRecord(input, {
      apex: zone.name,
      minimumTtlSeconds: 1,
      lettersFirst: false,
      quoteTxt: false,
      edgeAddresses: [],
      offersFamilies: true,
    })
    if (!('name' in fields)) throw new Error(`record ${id} of zone ${zone.id} cannot be read back`)
    const before: DnsRecord = { ...fields, ...times, id, zoneId: zone.id, zoneName: zone.displayName }
    return { before, beforeText: text, stored }
  }

  /** Moves the zone on, writes the change set, and announces it once it is durable. */
  async function commitChange(
    tx: Transaction,
    zone: Zone,
    actor: Actor,
    at: string,
    { before, beforeText, after, afterText }: RecordChange,
  ): Promise<Zone> {
    const addresses = (record?: DnsRecord) => (record !== undefined && isAddressType(record.type) ? 1 : 0)
    const counts = {
      records: (after === undefined ? 0 : 1) - (before === undefined ? 0 : 1),
      addresses: addresses(after) - addresses(before),
    }
    const moved = await advanceZone(tx, zone, counts, at)
    const kind =
      before === undefined
        ? 'dns_record.create'
        : after === undefined
          ? 'dns_record.delete'
          : 'dns_record.update'
    const objectId = (after ?? before)?.id ?? ''
    const ops = [{ kind, objectId, before: beforeText ?? null, after: afterText ?? null }]
    await appendChange(tx, { scopeId: zone.id, at, actor, serial: moved.serial, ops })
    tx.onCommit(() =>
      publish({
        zoneId: zone.id,
        serial: moved.serial,
        removed: before === undefined ? [] : [toServed(before)],
        added: after === undefined ? [] : [toServed(after)],
      }),
    )
    return moved
  }
}

interface WrittenFields extends Written {
  readonly fields: RecordFields
}

interface RecordChange {
  readonly before?: DnsRecord
  readonly beforeText?: string
  readonly after?: DnsRecord
  readonly afterText?: string
}

function toServed({ id, name, type, ttl, rdata, proxied, settings }: DnsRecord): ServedRecord {
  return { id, name, type, ttlSeconds: servedTtlSeconds(ttl), rdata, proxied, settings }
}

/** Lays a patch over a record. A new `content` replaces the parts in `data`; a new `priority` reaches into them. */
function merge(before: RecordInput, patch: RecordEdit): RecordInput {
  const said = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  const merged: RecordInput = { ...before, ...said, type: before.type }
  if (patch.data !== undefined) return merged
  if (patch.content !== undefined) return { ...merged, data: undefined }
  if (patch.priority === undefined || merged.data === undefined) return merged
  return { ...merged, data: { ...merged.data, priority: patch.priority } }
}

function touched(absent: boolean, same: boolean, before: string | null, at: string): string | null {
  if (absent) return null
  return same ? before : at
}

const sameTags = (a: readonly string[], b: readonly string[]): boolean => a.join('\n') === b.join('\n')
