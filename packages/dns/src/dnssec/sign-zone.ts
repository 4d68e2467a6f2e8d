// Signs a whole zone at once, for transfers and files: every authoritative rrset with its signatures, and a chain of
// NSEC or NSEC3 over all names (RFC 4035 §2, RFC 5155 §7.1).

import { compareNames, isAtOrBelow, parentOf } from '../name-tree.ts'
import { nameFromWire, nameToWire } from '../name.ts'
import type { Name } from '../name.ts'
import { compareOctets } from '../octets.ts'
import {
  NSEC,
  NSEC3,
  nsec3Hash,
  nsec3Owner,
  NSEC3PARAM,
  nsec3ParamRdata,
  nsec3Rdata,
  nsecRdata,
} from './denial.ts'
import type { Nsec3Parameters } from './denial.ts'
import type { Hash } from './ds.ts'
import { RRSIG } from './rrsig.ts'
import type { RrsetToSign } from './rrsig.ts'

const NS = 2
const SOA = 6
const DNAME = 39
const DS = 43
const DNSKEY = 48
const CDS = 59
const CDNSKEY = 60

/** One record of class IN. */
export interface PlainRecord {
  readonly name: Name
  readonly type: number
  /** Seconds; an rrset is signed and returned with the lowest TTL of its records. */
  readonly ttl: number
  /** Canonical. */
  readonly rdata: Uint8Array
}

/** A whole zone; its records include its SOA and its DNSKEYs. */
export interface ZoneToSign {
  readonly apex: Name
  readonly records: Iterable<PlainRecord>
  /** Returns the rdatas of the RRSIGs of an rrset; see signRrset. It may cache signatures. */
  readonly sign: (rrset: RrsetToSign) => readonly Uint8Array[]
  /** NSEC3 with these parameters; otherwise NSEC. `sha1` must be SHA-1. */
  readonly nsec3?: (Nsec3Parameters & { readonly sha1: Hash }) | undefined
  /** TTL of the denial records: the lower of the SOA's own and its minimum (RFC 9077 §3). */
  readonly negativeTtl: number
}

interface NameToSign {
  readonly name: Name
  readonly rrsets: ReadonlyMap<number, RrsetToSign>
  readonly isDelegation: boolean
}

/**
 * The signed zone, the SOA first and then name by name in canonical order; NSEC3 at the end. Given RRSIG, NSEC, NSEC3
 * and NSEC3PARAM records are left out, and so are records below a delegation other than glue.
 */
export function* signZone(zone: ZoneToSign): Generator<PlainRecord> {
  const { apex, negativeTtl, nsec3 } = zone
  const { names, occluded } = sortNames(zone)
  if (names[0]?.name !== apex || !names[0].rrsets.has(SOA)) throw new Error('a zone has a SOA at its apex')
  for (const [index, { name, rrsets, isDelegation }] of names.entries()) {
    const owner = nameToWire(name)
    const signed: RrsetToSign[] = []
    for (const rrset of inOrder(rrsets)) {
      yield* recordsOf(name, rrset)
      if (isSigned(rrset.type, isDelegation)) signed.push(rrset)
    }
    if (nsec3 === undefined) {
      const next = nameToWire((names[index + 1] ?? names[0]).name)
      const types = [...rrsets.keys(), RRSIG, NSEC]
      const nsec = { owner, type: NSEC, ttl: negativeTtl, rdatas: [nsecRdata(next, types)] }
      yield* recordsOf(name, nsec)
      signed.push(nsec)
    }
    for (const rrset of signed) yield* signaturesOf(name, rrset, zone)
  }
  for (const record of occluded) yield record
  if (nsec3 !== undefined) yield* nsec3Chain(zone, names, nsec3)
}

/** The names of the denial chain in canonical order; and records below a cut, which are neither signed nor denied. */
function sortNames({ apex, records, nsec3 }: ZoneToSign): {
  readonly names: readonly NameToSign[]
  readonly occluded: readonly PlainRecord[]
} {
  const byName = new Map<Name, PlainRecord[]>()
  for (const record of records) {
    if (MADE_HERE.has(record.type)) continue
    const own = byName.get(record.name)
    if (own === undefined) byName.set(record.name, [record])
    else own.push(record)
  }
  if (nsec3 !== undefined) {
    const { salt, iterations } = nsec3
    byName
      .get(apex)
      ?.push({ name: apex, type: NSEC3PARAM, ttl: 0, rdata: nsec3ParamRdata({ salt, iterations }) })
  }
  const names: NameToSign[] = []
  const occluded: PlainRecord[] = []
  let cut: Name | undefined
  for (const [name, own] of [...byName].toSorted(([a], [b]) => compareNames(a, b))) {
    if (cut !== undefined && isAtOrBelow(name, cut)) {
      occluded.push(...own)
      continue
    }
    const rrsets = rrsetsOf(name, own)
    const isDelegation = name !== apex && rrsets.has(NS)
    // Names below a DNAME are hidden too, but the DNAME itself is data of this zone (RFC 6672 §2.4).
    cut = isDelegation || rrsets.has(DNAME) ? name : undefined
    names.push({ name, rrsets: isDelegation ? atCut(rrsets) : rrsets, isDelegation })
    if (isDelegation) occluded.push(...own.filter(({ type }) => type !== NS && type !== DS))
  }
  return { names, occluded }
}

