// Answers from zone data: the algorithm of RFC 1034 §4.3.2, wildcards (RFC 4592), negative answers (RFC 2308), DS
// from the parent's side (RFC 4035 §3.1.4.1), ANY (RFC 8482), DNAME (RFC 6672). With DNSSEC: RFC 4035 §3.1, denials
// as in RFC 9824; or with the signatures and denials that a primary made (presigned.ts).
import { encodeRdata, MAX_NAME_OCTETS, META_TYPE, NSEC, RCODE, RRSIG } from '@zonereeve/dns'
import { createAdditional } from './additional.ts'
import type { NameserverLimits } from './limits.ts'
import { createIterationBudget, createSignatureBudget } from './synthesized-answers.ts'
import { createFound, lookUp } from './look-up.ts'
import { findRrset } from './node.ts'
import type { Node } from './node.ts'
import type { AnswerObserver } from './observer.ts'
import type { Transport } from './peer.ts'
import { withSignatures } from './own-signatures.ts'
import { negativeWithSignatures, Proofs } from './presigned.ts'
import type { Query } from './query.ts'
import type { Reply } from './reply.ts'
import { RDATA_OFFSET, synthesiseRrset, TYPE } from './rrset.ts'
import type { Rrset } from './rrset.ts'
import type { WireName } from './wire-name.ts'
import type { ZoneSigner } from './zone-signer.ts'
import { NAME_FLAG } from './zone-store/run.ts'
import { type AnswerSigner, type AnsweringZones, PRESIGNED, type ZoneView } from './zone-view.ts'

/** Seconds; the same value as the live API's name servers send. */
const ANY_TTL = 3789

/** The answer to ANY at a name that has data but no alias (RFC 8482 §4.2). */
const ANY_RRSET = synthesiseRrset(TYPE.HINFO, ANY_TTL, [encodeRdata('HINFO', { cpu: 'RFC8482', os: '' })])

