// Records between client input, stored rows and new states: validated by the rules, with ids and times.
import type { Name } from '@zonereeve/dns'
import { type Ids, type Issue, throwIfIssues } from '@zonereeve/platform'
import type { Zone } from '../../zones/index.ts'
import type { DnsRecord } from './dns-record.ts'
import {
  NO_INPUT,
  readRecord,
  type RecordFields,
  type RecordInput,
  type RecordContext,
  type Settable,
} from './dns-records.rules.ts'
import { areServedColumnsWhole } from './served-rows.store.ts'
import { isObject, isWholeBody, type RecordRow } from './record-body.store.ts'
import { recordName } from './record-name.rules.ts'
import type { RecordState } from './record-changes.service.ts'

/** Parts of a stored record that only its text contains. */
export interface StoredText {
  readonly input: RecordInput
  readonly createdOn: string
  readonly modifiedOn: string
  readonly commentModifiedOn: string | null
  readonly tagsModifiedOn: string | null
}

export interface RecordStatesDeps {
  readonly ids: Ids
  readonly rules: Pick<RecordContext, 'lettersFirst' | 'quoteTxt' | 'rejectsUnknown'>
  /** Serializes a record to its JSON text for replies. */
  readonly toText: (record: DnsRecord) => string
  readonly fromText: (text: string) => StoredText
  /** Addresses that proxied names are answered with, canonical; empty without an edge. */
  readonly edgeAddresses: readonly string[]
}

const MINIMUM_TTL_SECONDS = 60
const ENTERPRISE_MINIMUM_TTL_SECONDS = 30

/** What the rules of records need to know of a zone. */
export type NamingZone = Pick<Zone, 'id' | 'name' | 'plan'>

