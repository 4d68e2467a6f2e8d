// Builds the rrsets that a zone has at its apex: SOA, NS, and with DNSSEC its keys.
import { encodeRdata, type Name, NSEC3PARAM, nsec3ParamRdata, DEFAULT_NSEC3 } from '@zonereeve/dns'
import { buildRrset, NO_RECORDS, synthesiseRrset, TYPE } from './rrset.ts'
import type { Rrset } from './rrset.ts'
import type { ZoneAuthority, ZoneRecord } from './zone-data.ts'
import type { ZoneSigning } from './zone-signing.ts'

/** Seconds that caches keep the keys: how long it takes until a key change is visible everywhere. */
export const KEY_TTL = 3600

/**
 * Types that the zone itself has at its apex. Given records of these types are stored; the zone decides which are
 * published.
 */
export function isAuthorityType(type: number): boolean {
  return (
    type === TYPE.SOA ||
    type === TYPE.NS ||
    type === TYPE.DNSKEY ||
    type === TYPE.CDS ||
    type === TYPE.CDNSKEY ||
    type === TYPE.ZONEMD ||
    type === NSEC3PARAM
  )
}

/** @param own given records of those types at the apex. */
export function apexRrsets(
  authority: ZoneAuthority,
  own: readonly ZoneRecord[],
  signing: ZoneSigning | undefined,
): Rrset[] {
  const { soa, nameServers, nsTtl, multiProvider, hasDigest } = authority
  const rrsets = [soaRrset(soa)]
  const others = multiProvider ? own.filter(({ type }) => type === TYPE.NS) : []
  const assigned = nameServers.map((target) => encodeRdata('NS', { target: target as Name })) // see ZoneAuthority
  const targets = [...assigned, ...others.map(({ rdata }) => rdata)]
  const ttl = others.reduce((lowest, record) => Math.min(lowest, record.ttl), nsTtl)
  if (targets.length > 0) rrsets.push(synthesiseRrset(TYPE.NS, ttl, targets))
  if (hasDigest !== true) rrsets.push(...givenDigests(own))
  return [...rrsets, ...(signing === undefined ? givenKeys(own) : keyRrsets(own, signing))]
}

/** Digests that another server or program has made. */
function givenDigests(own: readonly ZoneRecord[]): Rrset[] {
  const given = own.filter(({ type }) => type === TYPE.ZONEMD)
  return given.length === 0 ? [] : [{ ...buildRrset(given), records: NO_RECORDS }]
}

/** Keys of an unsigned zone are ordinary data. */
function givenKeys(own: readonly ZoneRecord[]): Rrset[] {
  const types = [...new Set(own.map(({ type }) => type))].filter(
    (type) => type !== TYPE.NS && type !== TYPE.ZONEMD,
  )
  return types.map((type) => buildRrset(own.filter((record) => record.type === type)))
}

function keyRrsets(own: readonly ZoneRecord[], signing: ZoneSigning): Rrset[] {
  const { dnskeys, cds, cdnskeys, multiSigner, denial } = signing
  const ofOthers = own.filter(({ type }) => type === TYPE.DNSKEY)
  const served = multiSigner ? ofOthers : []
  const ttl = served.reduce((lowest, record) => Math.min(lowest, record.ttl), KEY_TTL)
  const all = [...dnskeys, ...served.map(({ rdata }) => rdata)]
  return [
    // Lookups by record return all given records, also those that are not published.
    { ...synthesiseRrset(TYPE.DNSKEY, ttl, all), records: ofOthers },
    synthesiseRrset(TYPE.CDS, KEY_TTL, cds),
    synthesiseRrset(TYPE.CDNSKEY, KEY_TTL, cdnskeys),
    ...(denial === 'nsec3' ? [synthesiseRrset(NSEC3PARAM, 0, [nsec3ParamRdata(DEFAULT_NSEC3)])] : []),
  ].filter(({ count }) => count > 0)
}

/** The SOA as it is answered. */
export const soaRrset = (soa: ZoneAuthority['soa']): Rrset =>
  synthesiseRrset(TYPE.SOA, soa.ttl, [encodeRdata('SOA', soa)])

/** The SOA of negative answers; its TTL is the lower of the record's own and `minimum` (RFC 2308 §3, §5). */
export function negativeSoa(soa: ZoneAuthority['soa']): Rrset {
  return synthesiseRrset(TYPE.SOA, Math.min(soa.ttl, soa.minimum), [encodeRdata('SOA', soa)])
}

/** The SOA among the rrsets of an apex. */
export function soaOf(rrsets: readonly Rrset[]): Rrset {
  const soa = rrsets.find(({ type }) => type === TYPE.SOA)
  if (soa === undefined) throw new Error('a zone has a SOA')
  return soa
}
