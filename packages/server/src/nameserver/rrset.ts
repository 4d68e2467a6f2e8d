// An rrset, ready to be copied into an answer (RFC 2181 §5).
import { compareOctets } from '@zonereeve/dns'
import type { ZoneRecord } from './zone-data.ts'

/** Types with a meaning for answering; all others are just data. */
export const TYPE = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  HINFO: 13,
  MX: 15,
  AAAA: 28,
  SRV: 33,
  OPT: 41,
  DS: 43,
  DNSKEY: 48,
  CDS: 59,
  CDNSKEY: 60,
} as const

/** Octets from the start of a record to its rdata, when the owner is a pointer: owner, type, class, TTL, length. */
export const RDATA_OFFSET = 12

/** Immutable. */
export interface Rrset {
  readonly type: number
  readonly ttl: number
  /** Records in `wire`. */
  readonly count: number
  /**
   * Records as in an answer, their owner a pointer to octet 12, where the question's name stands. In the canonical order
   * of RFC 4034 §6.3, each rdata once, all with the lowest TTL (RFC 2181 §5, §5.2).
   */
  readonly wire: Uint8Array
  /** What it was made of; none for the records that a zone makes itself. */
  readonly records: readonly ZoneRecord[]
}

/**
 * Builds an rrset from at least one record, all of one name and type. Shares the octets of `like`, if that was made of
 * the very same rdata: many names may be served with the same addresses.
 */
export function buildRrset(records: readonly ZoneRecord[], like?: Rrset): Rrset {
  if (like !== undefined && isMadeOf(like, records)) return { ...like, records }
  const type = records[0]?.type ?? 0
  const ttl = records.reduce((lowest, record) => Math.min(lowest, record.ttl), 0x7fff_ffff)
  const rdatas = distinctOctets(records.map((record) => record.rdata))
  // An alias has one target (RFC 2181 §10.1): of several, the first is served.
  return { ...synthesiseRrset(type, ttl, type === TYPE.CNAME ? rdatas.slice(0, 1) : rdatas), records }
}

function isMadeOf({ records: made }: Rrset, records: readonly ZoneRecord[]): boolean {
  if (made.length !== records.length) return false
  return records.every(({ rdata, ttl }, i) => made[i]?.rdata === rdata && made[i].ttl === ttl)
}

/** Builds an rrset that no record stands for. */
export function synthesiseRrset(type: number, ttl: number, rdatas: readonly Uint8Array[]): Rrset {
  const distinct = distinctOctets(rdatas)
  const wire = new Uint8Array(distinct.reduce((octets, rdata) => octets + RDATA_OFFSET + rdata.length, 0))
  const view = new DataView(wire.buffer)
  let at = 0
  for (const rdata of distinct) {
    view.setUint16(at, 0xc00c)
    view.setUint16(at + 2, type)
    view.setUint16(at + 4, 1) // class IN
    view.setUint32(at + 6, ttl)
    view.setUint16(at + 10, rdata.length)
    wire.set(rdata, at + RDATA_OFFSET)
    at += RDATA_OFFSET + rdata.length
  }
  return { type, ttl, count: distinct.length, wire, records: [] }
}

function distinctOctets(rdatas: readonly Uint8Array[]): readonly Uint8Array[] {
  if (rdatas.length === 1) return rdatas
  const sorted = rdatas.toSorted(compareOctets)
  return sorted.filter((rdata, i) => i === 0 || compareOctets(rdata, sorted[i - 1] ?? rdata) !== 0)
}

/** Whether both are the same octets, or neither is there. */
export const isSameRrset = (a: Rrset | undefined, b: Rrset | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && compareOctets(a.wire, b.wire) === 0)

/** The rdata of each record, in order. */
export function rdatasOf({ wire, count }: Rrset): Uint8Array[] {
  const rdatas: Uint8Array[] = []
  for (let i = 0, at = 0; i < count; i += 1) {
    const rdata = at + RDATA_OFFSET
    at = rdata + (((wire[at + 10] ?? 0) << 8) | (wire[at + 11] ?? 0))
    rdatas.push(wire.subarray(rdata, at))
  }
  return rdatas
}

/** Where in its rdata a type has the name of another node that answers follow or look up; -1 when it has none. */
export function targetOffset(type: number): number {
  if (type === TYPE.NS || type === TYPE.CNAME) return 0
  if (type === TYPE.MX) return 2
  return type === TYPE.SRV ? 6 : -1
}
