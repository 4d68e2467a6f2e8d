// What a record must be so that answering with it cannot fail later.
import { nameToWire } from '@zonereeve/dns'
import type { Name } from '@zonereeve/dns'
import { targetOffset, TYPE } from './rrset.ts'
import { WireName } from './wire-name.ts'
import { ZoneDataError } from './zone-data.ts'
import type { ZoneRecord } from './zone-data.ts'

const owner = new WireName()
const target = new WireName()

/** Key of the record's owner, relative to the apex. @throws ZoneDataError when the record cannot be served */
export function checkRecord(record: ZoneRecord, apex: WireName, zoneId: string): string {
  const { id, type, ttl, rdata } = record
  const key = checkName(record.name, apex, zoneId, id)
  if (!isDataType(type) || (type === TYPE.SOA && key !== ''))
    throw new ZoneDataError('record.bad_type', zoneId, id)
  if (!Number.isInteger(ttl) || ttl < 0 || ttl > 0x7fff_ffff)
    throw new ZoneDataError('record.bad_ttl', zoneId, id)
  if (rdata.length > 0xffff || !hasGoodTarget(type, rdata))
    throw new ZoneDataError('record.bad_rdata', zoneId, id)
  return key
}

/** Key of a name, relative to the apex; '' for the apex itself. @throws ZoneDataError for none, or one outside */
export function checkName(name: string, apex: WireName, zoneId: string, recordId?: string): string {
  readName(owner, name, zoneId, recordId)
  const apexLabel = owner.labels - apex.labels
  if (apexLabel < 0 || !owner.endsLike(apexLabel, apex, 0)) {
    throw new ZoneDataError('record.outside_zone', zoneId, recordId)
  }
  return owner.key(0, apexLabel)
}

/** Reads a Name's text into `into` and returns it. @throws ZoneDataError when it is none */
export function readName(into: WireName, name: string, zoneId: string, recordId?: string): WireName {
  try {
    const wire = nameToWire(name as Name) // promised by the caller; a text that is no name fails here or below
    if (into.read(wire, 0, wire.length) === wire.length) return into
  } catch {
    // Whatever is wrong with the text, the record is refused with the reason below.
  }
  throw new ZoneDataError('record.bad_name', zoneId, recordId)
}

/** Data types; not 0, OPT, or the range of question and meta types (RFC 6895 §3.1). */
function isDataType(type: number): boolean {
  return (
    Number.isInteger(type) && type > 0 && type <= 0xffff && type !== TYPE.OPT && (type < 128 || type > 255)
  )
}

/** Answers read the target out of the rdata that they have just written, so it must be a whole, uncompressed name. */
function hasGoodTarget(type: number, rdata: Uint8Array): boolean {
  const offset = targetOffset(type)
  return offset === -1 || target.read(rdata, offset, rdata.length) === rdata.length
}
