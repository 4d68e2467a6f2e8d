// Reads an authoritative server's answer for one name: its records, its CNAME, a delegation, or none.
import {
  CLASS,
  decodeRdata,
  isAtOrBelow,
  type Message,
  type Name,
  RCODE,
  type ResourceRecord,
  DATA_TYPE,
} from '@zonereeve/dns'

const { NS, CNAME } = DATA_TYPE
const ADDRESSES: ReadonlySet<number> = new Set([DATA_TYPE.A, DATA_TYPE.AAAA])

export interface FoundRecord {
  readonly name: Name
  readonly type: number
  readonly ttlSeconds: number
  readonly rdata: Uint8Array
}

export type ZoneAnswer =
  | { readonly kind: 'no_name' }
  /** The name may have no record of the type; a CNAME stands for all types. */
  | { readonly kind: 'records'; readonly records: readonly FoundRecord[]; readonly isAlias: boolean }
  /** The name is at or below a delegation: its NS records, and the addresses of name servers below it. */
  | { readonly kind: 'delegation'; readonly cut: Name; readonly records: readonly FoundRecord[] }

/** @returns undefined if the answer is missing or not authoritative for the zone: then another server is queried. */
export function readZoneAnswer(
  message: Message,
  name: Name,
  type: number,
  apex: Name,
): ZoneAnswer | undefined {
  const { rcode, aa, answers, authorities } = message
  if (rcode !== RCODE.NOERROR && rcode !== RCODE.NXDOMAIN) return undefined
  const own = answers.filter(
    (record) =>
      hasValue(record) &&
      record.class === CLASS.IN &&
      record.name === name &&
      (record.type === type || record.type === CNAME),
  )
  // Only records at the name itself are read: additional records were not queried (RFC 5452 §6).
  if (aa && own.length > 0) {
    const alias = own.find((record) => record.type === CNAME)
    const records = alias === undefined ? own : [alias]
    return { kind: 'records', records: records.map(toFound), isAlias: alias !== undefined }
  }
  if (aa)
    return rcode === RCODE.NXDOMAIN ? { kind: 'no_name' } : { kind: 'records', records: [], isAlias: false }
  const delegation = rcode === RCODE.NOERROR && answers.length === 0 ? authorities.find(isCut) : undefined
  return delegation && readDelegation(message, delegation.name)

  function isCut(record: ResourceRecord): boolean {
    const cut = record.name
    return (
      record.type === NS &&
      hasValue(record) &&
      cut !== apex &&
      isAtOrBelow(cut, apex) &&
      isAtOrBelow(name, cut)
    )
  }
}

function readDelegation({ authorities, additionals }: Message, cut: Name): ZoneAnswer {
  const servers = authorities.filter(
    (record) => record.type === NS && record.name === cut && hasValue(record),
  )
  const targets = new Set(servers.map(({ rdata }) => decodeRdata('NS', rdata).target))
  const glue = additionals.filter(
    (record) => ADDRESSES.has(record.type) && targets.has(record.name) && isAtOrBelow(record.name, cut),
  )
  return { kind: 'delegation', cut, records: [...servers, ...glue].map(toFound) }
}

/** An update may have records without RDATA (RFC 2136 §2.4); in an answer they are invalid. */
const hasValue = ({ rdata }: ResourceRecord): boolean => rdata.length > 0

/** TTLs above 31 bits count as 0 (RFC 2181 §8). */
const toFound = ({ name, type, ttl, rdata }: ResourceRecord): FoundRecord => ({
  name,
  type,
  ttlSeconds: ttl > 0x7fff_ffff ? 0 : ttl,
  rdata,
})
