// Reads an answer for a name and type: the CNAMEs followed, and the records or the negative answer at their end.
import {
  decodeRdata,
  type Message,
  META_TYPE,
  type Name,
  RCODE,
  type ResourceRecord,
  typeCode,
} from '@zonereeve/dns'

const CNAME = typeCode('CNAME')
const SOA = typeCode('SOA')

/** Links that are followed in one answer; recursive servers give up at about as many. */
const MAX_LINKS = 16

export interface Link {
  readonly target: Name
  readonly ttlSeconds: number
}

export interface Answer {
  /** CNAMEs starting at the name, in order. */
  readonly links: readonly Link[]
  /** Records of the queried type at the end of the links; empty for a negative answer. */
  readonly rdatas: readonly Uint8Array[]
  /** Lowest TTL of those records and of the links; the negative TTL if there are none. */
  readonly ttlSeconds: number
  /** The links end at a name that the answer does not cover: query that name next. */
  readonly isOpen: boolean
}

/** Reads an answer with response code NOERROR or NXDOMAIN; undefined for all other codes. */
export function readAnswer(message: Message, name: Name, type: number): Answer | undefined {
  const { rcode, answers, authorities } = message
  if (rcode !== RCODE.NOERROR && rcode !== RCODE.NXDOMAIN) return undefined
  const links: Link[] = []
  let at = name
  while (type !== CNAME && type !== META_TYPE.ANY) {
    // Only records that the question leads to are read; everything else in the answer is ignored (RFC 5452 §6).
    const alias = answers.find((record) => record.name === at && record.type === CNAME)
    if (alias === undefined) break
    if (links.length === MAX_LINKS) return undefined
    at = decodeRdata('CNAME', alias.rdata).target
    links.push({ target: at, ttlSeconds: ttlOf(alias) })
  }
  const records = answers.filter((record) => record.name === at && record.type === type)
  const soa = authorities.find((record) => record.type === SOA)
  const isOpen = records.length === 0 && links.length > 0 && soa === undefined && rcode === RCODE.NOERROR
  const end = records.length > 0 ? records.map(ttlOf) : isOpen ? [] : [negativeTtl(soa)]
  return {
    links,
    rdatas: records.map(({ rdata }) => rdata),
    ttlSeconds: Math.min(...end, ...links.map(({ ttlSeconds }) => ttlSeconds)),
    isOpen,
  }
}

/** TTLs above 31 bits count as 0 (RFC 2181 §8). */
const ttlOf = ({ ttl }: ResourceRecord): number => (ttl > 0x7fff_ffff ? 0 : ttl)

/** RFC 2308 §5; a negative answer without an SOA is not cached. */
function negativeTtl(soa: ResourceRecord | undefined): number {
  return soa === undefined ? 0 : Math.min(ttlOf(soa), decodeRdata('SOA', soa.rdata).minimum)
}
