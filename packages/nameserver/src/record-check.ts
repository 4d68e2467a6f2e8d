// Checks records, so that answering with them cannot fail later.
import { MAX_NAME_OCTETS, type Name, writeName } from '@zonereeve/dns'
import { isServiceType, targetOffset, TYPE } from './rrset.ts'
import { WireName } from './wire-name.ts'
import { ZoneDataError } from './zone-data.ts'
import type { ZoneRecord } from './zone-data.ts'

/** The length of an ID is one octet in the zone store. */
const MAX_ID_OCTETS = 255
/** Of one UTF-16 code unit. */
const MAX_UTF8_OCTETS = 3

const owner = new WireName()
const ownerOctets = new Uint8Array(MAX_NAME_OCTETS)
const target = new WireName()

/**
 * Returns the key of the record's owner, relative to the apex. @throws ZoneDataError if the record cannot be served
 */
export function checkRecord(record: ZoneRecord, apex: WireName, zoneId: string): string {
  const { id, type, ttl, rdata } = record
  const key = checkName(record.name, apex, zoneId, id)
  if (id.length > MAX_ID_OCTETS / MAX_UTF8_OCTETS && Buffer.byteLength(id) > MAX_ID_OCTETS)
    throw new ZoneDataError('record.bad_id', zoneId, id)
  if (!isDataType(type) || (type === TYPE.SOA && key !== ''))
    throw new ZoneDataError('record.bad_type', zoneId, id)
  if (!Number.isInteger(ttl) || ttl < 0 || ttl > 0x7fff_ffff)
    throw new ZoneDataError('record.bad_ttl', zoneId, id)
  if (rdata.length > 0xffff || !hasGoodTarget(type, rdata))
    throw new ZoneDataError('record.bad_rdata', zoneId, id)
  return key
}

/**
 * Returns the key of a name, relative to the apex; '' for the apex itself. @throws ZoneDataError if it is not a name
 * or outside the zone
 */
export function checkName(name: string, apex: WireName, zoneId: string, recordId?: string): string {
  readName(owner, name, zoneId, recordId)
  const apexLabel = owner.labels - apex.labels
  if (apexLabel < 0 || !owner.endsLike(apexLabel, apex, 0)) {
    throw new ZoneDataError('record.outside_zone', zoneId, recordId)
  }
  return owner.key(0, apexLabel)
}

/** Reads a Name into `into` and returns it. @throws ZoneDataError if it is not a name */
export function readName(into: WireName, name: string, zoneId: string, recordId?: string): WireName {
  try {
    const length = writeName(name as Name, ownerOctets) // the caller guarantees a Name; an invalid string fails here or below
    if (into.read(ownerOctets, 0, length) === length) return into
  } catch {
    // Any error means that the record is refused with the reason below.
  }
  throw new ZoneDataError('record.bad_name', zoneId, recordId)
}

/** All records of a zone that cannot be served. */
export function unservableRecords(
  apexName: string,
  records: Iterable<ZoneRecord>,
  zoneId: string,
): readonly { readonly record: ZoneRecord; readonly failure: ZoneDataError }[] {
  const apex = readName(new WireName(), apexName, zoneId)
  const found: { readonly record: ZoneRecord; readonly failure: ZoneDataError }[] = []
  for (const record of records) {
    try {
      checkRecord(record, apex, zoneId)
    } catch (failure) {
      if (!(failure instanceof ZoneDataError)) throw failure
      found.push({ record, failure })
    }
  }
  return found
}

/** Data types; not 0, OPT, or the range of question and meta types (RFC 6895 §3.1). */
function isDataType(type: number): boolean {
  return (
    Number.isInteger(type) && type > 0 && type <= 0xffff && type !== TYPE.OPT && (type < 128 || type > 255)
  )
}

/**
 * Answers read the target from the rdata that they have just written, so it must be a complete, uncompressed name. A
 * service target is followed by parameters; an invalid one is skipped when answering.
 */
function hasGoodTarget(type: number, rdata: Uint8Array): boolean {
  const offset = type === TYPE.DNAME ? 0 : targetOffset(type)
  return offset === -1 || isServiceType(type) || target.read(rdata, offset, rdata.length) === rdata.length
}