export function createAnswer({
  table,
  limits,
  observer,
}: {
  readonly table: AnsweringZones
  readonly limits: Pick<NameserverLimits, 'cnameLinks' | 'madeSignaturesPerSecond'>
  readonly observer?: AnswerObserver | undefined
}) {
  const { cnameLinks, madeSignaturesPerSecond } = limits
  const overUdp = createSignatureBudget(madeSignaturesPerSecond)
  const overOthers = createSignatureBudget(madeSignaturesPerSecond)
  /** The signature budget of the current query's transport. */
  let take = overUdp
  const additional = createAdditional()
  const found = createFound()
  /** Names that this answer's chain of aliases has passed. */
  const chain: string[] = []
  /**
   * Owners of the DNAMEs in this answer; a chain may pass the same one more than once. Not a Set: each clear() makes a
   * new table that the old one refers to, and such a chain is garbage that only a full collection frees.
   */
  const redirections: string[] = []
  const proofs = new Proofs(createIterationBudget(() => take(Date.now())))

  return answer

  /** Writes the answer to a query for class IN and a data type or ANY. */
  function answer(query: Query, reply: Reply, transport: Transport): void {
    take = transport === 'udp' ? overUdp : overOthers
    chain.length = 0
    redirections.length = 0
    proofs.clear()
    follow(query, reply)
    writeProofs(reply)
  }

  /** Proofs follow all answers and precede all additional records. */
  function writeProofs(reply: Reply): void {
    if (!proofs.write(reply)) reply.truncate()
  }

  function follow(query: Query, reply: Reply): void {
    const { name } = query
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
        return fail(reply, proofs)
      }
      if (found.cut !== undefined) {
        observer?.looked('referral', zone, name, found)
        return refer(query, reply, zone, found.cut)
      }
      reply.authoritative = true
      if (found.dname !== undefined) {
        observer?.looked('redirected', zone, name, found)
        const alias = redirect(query, reply, zone, found.dname)
        if (alias === undefined || !followAlias(reply, name, alias)) return
        continue
      }
      if (found.node === undefined) {
        observer?.looked('no_name', zone, name, found)
        // The name is denied as if it existed; only clients with DO that know compact denial get NXDOMAIN (RFC 9824
        // §3, §5.1).
        const signer = signerFor(query, zone)
        if (signer === undefined || signer === PRESIGNED || query.compactOk) reply.rcode = RCODE.NXDOMAIN
        return deny(query, reply, zone, undefined)
      }
      const alias = answerFromNode(query, reply, zone, found.node)
      if (alias === undefined || !followAlias(reply, name, alias)) return
    }
  }

  /** DS belongs to the parent's side of a cut. If we serve the parent, it answers for DS at the child's apex. */
  function zoneFor(name: WireName, type: number): ZoneView | undefined {
    const zone = table.find(name, 0)
    if (type !== TYPE.DS || zone === undefined || zone.apex.labels !== name.labels) return zone
    const parent = name.labels === 0 ? undefined : table.find(name, 1)
    const isCut = parent?.find(name, 0) === true && (parent.names.found.flags & NAME_FLAG.CUT) !== 0
    return isCut ? parent : zone
  }

  /**
   * Answers a name below a DNAME: with the DNAME, and a CNAME to the name that replaces this one (RFC 6672 §3.1).
   * Only the DNAME is signed (§5.3.1). Returns the position of the CNAME if it is to be followed.
   */
  function redirect(query: Query, reply: Reply, zone: ZoneView, dname: Rrset): number | undefined {
    const { name, type } = query
    const { cutLabel } = found
    const signer = signerFor(query, zone)
    const written = signer === undefined ? dname : zone.signed(signer, dname, name, cutLabel)
    const owner = name.absoluteKey(cutLabel)
    if (!redirections.includes(owner) && !reply.answer(written, name.offset(cutLabel))) {
      reply.truncate()
      return undefined
    }
    redirections.push(owner)
    const target = redirectedName(reply, name, cutLabel, dname)
    if (target === undefined) {
      reply.rcode = RCODE.YXDOMAIN
      return undefined
    }
    const at = reply.at
    if (!reply.answer(synthesiseRrset(TYPE.CNAME, dname.ttl, [target]), name.at)) reply.truncate()
    else if (type !== TYPE.CNAME && type !== META_TYPE.ANY) return at
    return undefined
  }

  /** Answers from a node. Returns the position of an alias that is to be followed. */
  function answerFromNode(query: Query, reply: Reply, zone: ZoneView, node: Node): number | undefined {
    const { name, type } = query
    const desired = type === META_TYPE.ANY ? anyRrset(node, zone.isPresigned) : findRrset(node, type)
    const rrset = desired ?? (isMade(zone, type) ? undefined : node.cname)
    if (rrset === undefined) {
      answerNoData(query, reply, zone, node)
      return undefined
    }
    observer?.looked(desired === undefined ? 'alias' : 'answer', zone, name, found)
    // The chain that led here may have passed this DNAME: then it is in the answer.
    if (type === TYPE.DNAME && redirections.includes(name.absoluteKey(0))) return undefined
    const at = reply.at
    const signer = signerFor(query, zone)
    const written = signer === undefined ? rrset : signedRrset(signer, zone, rrset, name)
    if (written === undefined) reply.putOff()
    else if (!reply.answer(written, name.at)) reply.truncate()
    else if (desired === undefined) return at
    else {
      writeProofs(reply)
      additional.addTargets(reply, zone, rrset, at, name, signer)
    }
    return undefined
  }

  function answerNoData(query: Query, reply: Reply, zone: ZoneView, node: Node): void {
    const { name, type } = query
    // Resolvers cache NODATA. After SERVFAIL they retry, or try another server.
    const isFailing = node.state === 'failing' && (type === TYPE.A || type === TYPE.AAAA)
    observer?.looked(isFailing ? 'failing' : 'no_data', zone, name, found)
    if (isFailing) fail(reply, proofs)
    else if (zone.signer === undefined || !answerSynthesized(query, reply, zone, zone.signer, node))
      deny(query, reply, zone, node)
  }

  /**
   * Answers what a signed zone synthesizes on demand: the NSEC of a name, or a single signature of it, which is
   * enough for ANY (RFC 8482 §7). Returns false for all other questions.
   */
  function answerSynthesized(
    query: Query,
    reply: Reply,
    zone: ZoneView,
    signer: ZoneSigner,
    node: Node,
  ): boolean {
    const { name, type } = query
    const [first] = node.rrsets
    let made: Rrset | undefined
    if (type === NSEC && signer.signing.denial === 'nsec')
      made = signer.denial(name, 0, node, zone.negative.ttl, take)?.rrset
    else if (type === RRSIG && first !== undefined && found.encloser === undefined)
      made = zone.signatures(signer, first, name, 0)
    else return false
    if (made === undefined) reply.putOff()
    else if (!reply.answer(made, name.at)) reply.truncate()
    return true
  }

  /** Signs an rrset that belongs to its node or to a wildcard, or that stands for a whole node, unless that is to be put off. */
  function signedRrset(
    signer: AnswerSigner,
    zone: ZoneView,
    rrset: Rrset,
    name: WireName,
  ): Rrset | undefined {
    if (signer === PRESIGNED) {
      const { encloser } = found
      if (encloser !== undefined && !proofs.addExpansion(zone, name, 0, encloser)) return undefined
      return withSignatures(found.node, rrset)
    }
    const isOwn = found.encloser === undefined && rrset !== ANY_RRSET
    if (!isOwn) return signer.expanded(rrset, name, 0, take)
    return zone.signed(signer, rrset, name, 0)
  }

  /** Makes the alias's target the name to look up. Returns false at a loop or at the chain limit. */
  function followAlias(reply: Reply, name: WireName, at: number): boolean {
    chain.push(name.absoluteKey(0))
    name.read(reply.out, at + RDATA_OFFSET, reply.at)
    return chain.length < cnameLinks && !chain.includes(name.absoluteKey(0))
  }

  /**
   * A referral: authoritative only if one of our aliases led here (RFC 1034 §4.3.2 step 3b). Whether the zone below
   * is signed is answered on this side of the cut (RFC 4035 §3.1.4).
   */
  function refer(query: Query, reply: Reply, zone: ZoneView, cut: Rrset): void {
    const { name } = query
    const { cutLabel, cutNode } = found
    const at = reply.at
    if (!reply.authority(cut, name.offset(cutLabel))) return reply.truncate()
    const signer = signerFor(query, zone)
    if (signer !== undefined && cutNode !== undefined && !writeDs(signer, reply, zone, name, cutNode))
      return reply.truncate()
    writeProofs(reply)
    additional.addGlue(reply, zone, cut, at, name, cutLabel)
  }

  /** Writes the DS of a cut, or the denial of it. Returns false, and writes nothing, if it does not fit. */
  function writeDs(
    signer: AnswerSigner,
    reply: Reply,
    zone: ZoneView,
    name: WireName,
    cutNode: Node,
  ): boolean {
    const { cutLabel, encloser } = found
    const ds = findRrset(cutNode, TYPE.DS)
    if (ds === undefined) return writeDenial(signer, reply, zone, name, cutLabel, cutNode)
    if (signer === PRESIGNED) {
      if (encloser !== undefined && !proofs.addExpansion(zone, name, cutLabel, encloser)) reply.putOff()
      return reply.authority(withSignatures(cutNode, ds), name.offset(cutLabel))
    }
    const written =
      encloser === undefined
        ? zone.signed(signer, ds, name, cutLabel)
        : signer.expanded(ds, name, cutLabel, take)
    if (written !== undefined) return reply.authority(written, name.offset(cutLabel))
    reply.putOff()
    return true
  }

  /** Answers NODATA, or NXDOMAIN without a node; the SOA sets how long that is cached (RFC 2308 §3). */
  function deny(query: Query, reply: Reply, zone: ZoneView, node: Node | undefined): void {
    const { name } = query
    const apexLabel = name.labels - zone.apex.labels
    const signer = signerFor(query, zone)
    const soa =
      signer === undefined
        ? zone.negative
        : signer === PRESIGNED
          ? negativeWithSignatures(zone)
          : signer.signed(zone.negative, name, apexLabel)
    if (!reply.authority(soa, name.offset(apexLabel))) reply.truncate()
    else if (signer !== undefined && !writeDenial(signer, reply, zone, name, 0, node)) reply.truncate()
  }

  /**
   * Denies the missing data of the name from label `label` on. Returns false, and writes nothing, if it does not fit.
   */
  function writeDenial(
    signer: AnswerSigner,
    reply: Reply,
    zone: ZoneView,
    name: WireName,
    label: number,
    node: Node | undefined,
  ): boolean {
    if (signer === PRESIGNED) {
      const { encloser } = found
      const isProven =
        node === undefined || encloser !== undefined
          ? proofs.addNoName(zone, name, label, encloser)
          : proofs.addNoData(zone, name, label)
      if (!isProven) reply.putOff()
      return true
    }
    const denial = signer.denial(name, label, node, zone.negative.ttl, take)
    if (denial === undefined) {
      reply.putOff()
      return true
    }
    const { rrset, hashLabel } = denial
    if (hashLabel === undefined) return reply.authority(rrset, name.offset(label))
    return reply.authorityBelow(rrset, hashLabel, name.offset(name.labels - zone.apex.labels))
  }
}

