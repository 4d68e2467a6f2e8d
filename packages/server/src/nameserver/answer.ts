// Answering from zone data: the algorithm of RFC 1034 §4.3.2, wildcards as in RFC 4592, negative answers as in RFC 2308,
// DS from the parent's side as in RFC 4035 §3.1.4.1, ANY as in RFC 8482. With DNSSEC: RFC 4035 §3.1, denials as in RFC 9824.
import { encodeRdata, META_TYPE, NSEC, RCODE, RRSIG } from '@zonereeve/dns'
import { createAdditional } from './additional.ts'
import type { NameserverLimits } from './limits.ts'
import { createSignatureBudget } from './made-names.ts'
import type { TakeSignature } from './made-names.ts'
import { createFound, lookUp } from './look-up.ts'
import { findRrset } from './node.ts'
import type { Node } from './node.ts'
import type { AnswerObserver } from './observer.ts'
import type { Transport } from './peer.ts'
import type { Query } from './query.ts'
import type { Reply } from './reply.ts'
import { RDATA_OFFSET, synthesiseRrset, TYPE } from './rrset.ts'
import type { Rrset } from './rrset.ts'
import type { WireName } from './wire-name.ts'
import type { ZoneSigner } from './zone-signer.ts'
import type { ZoneTable } from './zone-table.ts'
import type { Zone } from './zone.ts'

/** Seconds; the same as the live API's name servers send. */
const ANY_TTL = 3789

/** The answer to ANY at a name that has data but no alias (RFC 8482 §4.2). */
const ANY_RRSET = synthesiseRrset(TYPE.HINFO, ANY_TTL, [encodeRdata('HINFO', { cpu: 'RFC8482', os: '' })])

export function createAnswer({
  table,
  limits,
  observer,
}: {
  readonly table: ZoneTable
  readonly limits: Pick<NameserverLimits, 'cnameLinks' | 'madeSignaturesPerSecond'>
  readonly observer?: AnswerObserver | undefined
}) {
  const { cnameLinks, madeSignaturesPerSecond } = limits
  const overUdp = createSignatureBudget(madeSignaturesPerSecond)
  const overOthers = createSignatureBudget(madeSignaturesPerSecond)
  /** Of the transport that the present question came by. */
  let take = overUdp
  const additional = createAdditional()
  const found = createFound()
  /** Names that this answer's chain of aliases has come through. */
  const chain: string[] = []

  return answer

  /** Writes the answer to a query for class IN and a data type or ANY. */
  function answer(query: Query, reply: Reply, transport: Transport): void {
    const { name } = query
    take = transport === 'udp' ? overUdp : overOthers
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
        return refer(query, reply, zone, found.cut)
      }
      reply.authoritative = true
      if (found.node === undefined) {
        observer?.looked('no_name', zone, name, found)
        // The name is denied as if it existed; who asks for signatures and knows that is told the truth (RFC 9824 §3, §5.1).
        if (signerFor(query, zone) === undefined || query.compactOk) reply.rcode = RCODE.NXDOMAIN
        return deny(query, reply, zone, undefined, take)
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
    const rrset = wanted ?? (isMade(zone, type) ? undefined : node.cname)
    if (rrset === undefined) {
      answerNoData(query, reply, zone, node)
      return undefined
    }
    observer?.looked(wanted === undefined ? 'alias' : 'answer', zone, name, found)
    const at = reply.at
    const signer = signerFor(query, zone)
    const written = signer === undefined ? rrset : signed(signer, zone, rrset, name)
    if (written === undefined) reply.putOff()
    else if (!reply.answer(written, name.at)) reply.truncate()
    else if (wanted === undefined) return at
    else additional.addTargets(reply, zone, rrset, at, signer)
    return undefined
  }

  function answerNoData(query: Query, reply: Reply, zone: Zone, node: Node): void {
    const { name, type } = query
    // Whoever is told "no" remembers it; whoever is told "not now" asks again, or another server.
    const isFailing = node.state === 'failing' && (type === TYPE.A || type === TYPE.AAAA)
    observer?.looked(isFailing ? 'failing' : 'no_data', zone, name, found)
    if (isFailing) reply.fail(RCODE.SERVFAIL)
    else if (zone.signer === undefined || !answerMade(query, reply, zone, zone.signer, node))
      deny(query, reply, zone, node, take)
  }

  /**
   * What a signed zone makes up as it is asked: the NSEC of a name, or one signature of it, which is as much as the answer to
   * ANY has (RFC 8482 §7). Returns false for all other questions.
   */
  function answerMade(query: Query, reply: Reply, zone: Zone, signer: ZoneSigner, node: Node): boolean {
    const { name, type } = query
    const [first] = node.rrsets
    let made: Rrset | undefined
    if (type === NSEC && signer.signing.denial === 'nsec')
      made = signer.denial(name, 0, node, zone.negative.ttl, take)?.rrset
    else if (type === RRSIG && first !== undefined && found.encloser === undefined)
      made = signer.signatures(first, name, 0)
    else return false
    if (made === undefined) reply.putOff()
    else if (!reply.answer(made, name.at)) reply.truncate()
    return true
  }

  /** An rrset that is an answer of its own node, or of a wildcard's, or stands in for a whole node. */
  function signed(signer: ZoneSigner, zone: Zone, rrset: Rrset, name: WireName): Rrset | undefined {
    const isOwn = found.encloser === undefined && rrset !== ANY_RRSET
    if (!isOwn) return signer.expanded(rrset, name, 0, take)
    const made = signer.sign(rrset, name, 0)
    zone.packed.sign(name, name.labels - zone.apex.labels, rrset, made.rrset, made)
    return made.rrset
  }

  /** Makes the alias's target the name to look for. Returns false at a loop or at the end of what we follow. */
  function followAlias(reply: Reply, name: WireName, at: number): boolean {
    chain.push(name.absoluteKey(0))
    name.read(reply.out, at + RDATA_OFFSET, reply.at)
    return chain.length < cnameLinks && !chain.includes(name.absoluteKey(0))
  }

  /**
   * A referral: authoritative only if an alias of ours led here (RFC 1034 §4.3.2 step 3b). Whether the zone below is signed
   * is for this side of the cut to say (RFC 4035 §3.1.4).
   */
  function refer(query: Query, reply: Reply, zone: Zone, cut: Rrset): void {
    const { name } = query
    const { cutLabel, cutNode } = found
    const at = reply.at
    if (!reply.authority(cut, name.offset(cutLabel))) return reply.truncate()
    const signer = signerFor(query, zone)
    if (signer !== undefined && cutNode !== undefined && !writeDs(signer, reply, zone, name, cutNode))
      return reply.truncate()
    additional.addGlue(reply, zone, cut, at, name, cutLabel)
  }

  /** The DS of a cut, or that it has none. Returns false, and writes nothing, when it does not fit. */
  function writeDs(signer: ZoneSigner, reply: Reply, zone: Zone, name: WireName, cutNode: Node): boolean {
    const { cutLabel, encloser } = found
    const ds = findRrset(cutNode, TYPE.DS)
    if (ds === undefined) return writeDenial(signer, reply, zone, name, cutLabel, cutNode, take)
    const written =
      encloser === undefined ? signer.signed(ds, name, cutLabel) : signer.expanded(ds, name, cutLabel, take)
    if (written !== undefined) return reply.authority(written, name.offset(cutLabel))
    reply.putOff()
    return true
  }
}

