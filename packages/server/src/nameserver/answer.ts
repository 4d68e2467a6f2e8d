// Answering from zone data: the algorithm of RFC 1034 §4.3.2, wildcards as in RFC 4592, negative answers as in RFC 2308,
// DS from the parent's side as in RFC 4035 §3.1.4.1, ANY as in RFC 8482.
import { encodeRdata, META_TYPE, RCODE } from '@zonereeve/dns'
import { createAdditional } from './additional.ts'
import { createFound, lookUp } from './look-up.ts'
import { findRrset } from './node.ts'
import type { Node } from './node.ts'
import type { AnswerObserver } from './observer.ts'
import type { Query } from './query.ts'
import type { Reply } from './reply.ts'
import { RDATA_OFFSET, synthesiseRrset, TYPE } from './rrset.ts'
import type { Rrset } from './rrset.ts'
import type { WireName } from './wire-name.ts'
import type { ZoneTable } from './zone-table.ts'
import type { Zone } from './zone.ts'

/** Seconds; the same as the live API's name servers send. */
const ANY_TTL = 3789

/** The answer to ANY at a name that has data but no alias (RFC 8482 §4.2). */
const ANY_RRSET = synthesiseRrset(TYPE.HINFO, ANY_TTL, [encodeRdata('HINFO', { cpu: 'RFC8482', os: '' })])

export function createAnswer({
  table,
  cnameLinks,
  observer,
}: {
  readonly table: ZoneTable
  readonly cnameLinks: number
  readonly observer?: AnswerObserver | undefined
}) {
  const additional = createAdditional()
  const found = createFound()
  /** Names that this answer's chain of aliases has come through. */
  const chain: string[] = []

  return answer

  /** Writes the answer to a query for class IN and a data type or ANY. */
  function answer(query: Query, reply: Reply): void {
    const { name } = query
    chain.length = 0
    for (;;) {
      const zone = zoneFor(name, query.type)
      if (zone === undefined) {
        observer?.outside(name)
        if (chain.length === 0) reply.rcode = RCODE.REFUSED
        return
      }
      reply.zone ??= zone
      lookUp(found, zone, name, query.type)
      if (zone.isExpired) {
        observer?.looked('failing', zone, name, found)
        return reply.fail(RCODE.SERVFAIL)
      }
      if (found.cut !== undefined) {
        observer?.looked('referral', zone, name, found)
        return refer(reply, zone, name, found.cut)
      }
      reply.authoritative = true
      if (found.node === undefined) {
        observer?.looked('no_name', zone, name, found)
        reply.rcode = RCODE.NXDOMAIN
        return deny(reply, zone, name)
      }
      const alias = answerFromNode(query, reply, zone, found.node)
      if (alias === undefined || !followAlias(reply, name, alias)) return
    }
  }

  /** DS belongs to the parent's side of a cut, so a zone's own apex is the wrong place to look if we serve the parent. */
  function zoneFor(name: WireName, type: number): Zone | undefined {
    const zone = table.find(name, 0)
    if (type !== TYPE.DS || zone === undefined || zone.apex.labels !== name.labels) return zone
    const parent = name.labels === 0 ? undefined : table.find(name, 1)
    const cut = parent?.node(name.key(0, name.labels - parent.apex.labels))?.delegation
    return cut === undefined ? zone : parent
  }

  /** Answers from a node. Returns where an alias has been written that is to be followed. */
  function answerFromNode(query: Query, reply: Reply, zone: Zone, node: Node): number | undefined {
    const { name, type } = query
    const wanted = type === META_TYPE.ANY ? anyRrset(node) : findRrset(node, type)
    const rrset = wanted ?? node.cname
    if (rrset === undefined) {
      // Whoever is told "no" remembers it; whoever is told "not now" asks again, or another server.
      const isFailing = node.state === 'failing' && (type === TYPE.A || type === TYPE.AAAA)
      observer?.looked(isFailing ? 'failing' : 'no_data', zone, name, found)
      if (isFailing) reply.fail(RCODE.SERVFAIL)
      else deny(reply, zone, name)
      return undefined
    }
    observer?.looked(wanted === undefined ? 'alias' : 'answer', zone, name, found)
    const at = reply.at
    if (!reply.answer(rrset, name.at)) reply.truncate()
    else if (wanted === undefined) return at
    else additional.addTargets(reply, zone, rrset, at)
    return undefined
  }

  /** Makes the alias's target the name to look for. Returns false at a loop or at the end of what we follow. */
  function followAlias(reply: Reply, name: WireName, at: number): boolean {
    chain.push(name.absoluteKey(0))
    name.read(reply.out, at + RDATA_OFFSET, reply.at)
    return chain.length < cnameLinks && !chain.includes(name.absoluteKey(0))
  }

  /** A referral: authoritative only if an alias of ours led here (RFC 1034 §4.3.2 step 3b). */
  function refer(reply: Reply, zone: Zone, name: WireName, cut: Rrset): void {
    const at = reply.at
    if (reply.authority(cut, name.offset(found.cutLabel)))
      additional.addGlue(reply, zone, cut, at, name, found.cutLabel)
    else reply.truncate()
  }
}

/** No such data, or no such name: the SOA says for how long (RFC 2308 §3). */
function deny(reply: Reply, zone: Zone, name: WireName): void {
  if (!reply.authority(zone.negative, name.offset(name.labels - zone.apex.labels))) reply.truncate()
}

/** An alias is worth more than the stand-in (RFC 8482 §4.2); an empty non-terminal has nothing to stand in for. */
function anyRrset(node: Node): Rrset | undefined {
  return node.cname ?? (node.rrsets.length > 0 ? ANY_RRSET : undefined)
}
