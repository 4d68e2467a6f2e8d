// Passes messages that are more than a question for data to the main thread: updates, notifications, signed messages and
// transfers, whose messages are requested one by one, as the client reads them.
import { OPCODE } from '@zonereeve/dns'
import type { RespondLater } from './listener.ts'
import type { RemoteAnswered, RemoteMessageHandler, RemoteMessages } from './message-handler.ts'
import type { NameserverMetrics } from './metrics.ts'
import type { Peer } from './peer.ts'
import { HEADER_OCTETS, u16 } from './query.ts'
import type { FromThread, ToThread } from './thread-messages.ts'

/** Messages that may wait for the main thread; beyond them, they get no answer. */
const MAX_FORWARDED = 1000

type Answer = Extract<ToThread, { kind: 'answer' }>

export interface Forwarding {
  readonly respondLater: RespondLater
  readonly messageHandler: RemoteMessageHandler
  /** Takes what the main thread has sent. */
  take(answer: Answer): void
}

export function createForwarding(
  post: (message: FromThread) => void,
  metrics: Pick<NameserverMetrics, 'countDropped'>,
): Forwarding {
  const waiting = new Map<number, (answer: Answer) => void>()
  let lastId = 0

  return {
    respondLater: (packet, peer) => (isUpdate(packet) ? forward(packet, peer).then(oneOf) : undefined),
    messageHandler: { answer: forward },
    take(answer) {
      waiting.get(answer.id)?.(answer)
      waiting.delete(answer.id)
    },
  }

  async function forward(packet: Uint8Array, { transport, address }: Peer): Promise<RemoteAnswered> {
    if (waiting.size >= MAX_FORWARDED) {
      metrics.countDropped(transport, 'backlog')
      return undefined
    }
    lastId += 1
    const id = lastId
    post({ kind: 'message', id, packet: Uint8Array.from(packet), peer: { transport, address } })
    const { answer, hasMore } = await answerTo(id)
    return hasMore ? messagesOf(id) : answer
  }

  function messagesOf(id: number): RemoteMessages {
    return {
      async next() {
        post({ kind: 'next', id })
        const { answer, hasMore, failure } = await answerTo(id)
        if (failure !== undefined) throw new Error(failure)
        return hasMore ? { value: answer } : { done: true, value: undefined }
      },
      return() {
        post({ kind: 'stop', id })
        return Promise.resolve({ done: true, value: undefined })
      },
    }
  }

  function answerTo(id: number): Promise<Answer> {
    return new Promise((resolve) => waiting.set(id, resolve))
  }
}

/** HTTP and UDP have one message per answer, and so have updates. */
const oneOf = (answered: RemoteAnswered): Uint8Array | undefined =>
  answered instanceof Uint8Array ? answered : undefined

const isUpdate = (packet: Uint8Array): boolean =>
  packet.length >= HEADER_OCTETS && ((u16(packet, 2) >> 11) & 0xf) === OPCODE.UPDATE
