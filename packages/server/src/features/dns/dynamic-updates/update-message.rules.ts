// Parses an update message, and finds what is malformed in it (RFC 2136 §2, §3.1.1, §3.2.5, §3.4.1).
import {
  CLASS,
  decodeRdata,
  encodeRdata,
  isAtOrBelow,
  isDataType,
  isTypeName,
  META_TYPE,
  RCODE,
  typeText,
  WireError,
  type Message,
  type Name,
  type ResourceRecord,
} from '@zonereeve/dns'
import { UpdateRefusal } from './update-refusal.ts'

/** A record of an update. */
export interface UpdateRecord {
  readonly name: Name
  /** Type number. */
  readonly type: number
  readonly ttlSeconds: number
  readonly rdata: Uint8Array
}

/** A condition without which nothing is changed (RFC 2136 §2.4). */
export type Prerequisite =
  | { readonly kind: 'name_in_use' | 'name_not_in_use'; readonly name: Name }
  | { readonly kind: 'rrset_exists' | 'rrset_does_not_exist'; readonly name: Name; readonly type: number }
  /** One record of an rrset that must consist of exactly these. */
  | ({ readonly kind: 'rrset_equals' } & UpdateRecord)

/** A change to make (RFC 2136 §2.5). */
export type UpdateStep =
  | ({ readonly kind: 'add' | 'delete_record' } & UpdateRecord)
  | { readonly kind: 'delete_rrset'; readonly name: Name; readonly type: number }
  | { readonly kind: 'delete_name'; readonly name: Name }

export interface UpdateRequest {
  readonly zoneName: Name
  readonly prerequisites: readonly Prerequisite[]
  readonly steps: readonly UpdateStep[]
}

const SOA = 6

/** The zone that an update is for. @throws UpdateRefusal: FORMERR, NOTAUTH */
export function zoneNameOf({ questions }: Pick<Message, 'questions'>): Name {
  const [zone, ...others] = questions
  if (zone === undefined || others.length > 0 || zone.type !== SOA)
    throw new UpdateRefusal(RCODE.FORMERR, 'an update names one zone, by type SOA')
  if (zone.class !== CLASS.IN) throw new UpdateRefusal(RCODE.NOTAUTH, 'zones here are of class IN')
  return zone.name
}

/** Parses a whole update before any of it is performed. @throws UpdateRefusal: FORMERR, NOTAUTH, NOTZONE */
export function readUpdate(message: Message): UpdateRequest {
  const zoneName = zoneNameOf(message)
  return {
    zoneName,
    prerequisites: message.answers.map((record) => readPrerequisite(inZone(record, zoneName))),
    steps: message.authorities.map((record) => readStep(inZone(record, zoneName))),
  }
}

function inZone(record: ResourceRecord, zoneName: Name): ResourceRecord {
  if (isAtOrBelow(record.name, zoneName)) return record
  throw new UpdateRefusal(RCODE.NOTZONE, `${record.name} is outside the zone`)
}

function readPrerequisite(record: ResourceRecord): Prerequisite {
  const { name, type, ttl } = record
  if (ttl !== 0) throw malformedUpdate(record, 'a prerequisite has a TTL of 0')
  switch (record.class) {
    case CLASS.ANY:
      requireEmpty(record)
      if (type === META_TYPE.ANY) return { kind: 'name_in_use', name }
      return { kind: 'rrset_exists', name, type: dataType(record) }
    case CLASS.NONE:
      requireEmpty(record)
      if (type === META_TYPE.ANY) return { kind: 'name_not_in_use', name }
      return { kind: 'rrset_does_not_exist', name, type: dataType(record) }
    case CLASS.IN:
      return { kind: 'rrset_equals', ...readRecord(record) }
    default:
      throw malformedUpdate(record, 'a prerequisite is of class ANY, NONE or IN')
  }
}

function readStep(record: ResourceRecord): UpdateStep {
  const { name, type, ttl } = record
  switch (record.class) {
    case CLASS.IN:
      return { kind: 'add', ...readRecord(record) }
    case CLASS.ANY:
      requireEmpty(record)
      if (ttl !== 0) throw malformedUpdate(record, 'a deletion has a TTL of 0')
      if (type === META_TYPE.ANY) return { kind: 'delete_name', name }
      return { kind: 'delete_rrset', name, type: dataType(record) }
    case CLASS.NONE:
      if (ttl !== 0) throw malformedUpdate(record, 'a deletion has a TTL of 0')
      return { kind: 'delete_record', ...readRecord(record) }
    default:
      throw malformedUpdate(record, 'an update is of class IN, ANY or NONE')
  }
}

function readRecord(record: ResourceRecord): UpdateRecord {
  return { name: record.name, type: dataType(record), ttlSeconds: record.ttl, rdata: canonicalRdata(record) }
}

function dataType(record: ResourceRecord): number {
  if (isDataType(record.type)) return record.type
  throw malformedUpdate(record, 'the type is no type of data')
}

/** In the stored form: names in lower case. */
function canonicalRdata(record: ResourceRecord): Uint8Array {
  const type = typeText(record.type)
  if (!isTypeName(type)) return record.rdata
  try {
    return encodeRdata(type, decodeRdata(type, record.rdata))
  } catch (error) {
    if (error instanceof WireError) throw malformedUpdate(record, error.message)
    throw error
  }
}

function requireEmpty(record: ResourceRecord): void {
  if (record.rdata.length > 0) throw malformedUpdate(record, 'there is a value where none may be')
}

function malformedUpdate({ name, type }: ResourceRecord, why: string): UpdateRefusal {
  return new UpdateRefusal(RCODE.FORMERR, `${name} ${typeText(type)}: ${why}`)
}
