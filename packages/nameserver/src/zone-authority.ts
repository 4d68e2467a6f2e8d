// SOA, name servers and settings of a zone, as they are given and as the zone directory has them. The SOA is in the names.
import { byteAt, decodeRdata, elementAt, type Name, nameFromWire, nameToWire } from '@zonereeve/dns'
import { type Rrset, rdatasOf } from './rrset.ts'
import type { ZoneAuthority } from './zone-data.ts'
import type { ListedZone, ZoneEntry } from './zone-store/zone-directory.ts'

/** Without the other members of the argument. */
export const authorityOf = ({
  soa,
  nameServers,
  nsTtl,
  multiProvider,
  hasDigest,
  isExpired,
  tag,
}: ZoneAuthority): ZoneAuthority => ({ soa, nameServers, nsTtl, multiProvider, hasDigest, isExpired, tag })

export function listedAuthority({
  nameServers,
  nsTtl,
  multiProvider,
  isExpired,
  tag = 0,
}: ZoneAuthority): Omit<ListedZone, 'zoneId' | 'signing' | 'records'> {
  return {
    nameServers: Buffer.concat(nameServers.map((name) => nameToWire(name as Name))), // see ZoneAuthority
    nsTtl,
    tag,
    isExpired: isExpired === true,
    isMultiProvider: multiProvider,
  }
}

/** @param soa as it is at the apex */
export function authorityFrom(entry: ZoneEntry, soa: Rrset): ZoneAuthority {
  return {
    soa: { ...decodeRdata('SOA', elementAt(rdatasOf(soa), 0)), ttl: soa.ttl },
    nameServers: readNames(entry.nameServers),
    nsTtl: entry.nsTtl,
    multiProvider: entry.isMultiProvider,
    isExpired: entry.isExpired,
    tag: entry.tag,
  }
}

/** Uncompressed names, one after another. */
function readNames(octets: Uint8Array): Name[] {
  const names: Name[] = []
  for (let at = 0; at < octets.length;) {
    let end = at
    while (octets[end] !== 0) end += 1 + byteAt(octets, end)
    names.push(nameFromWire(octets.subarray(at, end + 1)))
    at = end + 1
  }
  return names
}
