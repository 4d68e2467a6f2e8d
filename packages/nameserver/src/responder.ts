// From a packet to its answer: well-formedness, EDNS, data, size, rate. Synchronous, on octets; zone.ts explains why
// that matters.
import { RCODE, rcodeText } from '@zonereeve/dns'
import type { Log } from './log.ts'
import { createAnswer } from './answer.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { Cookies } from './cookies.ts'
import { udpLimit } from './edns.ts'
import { createEdnsOptions } from './edns-options.ts'
import type { NameserverLimits } from './limits.ts'
import type { NameserverMetrics } from './metrics.ts'
import type { AnswerObserver } from './observer.ts'
import type { Peer } from './peer.ts'
import { DROP, HEADER_OCTETS, Query } from './query.ts'
import type { AnswerKind, RateLimits, Verdict } from './rate-limits.ts'
import { Reply } from './reply.ts'
import type { AnsweringZones } from './zone-view.ts'

/** Largest message; `out` must be able to hold it (RFC 1035 §4.2.2). */
export const MAX_REPLY_OCTETS = 65_535

/**
 * Writes the answer to the query in the first `length` octets into `out`, leaving `reservedOctets` of the allowed
 * size for a signature. Returns its length; 0 if there is none.
 */
export type Respond = (
  packet: Uint8Array,
  length: number,
  peer: Peer,
  out: Uint8Array,
  reservedOctets?: number,
) => number

export interface ResponderDeps {
  readonly table: AnsweringZones
  readonly log: Log
  readonly limits: NameserverLimits
  readonly metrics: NameserverMetrics
  /** Not used on the wire. */
  readonly observer?: AnswerObserver
  readonly cookies?: Cookies | undefined
  readonly rateLimits?: RateLimits | undefined
  /** Identifies this server to clients that ask with NSID (RFC 5001). */
  readonly nsid?: Uint8Array | undefined
  /** Receives the answers over UDP. */
  readonly answers?: Pick<AnswerCache, 'keep'> | undefined
}

export function createResponder(deps: ResponderDeps): Respond {
  const { table, log, limits, metrics, observer, cookies, rateLimits, nsid, answers } = deps
  const query = new Query()
  const reply = new Reply(query, observer)
  const answer = createAnswer({ table, limits, observer })
  const options = createEdnsOptions({ cookies, nsid, tcpIdleMs: limits.tcpIdleMs })

  return (packet, length, peer, out, reservedOctets = 0) => {
    const rcode = query.read(packet, length)
    if (rcode === DROP) {
      metrics.countDropped(peer.transport, 'garbage')
      return 0
    }
    const { octets: optionOctets, hasValidCookie } = options.prepare(query, packet, peer)
    const limit = peer.transport === 'udp' ? udpLimit(query, limits.udpPayloadOctets) : MAX_REPLY_OCTETS
    reply.start(packet, out, limit - reservedOctets, optionOctets)
    if (rcode !== RCODE.NOERROR) reply.fail(rcode)
    else if (query.questionEnd > HEADER_OCTETS) answerOrFail(peer)
    const kind = kindOf(reply)
    const verdict = peer.transport === 'udp' && !hasValidCookie ? judge(peer, kind) : 'send'
    if (verdict === 'drop') {
      metrics.countDropped('udp', 'rate')
      return 0
    }
    const octets = reply.finish(limits.udpPayloadOctets, options)
    metrics.countQuery(peer.transport, rcodeText(reply.rcode), reply.zone)
    const isForAll = peer.transport === 'udp' && reservedOctets === 0 && verdict === 'send' && !reply.isPutOff
    if (answers !== undefined && isForAll)
      answers.keep(query, packet, length, { out, octets, rcode: reply.rcode, kind, zone: reply.zone })
    return octets
  }

  function answerOrFail({ transport }: Peer): void {
    try {
      answer(query, reply, transport)
      // There is no larger transport to retry over (RFC 1035 §4.2.2); with TC clients would loop.
      if (reply.truncated && transport !== 'udp') reply.fail(RCODE.SERVFAIL)
    } catch (error) {
      // Answering only reads zones and writes the reply, which is discarded: only this query is lost.
      log.error({ err: error, type: query.type }, 'dns answer failed')
      reply.fail(RCODE.SERVFAIL)
    }
  }

  /**
   * Decides on an answer. If it slips, replaces it by a small one that makes the client retry with a cookie or over
   * TCP.
   */
  function judge({ address }: Peer, kind: AnswerKind): Verdict {
    const verdict = rateLimits?.judge(address, kind) ?? 'send'
    if (verdict === 'slip') {
      // A client that supports cookies gets one with this answer, and retries with it (RFC 7873 §5.2.3).
      if (query.hasEdns && query.cookieOctets > 0 && cookies !== undefined) reply.fail(RCODE.BADCOOKIE)
      else reply.slip()
    }
    return verdict
  }
}

function kindOf(reply: Reply): AnswerKind {
  if (reply.rcode === RCODE.NXDOMAIN) return 'no_name'
  if (reply.rcode !== RCODE.NOERROR) return 'error'
  if (reply.hasAnswers || reply.truncated) return 'answer'
  return reply.authoritative ? 'no_data' : 'referral'
}
