// Clients that disconnect before they have their reply.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '@zonereeve/platform'

/**
 * Aborted when the connection closes before the reply has been written.
 *
 * @throws DomainError: it is closed already. Over HTTP/2, a body that was cut off ends as a whole one does.
 */
export function signalOf(request: FastifyRequest, { raw }: FastifyReply): AbortSignal {
  if (request.raw.aborted) throw new DomainError({ reason: 'request.abandoned' })
  const left = new AbortController()
  raw.once('close', () => {
    // Over HTTP/2, `writableFinished` is true for every reply that is closed.
    if (!raw.writableEnded) left.abort(new DomainError({ reason: 'request.abandoned' }))
  })
  return left.signal
}