/** Types that signed names have beside an alias (RFC 4035 §2.5). */
function isMade({ signer }: Zone, type: number): boolean {
  return signer !== undefined && (type === RRSIG || type === NSEC)
}

/** Undefined for a zone that is not signed, and for those who do not ask for signatures (RFC 4035 §3.1). */
function signerFor(query: Query, zone: Zone): ZoneSigner | undefined {
  return query.dnssecOk ? zone.signer : undefined
}

/** No such data, or without a node no such name: the SOA says for how long (RFC 2308 §3). */
function deny(query: Query, reply: Reply, zone: Zone, node: Node | undefined, take: TakeSignature): void {
  const { name } = query
  const apexLabel = name.labels - zone.apex.labels
  const signer = signerFor(query, zone)
  const soa = signer === undefined ? zone.negative : signer.signed(zone.negative, name, apexLabel)
  if (!reply.authority(soa, name.offset(apexLabel))) reply.truncate()
  else if (signer !== undefined && !writeDenial(signer, reply, zone, name, 0, node, take)) reply.truncate()
}

/** Denies what the name from label `label` on has not. Returns false, and writes nothing, when it does not fit. */
function writeDenial(
  signer: ZoneSigner,
  reply: Reply,
  zone: Zone,
  name: WireName,
  label: number,
  node: Node | undefined,
  take: TakeSignature,
): boolean {
  const denial = signer.denial(name, label, node, zone.negative.ttl, take)
  if (denial === undefined) {
    reply.putOff()
    return true
  }
  const { rrset, hashLabel } = denial
  if (hashLabel === undefined) return reply.authority(rrset, name.offset(label))
  return reply.authorityBelow(rrset, hashLabel, name.offset(name.labels - zone.apex.labels))
}

/** An alias is worth more than the stand-in (RFC 8482 §4.2); an empty non-terminal has nothing to stand in for. */
function anyRrset(node: Node): Rrset | undefined {
  return node.cname ?? (node.rrsets.length > 0 ? ANY_RRSET : undefined)
}
