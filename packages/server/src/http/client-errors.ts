// Bytes that are not HTTP. A client that sends rubbish after a complete request still gets its reply.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { DomainError } from '../platform/domain-error.ts'
import type { Reason } from '../platform/reasons.ts'
import { failureOf } from './envelope.ts'

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

const REASONS: Readonly<Record<string, Reason>> = {
  [TIMEOUT]: 'request.timeout',
  HPE_HEADER_OVERFLOW: 'request.headers_too_large',
}

/** Answers unreadable requests in the envelope, and leaves sockets alone on which a reply is still due. */
export function createClientErrorHandler(): {
  watch(server: Server): void
  handle(error: Error & { code?: string }, socket: Socket): void
} {
  /** The last request of each connection: it is answered after all that came before it. */
  const latest = new WeakMap<Socket, { response: ServerResponse }>()
  return {
    watch(server) {
      server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
        const known = latest.get(socket)
        if (known === undefined) latest.set(socket, { response })
        else known.response = response
      })
    },
    handle(error, socket) {
      if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
      const response = latest.get(socket)?.response
      const isUnderway = response !== undefined && !response.writableFinished && !response.destroyed
      // What follows a request that is all there does not keep its reply; a request that never ends has none.
      if (isUnderway && response.req.complete && error.code !== TIMEOUT) return
      const reason = REASONS[error.code ?? ''] ?? 'request.malformed'
      const { status, body } = failureOf(new DomainError({ reason, values: { limit: MAX_HEADER_BYTES } }))
      socket.end(
        `HTTP/1.1 ${status} Error\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
          `Connection: close\r\n\r\n${body}`,
        () => socket.destroy(),
      )
    },
  }
}

const MAX_HEADER_BYTES = 16_384
