// Bytes that are not HTTP. A client that sends rubbish after a complete request still gets its reply.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { DomainError } from '../platform/domain-error.ts'
import type { Reason } from '../platform/reasons.ts'
import { failureOf } from './envelope.ts'

const REASONS: Readonly<Record<string, Reason>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request.timeout',
  HPE_HEADER_OVERFLOW: 'request.headers_too_large',
}

/** Answers unreadable requests in the envelope, and leaves sockets alone on which a reply is still due. */
export function createClientErrorHandler(): {
  watch(server: Server): void
  handle(error: Error & { code?: string }, socket: Socket): void
} {
  const pending = new WeakMap<Socket, number>()
  return {
    watch(server) {
      server.prependListener('request', (request: IncomingMessage, response: NodeJS.EventEmitter) => {
        const { socket } = request
        pending.set(socket, (pending.get(socket) ?? 0) + 1)
        response.once('close', () => pending.set(socket, (pending.get(socket) ?? 1) - 1))
      })
    },
    handle(error, socket) {
      if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
      if ((pending.get(socket) ?? 0) > 0) return
      const reason = REASONS[error.code ?? ''] ?? 'request.malformed'
      const { status, body } = failureOf(new DomainError({ reason, values: { limit: MAX_HEADER_BYTES } }))
      socket.end(
        `HTTP/1.1 ${status} Error\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
          `Connection: close\r\n\r\n${body}`,
      )
    },
  }
}

const MAX_HEADER_BYTES = 16_384