/** Created by signing; given records of these types belong to an earlier signing. */
const MADE_HERE: ReadonlySet<number> = new Set([RRSIG, NSEC, NSEC3, NSEC3PARAM])

/** The rrsets of a delegation that belong to the zone's side of the cut (RFC 4035 §2.3). */
const atCut = (rrsets: ReadonlyMap<number, RrsetToSign>): ReadonlyMap<number, RrsetToSign> =>
  new Map([...rrsets].filter(([type]) => type === NS || type === DS))

/** Everything except the NS records of a delegation is authoritative (RFC 4035 §2.2). */
const isSigned = (type: number, isDelegation: boolean): boolean => !isDelegation || type !== NS

function rrsetsOf(name: Name, records: readonly PlainRecord[]): Map<number, RrsetToSign> {
  const owner = nameToWire(name)
  const byType = groupByType(records)
  return new Map(
    [...byType].map(([type, own]) => {
      const ttl = own.reduce((lowest, record) => Math.min(lowest, record.ttl), 0x7fff_ffff)
      const sorted = own.map(({ rdata }) => rdata).toSorted(compareOctets)
      const rdatas = sorted.filter(
        (rdata, i) => i === 0 || compareOctets(rdata, sorted[i - 1] ?? rdata) !== 0,
      )
      return [type, { owner, type, ttl, rdatas }]
    }),
  )
}

function groupByType(records: readonly PlainRecord[]): Map<number, PlainRecord[]> {
  const groups = new Map<number, PlainRecord[]>()
  for (const record of records) {
    const own = groups.get(record.type)
    if (own === undefined) groups.set(record.type, [record])
    else own.push(record)
  }
  return groups
}

/** The SOA first, then by type. */
const inOrder = (rrsets: ReadonlyMap<number, RrsetToSign>): RrsetToSign[] =>
  [...rrsets.values()].toSorted((a, b) => rank(a.type) - rank(b.type))
const rank = (type: number): number => (type === SOA ? -1 : type)

function* recordsOf(name: Name, { type, ttl, rdatas }: RrsetToSign): Generator<PlainRecord> {
  for (const rdata of rdatas) yield { name, type, ttl, rdata }
}

function* signaturesOf(name: Name, rrset: RrsetToSign, { sign }: ZoneToSign): Generator<PlainRecord> {
  for (const rdata of sign(rrset)) yield { name, type: RRSIG, ttl: rrset.ttl, rdata }
}

/** One NSEC3 for every name and every empty non-terminal (RFC 5155 §7.1). */
function* nsec3Chain(
  zone: ZoneToSign,
  names: readonly NameToSign[],
  { sha1, ...parameters }: Nsec3Parameters & { readonly sha1: Hash },
): Generator<PlainRecord> {
  const apex = nameToWire(zone.apex)
  const typesAt = new Map<Name, readonly number[]>()
  for (const { name, rrsets, isDelegation } of names) {
    const hasSignature = [...rrsets.keys()].some((type) => isSigned(type, isDelegation))
    typesAt.set(name, [...rrsets.keys(), ...(hasSignature ? [RRSIG] : [])])
    for (let above = parentOf(name); above !== undefined && isAtOrBelow(above, zone.apex);) {
      if (!typesAt.has(above)) typesAt.set(above, [])
      above = parentOf(above)
    }
  }
  const hashed = [...typesAt]
    .map(([name, types]) => ({ hash: nsec3Hash(nameToWire(name), parameters, sha1), types }))
    .toSorted((a, b) => compareOctets(a.hash, b.hash))
  for (const [index, { hash, types }] of hashed.entries()) {
    const owner = nsec3Owner(hash, apex)
    const next = (hashed[index + 1] ?? hashed[0])?.hash ?? hash
    const rdatas = [nsec3Rdata(parameters, next, types)]
    const rrset: RrsetToSign = { owner, type: NSEC3, ttl: zone.negativeTtl, rdatas }
    const name = nameFromWire(owner)
    yield* recordsOf(name, rrset)
    yield* signaturesOf(name, rrset, zone)
  }
}

/** Types that entry-point keys sign; all others are signed by the zone keys (RFC 4035 §2.2, RFC 7344 §4.1). */
export function isSignedByEntryPoint(type: number): boolean {
  return type === DNSKEY || type === CDS || type === CDNSKEY
}
