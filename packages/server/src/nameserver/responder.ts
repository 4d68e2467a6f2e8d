// From a packet to its answer: sanity, EDNS, data, size. Synchronous, over octets; see zone.ts for why that matters.
import { RCODE, rcodeText } from '@zonereeve/dns'
import type { Log } from '../platform/log.ts'
import { createAnswer } from './answer.ts'
import { udpLimit } from './edns.ts'
import type { NameserverLimits } from './limits.ts'
import type { NameserverMetrics, Transport } from './metrics.ts'
import type { AnswerObserver } from './observer.ts'
import { DROP, Query } from './query.ts'
import { Reply } from './reply.ts'
import type { ZoneTable } from './zone-table.ts'

/** Largest message, and what `out` must be able to hold (RFC 1035 §4.2.2). */
export const MAX_REPLY_OCTETS = 65_535

/**
 * Writes the answer to the query in the first `length` octets into `out`, and leaves `reservedOctets` of what the
 * answer may take to a signature. Returns its length; 0 when there is none.
 */
export type Respond = (
  packet: Uint8Array,
  length: number,
  transport: Transport,
  out: Uint8Array,
  reservedOctets?: number,
) => number

export interface ResponderDeps {
  readonly table: ZoneTable
  readonly log: Log
  readonly limits: NameserverLimits
  readonly metrics: NameserverMetrics
  /** Nobody, on the wire. */
  readonly observer?: AnswerObserver
}

export function createResponder({ table, log, limits, metrics, observer }: ResponderDeps): Respond {
  const query = new Query()
  const reply = new Reply(query, observer)
  const answer = createAnswer({ table, cnameLinks: limits.cnameLinks, observer })

  return (packet, length, transport, out, reservedOctets = 0) => {
    const rcode = query.read(packet, length)
    if (rcode === DROP) {
      metrics.countDropped(transport, 'garbage')
      return 0
    }
    const limit = transport === 'udp' ? udpLimit(query, limits.udpPayloadOctets) : MAX_REPLY_OCTETS
    reply.start(packet, out, limit - reservedOctets)
    if (rcode === RCODE.NOERROR) answerOrFail(transport)
    else reply.fail(rcode)
    const octets = reply.finish(limits.udpPayloadOctets)
    metrics.countQuery(transport, rcodeText(reply.rcode))
    return octets
  }

  function answerOrFail(transport: Transport): void {
    try {
      answer(query, reply)
      // There is no larger transport to turn to (RFC 1035 §4.2.2), so saying "truncated" would only make clients loop.
      if (reply.truncated && transport === 'tcp') reply.fail(RCODE.SERVFAIL)
    } catch (error) {
      // Answering only reads zones and writes to the reply, which is taken back: one query is lost, nothing else.
      log.error({ error, type: query.type }, 'dns answer failed')
      reply.fail(RCODE.SERVFAIL)
    }
  }
}
