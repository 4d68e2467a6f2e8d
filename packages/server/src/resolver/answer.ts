// What an answer says about a name and type: the aliases on the way, and the records or the "no" at their end.
import { decodeRdata, META_TYPE, RCODE, typeCode } from '@zonereeve/dns'
import type { Message, Name, ResourceRecord } from '@zonereeve/dns'

const CNAME = typeCode('CNAME')
const SOA = typeCode('SOA')

/** Links that are followed in one answer; recursive servers give up at about as many. */
const MAX_LINKS = 16

export interface Link {
  readonly target: Name
  readonly ttlSeconds: number
}

export interface Answer {
  /** CNAMEs from the name on, in order. */
  readonly links: readonly Link[]
  /** Of the type asked for, at the end of the links; none is a "no". */
  readonly rdatas: readonly Uint8Array[]
  /** Lowest TTL of those records and of the links; that of the "no" when there are none. */
  readonly ttlSeconds: number
  /** The links end at a name that the answer says nothing about: ask for that one. */
  readonly isOpen: boolean
}

/** Reads an answer with response code NOERROR or NXDOMAIN; undefined for all others: they answer nothing. */
export function readAnswer(message: Message, name: Name, type: number): Answer | undefined {
  const { rcode, answers, authorities } = message
  if (rcode !== RCODE.NOERROR && rcode !== RCODE.NXDOMAIN) return undefined
  const links: Link[] = []
  let at = name
  while (type !== CNAME && type !== META_TYPE.ANY) {
    // Only what the question leads to is read; whatever else the answer holds is nobody's business (RFC 5452 §6).
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

/** RFC 2308 §5; a "no" without an SOA is not to be held. */
function negativeTtl(soa: ResourceRecord | undefined): number {
  return soa === undefined ? 0 : Math.min(ttlOf(soa), decodeRdata('SOA', soa.rdata).minimum)
}
