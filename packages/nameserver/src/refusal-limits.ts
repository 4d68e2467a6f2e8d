// Rate limits for refusals of special messages (transfers, notifications, updates, signed messages) over UDP. They
// count as errors of the network, so that attackers cannot send unlimited refusals to forged addresses.
import { RCODE } from '@zonereeve/dns'
import type { Answered, MessageHandler } from './message-handler.ts'
import type { RespondLater } from './listener.ts'
import type { NameserverMetrics } from './metrics.ts'
import type { Peer } from './peer.ts'
import { rcodeOf } from './query.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Respond } from './responder.ts'

export interface RefusalLimitsDeps {
  readonly rateLimits: RateLimits
  readonly metrics: Pick<NameserverMetrics, 'countDropped'>
}

export function createRefusalLimits({ rateLimits, metrics }: RefusalLimitsDeps) {
  return { limitMessageHandler, limitLater }

  /** Answers that `respond` took part in were counted there. */
  function limitMessageHandler(
    create: (respond: Respond) => MessageHandler,
    respond: Respond,
  ): MessageHandler {
    let isCounted = false
    const messageHandler = create((...args) => {
      isCounted = true
      return respond(...args)
    })
    return {
      answer(message, peer) {
        isCounted = false
        const answered = messageHandler.answer(message, peer)
        return isCounted ? answered : limitAnswer(answered, peer)
      },
    }
  }

  function limitLater(respondLater: RespondLater): RespondLater {
    return (packet, peer) => {
      // Read now: in a batch, the peer object belongs to another packet when the answer is ready.
      const { transport } = peer
      const address = transport === 'udp' ? peer.address : ''
      return respondLater(packet, peer)?.then((answer) => limitAnswer(answer, { transport, address }))
    }
  }

  /** A refusal that slips is sent unchanged: it is no longer than the request, and TCP would give the same answer. */
  function limitAnswer<Given extends Answered>(answered: Given, peer: Peer): Given | undefined {
    if (peer.transport !== 'udp' || !(answered instanceof Uint8Array)) return answered
    const isRefusal = rcodeOf(answered) !== RCODE.NOERROR
    if (!isRefusal || rateLimits.judge(peer.address, 'error') !== 'drop') return answered
    metrics.countDropped('udp', 'rate')
    return undefined
  }
}
