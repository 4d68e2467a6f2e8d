// The fast path from a UDP packet to its answer, for most packets: one plain question for data of a served zone.
//
// Its answers equal those of responder.ts byte for byte; that is the full path, which answers everything. The fast
// path handles the few cases in which nearly all octets of the answer already exist: an rrset, or the SOA of a negative
// answer. Their signatures are made here if they do not exist; denials are not. In all other cases (aliases, wildcards,
// cuts, EDNS options, additional addresses, too little space, any failure) nothing is counted, and the packet takes the
// full path.
import { CLASS, META_TYPE, NSEC, NXNAME, RCODE, rcodeText, RRSIG } from '@zonereeve/dns'
import { NOT_KEPT } from './answer-cache.ts'
import type { AnswerCache } from './answer-cache.ts'
import { MIN_PAYLOAD_OCTETS, OPT_OCTETS, writeOpt } from './edns.ts'
import type { NameserverMetrics } from './metrics.ts'
import { coveringAt, NO_SIGNATURES } from './own-signatures.ts'
import type { Peer } from './peer.ts'
import { HEADER_OCTETS, u16 } from './query.ts'
import type { AnswerKind, RateLimits, Verdict } from './rate-limits.ts'
import { pointOwners, writeBelow } from './reply.ts'
import { TYPE } from './rrset.ts'
import { WireName } from './wire-name.ts'
import type { ZoneSigner } from './zone-signer.ts'
import { NAME_FLAG } from './zone-store/run.ts'
import type { AnsweringZones, ZoneView } from './zone-view.ts'

export interface FastPathDeps {
  readonly table: AnsweringZones
  readonly limits: { readonly udpPayloadOctets: number }
  readonly metrics: NameserverMetrics
  readonly rateLimits?: RateLimits | undefined
  /** Signed denials are assembled from several places; cached, they are read from one. */
  readonly answers?: Pick<AnswerCache, 'find' | 'keep'> | undefined
}

/**
 * Writes the answer to the packet in the first `length` octets into `out`, and counts it. Returns its length, 0 if it
 * must not be sent, or NOT_KEPT if it has to take the full path.
 */
export type FastPath = (packet: Uint8Array, length: number, peer: Peer, out: Uint8Array) => number

/** Types up to this one are data, except those below (RFC 6895 §3.1). */
const LAST_DATA_TYPE = 127

/** Data types with special answers: from the parent zone, or synthesized by a signed zone. */
const isSpecial = (type: number): boolean =>
  type === 0 ||
  type > LAST_DATA_TYPE ||
  type === TYPE.DS ||
  type === RRSIG ||
  type === NSEC ||
  type === META_TYPE.OPT ||
  type === NXNAME

/** Flags in a message's third octet: those that a plain question must not have, and those that an answer repeats. */
const RESPONSE_OR_OPCODE = 0xf8
const REPEATED = 0x79
const RESPONSE = 0x80
const AUTHORITATIVE = 4
const TRUNCATED = 2

/**
 * Flags in an OPT record: DO asks for signatures (RFC 3225 §3); CO says that the client knows compact denial (RFC
 * 9824 §5.1).
 */
const DNSSEC_OK = 0x80
const COMPACT_OK = 0x40

/** Offsets in an OPT record. */
const OPT = { TYPE: 1, PAYLOAD: 3, VERSION: 6, FLAGS: 7, LENGTH: 9 } as const

