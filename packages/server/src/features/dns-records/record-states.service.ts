// Records between what callers send, what is stored, and what they become: read by the rules, with ids and times.
import type { Ids } from '../../platform/ids.ts'
import { refuse, type Issue } from '../../platform/domain-error.ts'
import type { Zone } from '../zones/index.ts'
import type { DnsRecord } from './dns-record.ts'
import { readRecord, type RecordFields, type RecordInput, type Surroundings } from './dns-records.rules.ts'
import type { RecordState } from './record-changes.service.ts'

/** What of a stored record only its text tells. */
export interface StoredText {
  readonly input: RecordInput
  readonly createdOn: string
  readonly modifiedOn: string
  readonly commentModifiedOn: string | null
  readonly tagsModifiedOn: string | null
}

export interface RecordStatesDeps {
  readonly ids: Ids
  readonly rules: Pick<Surroundings, 'lettersFirst' | 'quoteTxt'>
  /** A record as the text that replies carry, and back. */
  readonly toText: (record: DnsRecord) => string
  readonly fromText: (text: string) => StoredText
  /** What proxied names are answered with, canonical; empty without an edge. */
  readonly edgeAddresses: readonly string[]
}

const MINIMUM_TTL_SECONDS = 60
const ENTERPRISE_MINIMUM_TTL_SECONDS = 30

export function createRecordStates({ ids, rules, toText, fromText, edgeAddresses }: RecordStatesDeps) {
  return { read, demand, readBack, fresh, restored, changed }

  /** @returns what the input says, or every broken rule. */
  function read(input: RecordInput, zone: Zone): RecordFields | readonly Issue[] {
    return readRecord(input, {
      apex: zone.name,
      minimumTtlSeconds: zone.plan === 'enterprise' ? ENTERPRISE_MINIMUM_TTL_SECONDS : MINIMUM_TTL_SECONDS,
      edgeAddresses,
      offersFamilies: edgeAddresses.length > 0,
      ...rules,
    })
  }

  /** @throws DomainError: every broken rule. */
  function demand(input: RecordInput, zone: Zone): RecordFields {
    const fields = read(input, zone)
    if ('name' in fields) return fields
    refuse(fields)
    throw new Error('a record without fields has issues')
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

  function fresh(fields: RecordFields, zone: Zone, at: string): RecordState {
    return withText({
      ...fields,
      id: ids.id(),
      ...inZone(zone),
      createdOn: at,
      modifiedOn: at,
      commentModifiedOn: fields.comment === null ? null : at,
      tagsModifiedOn: fields.tags.length === 0 ? null : at,
    })
  }

  /** A record that once was, under its old id, with its old times. */
  function restored(fields: RecordFields, id: string, stored: StoredText, zone: Zone): RecordState {
    const { input: _, ...times } = stored
    return withText({ ...fields, ...times, id, ...inZone(zone) })
  }

  /** The record with other fields; the very same state where they say what it says. */
  function changed(before: RecordState, fields: RecordFields, zone: Zone, at: string): RecordState {
    const { id, comment, tags, createdOn, modifiedOn, commentModifiedOn, tagsModifiedOn } = before.record
    const times = { createdOn, modifiedOn, commentModifiedOn, tagsModifiedOn }
    const untouched: DnsRecord = { ...fields, id, ...inZone(zone), ...times }
    if (toText(untouched) === before.text) return before
    return withText({
      ...untouched,
      modifiedOn: at,
      commentModifiedOn: touched(fields.comment === null, fields.comment === comment, commentModifiedOn, at),
      tagsModifiedOn: touched(fields.tags.length === 0, sameTags(fields.tags, tags), tagsModifiedOn, at),
    })
  }

  function withText(record: DnsRecord): RecordState {
    return { record, text: toText(record) }
  }
}

const inZone = (zone: Zone) => ({ zoneId: zone.id, zoneName: zone.displayName })

function touched(absent: boolean, same: boolean, before: string | null, at: string): string | null {
  if (absent) return null
  return same ? before : at
}

const sameTags = (a: readonly string[], b: readonly string[]): boolean => a.join('\n') === b.join('\n')
