// The messages that one answering thread has passed on to the main thread, and the messages of answers with several that
// the thread has not requested yet.
import type { Log } from './log.ts'
import type { Answered, Messages } from './message-handler.ts'
import type { Peer } from './peer.ts'
import type { FromThread, ToThread } from './thread-messages.ts'

type Request = Extract<FromThread, { kind: 'message' | 'next' | 'stop' }>

export interface Forwarded {
  take(request: Request): void
  /** The thread has ended. */
  end(): void
}

/** @param answer answers any message; never rejects */
export function createForwarded(
  answer: (packet: Uint8Array, peer: Peer) => Promise<Answered>,
  send: (message: ToThread) => void,
  log: Pick<Log, 'error'>,
): Forwarded {
  const sequences = new Map<number, Messages>()

  return {
    take(request) {
      if (request.kind === 'message') void begin(request)
      else if (request.kind === 'next') sendNext(request.id)
      else stop(request.id)
    },
    end() {
      for (const id of sequences.keys()) stop(id)
    },
  }

  async function begin({ id, packet, peer }: Extract<Request, { kind: 'message' }>): Promise<void> {
    const answered = await answer(packet, peer)
    const hasMore = answered !== undefined && !(answered instanceof Uint8Array)
    if (hasMore) sequences.set(id, answered)
    send({ kind: 'answer', id, answer: hasMore ? undefined : answered, hasMore })
  }

  function sendNext(id: number): void {
    try {
      const next = sequences.get(id)?.next() ?? { done: true, value: undefined } // stopped
      if (next.done === true) sequences.delete(id)
      send({ kind: 'answer', id, answer: next.value, hasMore: next.done !== true })
    } catch (failure) {
      sequences.delete(id)
      send({ kind: 'answer', id, answer: undefined, hasMore: false, failure: textOf(failure) })
    }
  }

  function stop(id: number): void {
    try {
      sequences.get(id)?.return?.()
    } catch (error) {
      log.error({ err: error }, 'dns transfer not stopped')
    }
    sequences.delete(id)
  }
}

const textOf = (failure: unknown): string =>
  failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
