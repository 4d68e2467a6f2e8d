// Refusals of what is more than a question (transfers, notifications, updates, signatures) over UDP: counted with the errors of
// a network, so that nobody has them sent to others without end.
import { RCODE } from '@zonereeve/dns'
import type { Answered, Exchange } from './exchange.ts'
import type { RespondLater } from './listener.ts'
import type { NameserverMetrics } from './metrics.ts'
import type { Peer } from './peer.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Respond } from './responder.ts'

export interface RefusalLimitsDeps {
  readonly rateLimits: RateLimits
  readonly metrics: Pick<NameserverMetrics, 'countDropped'>
}

export function createRefusalLimits({ rateLimits, metrics }: RefusalLimitsDeps) {
  return { limitExchange, limitLater }

  /** Answers that `respond` has had a part in were counted there. */
  function limitExchange(create: (respond: Respond) => Exchange, respond: Respond): Exchange {
    let isCounted = false
    const exchange = create((...asked) => {
      isCounted = true
      return respond(...asked)
    })
    return {
      answer(message, peer) {
        isCounted = false
        const answered = exchange.answer(message, peer)
        return isCounted ? answered : limited(answered, peer)
      },
    }
  }

  function limitLater(respondLater: RespondLater): RespondLater {
    return (packet, peer) => {
      // Read now: in a batch, the peer is another one by the time of the answer.
      const { transport } = peer
      const address = transport === 'udp' ? peer.address : ''
      return respondLater(packet, peer)?.then((answer) => limited(answer, { transport, address }))
    }
  }

  /** One that slips is sent whole: it is no longer than the request, and there is nothing to be had elsewhere. */
  function limited<Given extends Answered>(answered: Given, peer: Peer): Given | undefined {
    if (peer.transport !== 'udp' || !(answered instanceof Uint8Array)) return answered
    const isRefusal = ((answered[3] ?? 0) & 0xf) !== RCODE.NOERROR
    if (!isRefusal || rateLimits.judge(peer.address, 'error') !== 'drop') return answered
    metrics.countDropped('udp', 'rate')
    return undefined
  }
}
