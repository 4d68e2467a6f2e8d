// An rrset, ready to be copied into an answer (RFC 2181 §5).
import { compareOctets, elementAt, RRSIG, uint16At } from '@zonereeve/dns'
import type { ZoneRecord } from './zone-data.ts'

/** Types with special handling in answers; all others are plain data. */
export const TYPE = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  HINFO: 13,
  MX: 15,
  AAAA: 28,
  SRV: 33,
  DNAME: 39,
  OPT: 41,
  DS: 43,
  DNSKEY: 48,
  CDS: 59,
  CDNSKEY: 60,
  ZONEMD: 63,
  SVCB: 64,
  HTTPS: 65,
} as const

/** Octets from the start of a record to its rdata if the owner is a pointer: owner, type, class, TTL, length. */
export const RDATA_OFFSET = 12

/** Immutable. */
export interface Rrset {
  readonly type: number
  readonly ttl: number
  /** Records in `wire`. */
  readonly count: number
  /**
   * Records as in an answer; their owner is a pointer to octet 12, where the question's name is. In the canonical
   * order of RFC 4034 §6.3, each rdata once, all with the lowest TTL (RFC 2181 §5, §5.2).
   */
  readonly wire: Uint8Array
  /** The records it was built from; empty for those that a zone synthesizes. */
  readonly records: readonly ZoneRecord[]
}

/** The records of an rrset with its signatures behind them. */
export class SignedRecords implements Rrset {
  readonly type: number
  readonly ttl: number
  readonly count: number
  readonly wire: Uint8Array
  readonly #plain: Rrset

  constructor(plain: Rrset, { count, wire }: { readonly count: number; readonly wire: Uint8Array }) {
    this.#plain = plain
    this.type = plain.type
    this.ttl = plain.ttl
    this.count = count
    this.wire = wire
  }

  get records(): readonly ZoneRecord[] {
    return this.#plain.records
  }
}

/** Builds an rrset from at least one record, all of one name and type. */
export function buildRrset(records: readonly ZoneRecord[]): Rrset {
  const { type, ttl: firstTtl, rdata: firstRdata } = elementAt(records, 0)
  if (records.length === 1) return rrsetOf(type, firstTtl, [firstRdata], records)
  if (type === RRSIG) return signatureRrset(records)
  const ttl = records.reduce((lowest, record) => Math.min(lowest, record.ttl), 0x7fff_ffff)
  const rdatas = distinctOctets(records.map((record) => record.rdata))
  // An alias has one target (RFC 2181 §10.1, RFC 6672 §2.4): of several, the first is served.
  const isAlias = type === TYPE.CNAME || type === TYPE.DNAME
  return rrsetOf(type, ttl, isAlias ? rdatas.slice(0, 1) : rdatas, records)
}

/**
 * The signatures of a name: each has the TTL of the rrset that it covers (RFC 4034 §3). Their rdata begins with the
 * covered type, so those of one rrset are next to each other.
 */
function signatureRrset(records: readonly ZoneRecord[]): Rrset {
  const sorted = records.toSorted((a, b) => compareOctets(a.rdata, b.rdata))
  const each = sorted
    .filter(({ rdata }, i) => i === 0 || compareOctets(rdata, elementAt(sorted, i - 1).rdata) !== 0)
    .map(({ ttl, rdata }) => rrsetOf(RRSIG, ttl, [rdata], NO_RECORDS))
  const ttl = each.reduce((lowest, one) => Math.min(lowest, one.ttl), 0x7fff_ffff)
  const wire = Buffer.concat(each.map((one) => one.wire))
  return { type: RRSIG, ttl, count: each.length, wire, records: sorted }
}

/** Builds an rrset without records. */
export const synthesiseRrset = (type: number, ttl: number, rdatas: readonly Uint8Array[]): Rrset =>
  rrsetOf(type, ttl, distinctOctets(rdatas), NO_RECORDS)

export const NO_RECORDS: readonly ZoneRecord[] = []

function rrsetOf(
  type: number,
  ttl: number,
  distinct: readonly Uint8Array[],
  records: readonly ZoneRecord[],
): Rrset {
  let octets = 0
  for (const rdata of distinct) octets += RDATA_OFFSET + rdata.length
  const wire = new Uint8Array(octets)
  let at = 0
  for (const rdata of distinct) {
    writeHead(wire, at, type, ttl, rdata.length)
    wire.set(rdata, at + RDATA_OFFSET)
    at += RDATA_OFFSET + rdata.length
  }
  return { type, ttl, count: distinct.length, wire, records }
}

/** Octet by octet: a DataView needs the buffer, which V8 then allocates apart from short octets, in ten times the time. */
export function writeHead(
  wire: Uint8Array,
  at: number,
  type: number,
  ttl: number,
  rdataLength: number,
): void {
  wire[at] = 0xc0 // a pointer to octet 12
  wire[at + 1] = 12
  wire[at + 2] = type >>> 8
  wire[at + 3] = type
  wire[at + 4] = 0
  wire[at + 5] = 1 // class IN
  wire[at + 6] = ttl >>> 24
  wire[at + 7] = ttl >>> 16
  wire[at + 8] = ttl >>> 8
  wire[at + 9] = ttl
  wire[at + 10] = rdataLength >>> 8
  wire[at + 11] = rdataLength
}

function distinctOctets(rdatas: readonly Uint8Array[]): readonly Uint8Array[] {
  if (rdatas.length === 1) return rdatas
  const sorted = rdatas.toSorted(compareOctets)
  return sorted.filter((rdata, i) => i === 0 || compareOctets(rdata, sorted[i - 1] ?? rdata) !== 0)
}

/** Whether both have the same octets, or both are undefined. */
export const isSameRrset = (a: Rrset | undefined, b: Rrset | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && compareOctets(a.wire, b.wire) === 0)

/** The rdata of each record, in order. */
export function rdatasOf({ wire, count }: Rrset): Uint8Array[] {
  const rdatas: Uint8Array[] = []
  for (let i = 0, at = 0; i < count; i += 1) {
    const rdata = at + RDATA_OFFSET
    at = rdata + uint16At(wire, at + 10)
    rdatas.push(wire.subarray(rdata, at))
  }
  return rdatas
}

/** Types whose target may be the root: in ServiceMode this means the owner itself (RFC 9460 §2.5.2). */
export const isServiceType = (type: number): boolean => type === TYPE.SVCB || type === TYPE.HTTPS

/** Offset in the rdata of a name that answers follow or look up; -1 if the type has none. */
export function targetOffset(type: number): number {
  if (type === TYPE.NS || type === TYPE.CNAME) return 0
  if (type === TYPE.MX || isServiceType(type)) return 2
  return type === TYPE.SRV ? 6 : -1
}
