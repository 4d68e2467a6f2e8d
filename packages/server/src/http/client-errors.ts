// Input that is not HTTP. A client that sends garbage after a complete request still gets its reply.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { DomainError, type ErrorCode } from '@zonereeve/platform'
import { failureOf } from './envelope.ts'

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

const REASONS: Readonly<Record<string, ErrorCode>> = {
  [TIMEOUT]: 'request.timeout',
  HPE_HEADER_OVERFLOW: 'request.headers_too_large',
}

export interface ClientErrorHandler {
  watch(server: Server): void
  handle(error: Error & { code?: string }, socket: Socket): void
}

/** Answers unreadable requests with the envelope, except on sockets with a pending reply. */
export function createClientErrorHandler(): ClientErrorHandler {
  /** The last request of each connection: it is answered after all earlier ones. */
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
      // Garbage after a complete request does not cancel its reply; a request that never ends has none.
      if (isUnderway && response.req.complete) return
      const known = error.code === undefined ? undefined : REASONS[error.code]
      const reason = known ?? 'request.malformed'
      const { status, body } = failureOf(new DomainError({ reason, values: { limit: MAX_HEADER_BYTES } }))
      socket.end(
        `HTTP/1.1 ${status} Error\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
          `X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
        () => socket.destroy(),
      )
    },
  }
}

const MAX_HEADER_BYTES = 16_384