/** There is nothing to prove any more: what was answered is discarded. */
function fail(reply: Reply, proofs: Proofs): void {
  proofs.clear()
  reply.fail(RCODE.SERVFAIL)
}

/**
 * Returns the name with its owner part replaced by the DNAME's target, or undefined if the result is too long (RFC
 * 6672 §2.2).
 */
function redirectedName(
  reply: Reply,
  name: WireName,
  ownerLabel: number,
  { wire }: Rrset,
): Uint8Array | undefined {
  // Copied from the message, so that letters keep their case.
  const prefix = reply.out.subarray(name.at, name.offset(ownerLabel))
  const target = wire.subarray(RDATA_OFFSET)
  return prefix.length + target.length > MAX_NAME_OCTETS ? undefined : Buffer.concat([prefix, target])
}

/** Types that signed names have even if they have an alias (RFC 4035 §2.5). */
function isMade({ signer, isPresigned }: ZoneView, type: number): boolean {
  return (signer !== undefined || isPresigned) && (type === RRSIG || type === NSEC)
}

/** Returns undefined if the zone is not signed or the client does not ask for signatures (RFC 4035 §3.1). */
function signerFor(query: Query, zone: ZoneView): AnswerSigner | undefined {
  if (!query.dnssecOk) return undefined
  return zone.isPresigned ? PRESIGNED : zone.signer
}

/**
 * An alias is preferred to HINFO (RFC 8482 §4.2); an empty non-terminal has no rrset to stand for. Where HINFO cannot be
 * signed, one of the rrsets is the answer (§4.1).
 */
function anyRrset(node: Node, isPresigned: boolean): Rrset | undefined {
  if (isPresigned) return node.cname ?? node.rrsets.find(({ type }) => type !== RRSIG && type !== NSEC)
  return node.cname ?? (node.rrsets.length > 0 ? ANY_RRSET : undefined)
}