export function createFastPath(deps: FastPathDeps): FastPath {
  const { table, limits, metrics, rateLimits, answers } = deps
  const name = new WireName()
  /** State of the question that is being answered. */
  let questionEnd = 0
  let hasEdns = false
  let isDnssecOk = false
  let isCompactOk = false
  let type = 0
  let limit = 0

  return (packet, length, peer, out) => {
    try {
      return answerPlain(packet, length, peer, out)
    } catch {
      // Listeners do not expect failures: one would end the thread. What can fail (finding the zone, signing) comes before
      // anything is counted. The full path fails for the same reason, logs it and answers SERVFAIL.
      return NOT_KEPT
    }
  }

  function answerPlain(packet: Uint8Array, length: number, peer: Peer, out: Uint8Array): number {
    if (!read(packet, length, out)) return NOT_KEPT
    type = u16(packet, questionEnd - 4)
    const zone = table.find(name, 0)
    if (isSpecial(type) || zone === undefined || zone.isExpired) return NOT_KEPT
    const apexLabel = name.labels - zone.apex.labels
    const { names } = zone
    // There may be a DNAME above the name, and a cut above a name further down.
    if ((apexLabel > 0 && zone.dnames > 0) || (apexLabel > 1 && zone.cuts > 0)) return NOT_KEPT
    if (!names.find(name.octets, 0, name.labelAt[apexLabel] ?? 0)) {
      if (zone.wildcards > 0) return NOT_KEPT
      return deny(packet, peer, out, zone, apexLabel, false)
    }
    const { flags } = names.found
    if ((flags & (NAME_FLAG.CUT | NAME_FLAG.FAILING)) !== 0) return NOT_KEPT
    const set = names.found.findSet(type)
    if (set !== -1) return answer(packet, peer, out, zone, set)
    if ((flags & NAME_FLAG.ALIAS) !== 0) return NOT_KEPT
    return deny(packet, peer, out, zone, apexLabel, true)
  }

  /** Reads a packet. Returns whether it is a plain question: of class IN, and at most an OPT record without options. */
  function read(packet: Uint8Array, length: number, out: Uint8Array): boolean {
    if (length < HEADER_OCTETS || ((packet[2] ?? 0) & RESPONSE_OR_OPCODE) !== 0) return false
    if (u16(packet, 4) !== 1 || u16(packet, 6) !== 0 || u16(packet, 8) !== 0 || packet[10] !== 0) return false
    hasEdns = packet[11] === 1
    if (!hasEdns && packet[11] !== 0) return false
    const nameEnd = name.read(packet, HEADER_OCTETS, length)
    questionEnd = nameEnd + 4
    if (nameEnd === -1 || questionEnd + (hasEdns ? OPT_OCTETS : 0) !== length) return false
    if (u16(packet, nameEnd + 2) !== CLASS.IN) return false
    isDnssecOk = false
    limit = Math.min(MIN_PAYLOAD_OCTETS, out.length)
    if (!hasEdns) return true
    const opt = questionEnd
    const flags = packet[opt + OPT.FLAGS] ?? 0
    isDnssecOk = (flags & DNSSEC_OK) !== 0
    isCompactOk = (flags & COMPACT_OK) !== 0
    const payload = Math.max(u16(packet, opt + OPT.PAYLOAD), MIN_PAYLOAD_OCTETS)
    limit = Math.min(payload, limits.udpPayloadOctets, out.length) - OPT_OCTETS
    return (
      packet[opt] === 0 &&
      u16(packet, opt + OPT.TYPE) === META_TYPE.OPT &&
      packet[opt + OPT.VERSION] === 0 &&
      u16(packet, opt + OPT.LENGTH) === 0
    )
  }

  /** Answers with an rrset of the name that was found. */
  function answer(packet: Uint8Array, peer: Peer, out: Uint8Array, zone: ZoneView, set: number): number {
    const { found } = zone.names
    if (found.pointsInside(set)) return NOT_KEPT
    const own = isDnssecOk && zone.isPresigned ? coveringAt(found, type) : NO_SIGNATURES
    const isSigned = isDnssecOk && zone.signer !== undefined
    if (isSigned && !zone.names.isSigned(set, zone.signer.signing.now() / 1000))
      return answerNewlySigned(packet, peer, out, zone, zone.signer, set)
    const octets = found.length(set) + own.wire.length + (isSigned ? found.signatureOctets(set) : 0)
    if (questionEnd + octets > limit) return NOT_KEPT
    const verdict = judge(peer, 'answer')
    if (verdict !== 'send') return hold(verdict, packet, out, zone)
    const end = found.copy(set, out, questionEnd)
    if (isSigned) found.copySignatures(set, out, end)
    else if (own.count > 0) out.set(own.wire, end)
    const count = found.count(set) + own.count + (isSigned ? found.signatureCount(set) : 0)
    return finish(packet, out, zone, RCODE.NOERROR, octets, count, 0)
  }

  /** The same with signatures that are not in the store. */
  function answerNewlySigned(
    packet: Uint8Array,
    peer: Peer,
    out: Uint8Array,
    zone: ZoneView,
    signer: ZoneSigner,
    set: number,
  ): number {
    const { count, wire } = zone.signedSet(signer, set, name)
    if (questionEnd + wire.length > limit) return NOT_KEPT
    const verdict = judge(peer, 'answer')
    if (verdict !== 'send') return hold(verdict, packet, out, zone)
    out.set(wire, questionEnd)
    return finish(packet, out, zone, RCODE.NOERROR, wire.length, count, 0)
  }

  /** Answers NODATA, or NXDOMAIN if the name does not exist. */
  function deny(
    packet: Uint8Array,
    peer: Peer,
    out: Uint8Array,
    zone: ZoneView,
    apexLabel: number,
    isThere: boolean,
  ): number {
    // Its denials belong to other names.
    if (isDnssecOk && zone.isPresigned) return NOT_KEPT
    if (isDnssecOk && zone.signer !== undefined)
      return denySigned(packet, peer, out, zone, zone.signer, apexLabel, isThere)
    const { wire } = zone.negative
    if (questionEnd + wire.length > limit) return NOT_KEPT
    const rcode = isThere ? RCODE.NOERROR : RCODE.NXDOMAIN
    const verdict = judge(peer, rcode === RCODE.NXDOMAIN ? 'no_name' : 'no_data')
    if (verdict !== 'send') return hold(verdict, packet, out, zone)
    for (let i = 0; i < wire.length; i += 1) out[questionEnd + i] = wire[i] ?? 0
    const owner = 0xc000 | name.offset(apexLabel)
    out[questionEnd] = owner >> 8
    out[questionEnd + 1] = owner & 0xff
    return finish(packet, out, zone, rcode, wire.length, 0, 1)
  }

  /** The same with a denial that was signed before. */
  function denySigned(
    packet: Uint8Array,
    peer: Peer,
    out: Uint8Array,
    zone: ZoneView,
    signer: ZoneSigner,
    apexLabel: number,
    isThere: boolean,
  ): number {
    const length = questionEnd + OPT_OCTETS
    const remaining = answers?.find(packet, length, peer, out) ?? NOT_KEPT
    if (remaining !== NOT_KEPT) return remaining
    const node = isThere ? zone.nodeOf(name, 0) : undefined
    const denial = signer.knownDenial(name, node, zone.negative.ttl)
    if (denial === undefined) return NOT_KEPT
    const { rrset, hashLabel } = denial
    const soa = signer.signed(zone.negative, name, apexLabel)
    const soaEnd = questionEnd + soa.wire.length
    const end = soaEnd + (hashLabel?.length ?? 0) + rrset.wire.length
    if (end > limit) return NOT_KEPT
    const rcode = isThere || !isCompactOk ? RCODE.NOERROR : RCODE.NXDOMAIN
    const kind = rcode === RCODE.NXDOMAIN ? 'no_name' : 'no_data'
    const verdict = judge(peer, kind)
    if (verdict !== 'send') return hold(verdict, packet, out, zone)
    out.set(soa.wire, questionEnd)
    pointOwners(out, questionEnd, soaEnd, name.offset(apexLabel))
    if (hashLabel === undefined) out.set(rrset.wire, soaEnd)
    else writeBelow(out, soaEnd, rrset, hashLabel, name.offset(apexLabel))
    const octets = finish(packet, out, zone, rcode, end - questionEnd, 0, soa.count + rrset.count)
    answers?.keep({ questionEnd, hasEdns, type }, packet, length, { out, octets, rcode, kind, zone })
    return octets
  }

  function judge({ address }: Peer, kind: AnswerKind): Verdict {
    return rateLimits === undefined ? 'send' : rateLimits.judge(address, kind)
  }

  /** As Reply.slip: only the question, so that a real client retries over TCP. */
  function hold(verdict: 'slip' | 'drop', packet: Uint8Array, out: Uint8Array, zone: ZoneView): number {
    if (verdict === 'slip') return finish(packet, out, zone, RCODE.NOERROR, 0, 0, 0, TRUNCATED)
    metrics.countDropped('udp', 'rate')
    return 0
  }

  /** Writes everything except the records: header, question, OPT record. Returns the length of the whole answer. */
  function finish(
    packet: Uint8Array,
    out: Uint8Array,
    zone: ZoneView,
    rcode: number,
    recordOctets: number,
    answers: number,
    authorities: number,
    flags = AUTHORITATIVE,
  ): number {
    metrics.countQuery('udp', rcodeText(rcode), zone)
    out[0] = packet[0] ?? 0
    out[1] = packet[1] ?? 0
    out[2] = RESPONSE | ((packet[2] ?? 0) & REPEATED) | flags
    out[3] = rcode
    out[4] = 0
    out[5] = 1
    out[6] = answers >> 8
    out[7] = answers & 0xff
    out[8] = 0
    out[9] = authorities
    out[10] = 0
    out[11] = hasEdns ? 1 : 0
    for (let i = HEADER_OCTETS; i < questionEnd; i += 1) out[i] = packet[i] ?? 0
    const end = questionEnd + recordOctets
    if (!hasEdns) return end
    writeOpt({ dnssecOk: isDnssecOk }, out, end, limits.udpPayloadOctets, rcode)
    return end + OPT_OCTETS
  }
}