export function createRecordStates({ ids, rules, toText, fromText, edgeAddresses }: RecordStatesDeps) {
  let latest: { readonly zone: NamingZone; readonly context: RecordContext } | undefined
  return { read, nameOf, requireFields, readBack, readRow, fresh, restoreState, applyFields }

  /** @returns the fields of the input, or every broken rule. */
  function read(input: RecordInput, zone: Zone): RecordFields | readonly Issue[] {
    return readRecord(input, contextIn(zone))
  }

  /** @returns undefined if the input has no valid name. */
  function nameOf(input: RecordInput, zone: NamingZone): Name | undefined {
    const name = recordName(input, contextIn(zone))
    return typeof name === 'string' ? name : undefined
  }

  /** A list of records is checked in one zone: its context is created once. */
  function contextIn(zone: NamingZone): RecordContext {
    if (latest?.zone === zone) return latest.context
    const context = {
      apex: zone.name,
      minimumTtlSeconds: zone.plan === 'enterprise' ? ENTERPRISE_MINIMUM_TTL_SECONDS : MINIMUM_TTL_SECONDS,
      edgeAddresses,
      offersFamilies: edgeAddresses.length > 0,
      ...rules,
    }
    latest = { zone, context }
    return context
  }

  /** @throws DomainError: every broken rule. */
  function requireFields(input: RecordInput, zone: Zone): RecordFields {
    const fields = read(input, zone)
    if ('name' in fields) return fields
    throwIfIssues(fields)
    throw new Error('a record without fields has issues')
  }

  function readBack(text: string, zone: Zone, id: string): StoredState {
    return readStored(fromText(text), text, zone, id)
  }

  /** Reads a stored record, even if its row is damaged: from its body if possible, otherwise from its columns. */
  function readRow(row: RecordRow, zone: Zone): StoredState {
    if (!isWholeBody(row)) return readColumns(row, zone)
    try {
      const { before, input } = readBack(row.body, zone, row.id)
      const { name, rdata } = before.record
      const isWhole =
        name === row.name &&
        Buffer.compare(rdata, row.rdata) === 0 &&
        isObject(row.settings) &&
        areServedColumnsWhole(row)
      return isWhole ? { before, input } : { before: { ...before, damage: 'columns' }, input }
    } catch {
      // The body breaks the rules.
      return readColumns(row, zone)
    }
  }

  /**
   * A record whose body cannot be read. Its text says that it is damaged, so that any replacement differs from it.
   */
  function readColumns(row: RecordRow, zone: Zone): StoredState {
    const { id, name, content, ttl, rdata, comment } = row
    // Empty in rows of earlier versions.
    const type = row.shown_type === '' ? row.type : row.shown_type
    const input = { ...NO_INPUT, type, name, content, ttl, comment: comment ?? undefined }
    const record: DnsRecord = {
      id,
      name: name as Name, // it may be invalid: only its id and type are used
      type: type as RecordFields['type'], // as above
      content,
      text: null,
      ttl,
      rdata,
      proxied: row.proxied === 1,
      proxiable: false,
      settings: {},
      comment,
      tags: [],
      createdOn: row.created_on,
      modifiedOn: row.modified_on || row.created_on, // empty: the same
      commentModifiedOn: null,
      tagsModifiedOn: null,
      ...inZone(zone),
    }
    const text = JSON.stringify({ id, name, type, content, damaged: true })
    return { before: { record, text, damage: 'body' }, input }
  }

  function fresh(fields: RecordFields, zone: Zone, at: string): RecordState {
    const { name, type, content, data, priority, rdata, text, ttl, proxied, proxiable } = fields
    const { settings, comment, tags } = fields
    // Spreading anything takes several times as long, and files have a great many records.
    const record: Settable<DnsRecord> = {
      name,
      type,
      content,
      rdata,
      text,
      ttl,
      proxied,
      proxiable,
      settings,
      comment,
      tags,
      id: ids.risingId(),
      zoneId: zone.id,
      zoneName: zone.displayName,
      createdOn: at,
      modifiedOn: at,
      commentModifiedOn: comment === null ? null : at,
      tagsModifiedOn: tags.length === 0 ? null : at,
    }
    if (data !== undefined) record.data = data
    if (priority !== undefined) record.priority = priority
    return withText(record)
  }

  /** A deleted record, restored under its old id with its old times. */
  function restoreState(fields: RecordFields, id: string, stored: StoredText, zone: Zone): RecordState {
    const { input: _, ...times } = stored
    return withText({ id, zoneId: zone.id, zoneName: zone.displayName, ...times, ...fields })
  }

  /** The record with other fields; the same object if nothing differs. */
  function applyFields(before: RecordState, fields: RecordFields, zone: Zone, at: string): RecordState {
    const { id, comment, tags, createdOn, modifiedOn, commentModifiedOn, tagsModifiedOn } = before.record
    const times = { createdOn, modifiedOn, commentModifiedOn, tagsModifiedOn }
    // Spread last: a copy that gets further members has a hidden class of its own (ADR 151).
    const untouched: DnsRecord = { id, zoneId: zone.id, zoneName: zone.displayName, ...times, ...fields }
    if (before.damage === undefined && toText(untouched) === before.text) return before
    return withText({
      ...untouched,
      modifiedOn: at,
      commentModifiedOn: touchedAt(
        fields.comment === null,
        fields.comment === comment,
        commentModifiedOn,
        at,
      ),
      tagsModifiedOn: touchedAt(fields.tags.length === 0, sameTags(fields.tags, tags), tagsModifiedOn, at),
    })
  }

  function withText(record: DnsRecord): RecordState {
    return { record, text: toText(record) }
  }
}

/** A stored record, and the equivalent input. */
export interface StoredState {
  readonly before: RecordState
  readonly input: RecordInput
}

export function readStored(
  { input, ...times }: StoredText,
  text: string,
  zone: Zone,
  id: string,
): StoredState {
  // Stored records passed the rules of their time; the laxest rules parse them.
  const fields = readRecord(input, {
    apex: zone.name,
    minimumTtlSeconds: 1,
    lettersFirst: false,
    quoteTxt: false,
    rejectsUnknown: false,
    isStored: true,
    edgeAddresses: [],
    offersFamilies: true,
  })
  if (!('name' in fields)) throw new Error(`record ${id} of zone ${zone.id} cannot be read back`)
  const { createdOn, modifiedOn, commentModifiedOn, tagsModifiedOn } = times
  const record: DnsRecord = {
    id,
    zoneId: zone.id,
    zoneName: zone.displayName,
    createdOn,
    modifiedOn,
    commentModifiedOn,
    tagsModifiedOn,
    ...fields, // last, as above
  }
  return { before: { record, text }, input }
}

const inZone = (zone: Zone) => ({ zoneId: zone.id, zoneName: zone.displayName })

function touchedAt(absent: boolean, same: boolean, before: string | null, at: string): string | null {
  if (absent) return null
  return same ? before : at
}

const sameTags = (a: readonly string[], b: readonly string[]): boolean => a.join('\n') === b.join('\n')
