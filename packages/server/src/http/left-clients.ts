// Clients that disconnect before they have their reply.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '@zonereeve/platform'

/**
 * The signal that is aborted when the connection closes before the reply has been written. It is made when it is first
 * asked for: few handlers do.
 *
 * @throws DomainError: it is closed already. Over HTTP/2, a body that was cut off ends as a whole one does.
 */
export function onceSignal(request: FastifyRequest, reply: FastifyReply): () => AbortSignal {
  if (request.raw.aborted) throw createAbandoned()
  let left: AbortController | undefined
  return () => {
    if (left !== undefined) return left.signal
    const made = (left = new AbortController())
    // Replies over HTTP/2 have no `closed`.
    if (request.raw.aborted || (reply.raw.closed && !reply.raw.writableEnded)) made.abort(createAbandoned())
    else onLeave(reply, () => made.abort(createAbandoned()))
    return made.signal
  }
}

const createAbandoned = (): DomainError => new DomainError({ reason: 'request.abandoned' })

/** Calls `leave` if the connection closes before the reply has been written. */
export function onLeave({ raw }: FastifyReply, leave: () => void): void {
  raw.once('close', () => {
    // Over HTTP/2, `writableFinished` is true for every reply that is closed.
    if (!raw.writableEnded) leave()
  })
}
