// Clients that disconnect before they have their reply.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '@zonereeve/platform'

/**
 * Aborted when the connection closes before the reply has been written.
 *
 * @throws DomainError: it is closed already. Over HTTP/2, a body that was cut off ends as a whole one does.
 */
export function signalOf(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  if (request.raw.aborted) throw new DomainError({ reason: 'request.abandoned' })
  const left = new AbortController()
  onLeave(reply, () => left.abort(new DomainError({ reason: 'request.abandoned' })))
  return left.signal
}

/** Calls `leave` if the connection closes before the reply has been written. */
export function onLeave({ raw }: FastifyReply, leave: () => void): void {
  raw.once('close', () => {
    // Over HTTP/2, `writableFinished` is true for every reply that is closed.
    if (!raw.writableEnded) leave()
  })
}
