// What an authoritative server's answer says about one name: its records, its alias, a delegation, or that there is none.
import { CLASS, decodeRdata, isAtOrBelow, RCODE, typeCode } from '@zonereeve/dns'
import type { Message, Name, ResourceRecord } from '@zonereeve/dns'

const NS = typeCode('NS') ?? 0
const CNAME = typeCode('CNAME') ?? 0
const ADDRESSES: ReadonlySet<number> = new Set([typeCode('A') ?? 0, typeCode('AAAA') ?? 0])

export interface FoundRecord {
  readonly name: Name
  readonly type: number
  readonly ttlSeconds: number
  readonly rdata: Uint8Array
}

export type ZoneAnswer =
  | { readonly kind: 'no_name' }
  /** The name may have none of the type; a CNAME stands for all types. */
  | { readonly kind: 'records'; readonly records: readonly FoundRecord[]; readonly isAlias: boolean }
  /** The name is at or below a cut: its NS records, and the addresses of name servers below it. */
  | { readonly kind: 'delegation'; readonly cut: Name; readonly records: readonly FoundRecord[] }

/** @returns undefined for an answer without authority over the zone, or none at all: another server is to be asked. */
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
  // Only what stands at the name itself is read: whatever else comes along was not asked for (RFC 5452 §6).
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

/** An update may have records without rdata (RFC 2136 §2.4); an answer that has them is nonsense. */
const hasValue = ({ rdata }: ResourceRecord): boolean => rdata.length > 0

/** TTLs above 31 bits count as 0 (RFC 2181 §8). */
const toFound = ({ name, type, ttl, rdata }: ResourceRecord): FoundRecord => ({
  name,
  type,
  ttlSeconds: ttl > 0x7fff_ffff ? 0 : ttl,
  rdata,
})
