// The API over TLS: HTTP/2, or HTTP/1.1 for clients that do not offer it. Requests take the same way as those over
// plain HTTP: they are handed to its listeners.
import type { Server } from 'node:http'
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import { TLS_OPTIONS, type Certificate } from '@zonereeve/nameserver'
import type { Log } from '@zonereeve/platform'
import type { Endpoint } from '@zonereeve/config'
import type { LimitedConnections } from './connections.ts'
import { HTTP_TIMEOUTS, REQUEST_TIMEOUT_MILLIS } from './server.ts'

const HANDSHAKE_TIMEOUT_MILLIS = 10_000
/** As long as connections over plain HTTP are kept. */
const IDLE_MILLIS = 72_000
/** Requests of one connection at a time (RFC 9113 §6.5.2 recommends no fewer). */
const MAX_STREAMS = 100
/** As for HTTP/1.1. */
const MAX_HEADER_OCTETS = 16_384
const SECONDS_PER_DAY = 86_400

export interface SecureListenerDeps {
  /** The server over plain HTTP, whose listeners answer. It must be ready. */
  readonly plain: Server
  readonly connections: LimitedConnections
  /** Answers input that is not HTTP/1.1. */
  readonly clientError: (error: Error & { code?: string }, socket: Socket) => void
  /** Days for which browsers use only TLS (RFC 6797); 0 = they are not asked to. */
  readonly hstsDays: number
  readonly log: Pick<Log, 'debug'>
}

export interface SecureListener extends Endpoint {
  /** Uses this certificate for new connections; open ones stay. @throws if it does not match its key */
  useCertificate(certificate: Certificate): void
  /** Finishes requests in progress, up to a time limit. */
  close(drainMillis: number): Promise<void>
}

/**
 * Listens on an address; port 0 picks a free one.
 * @throws the system's error, or if certificate and key do not match.
 */
export async function listenSecurely(
  { host, port, passed }: Endpoint,
  certificate: Certificate,
  deps: SecureListenerDeps,
): Promise<SecureListener> {
  const { log } = deps
  const server = createSecureServer({
    ...certificate,
    ...TLS_OPTIONS,
    allowHTTP1: true,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MILLIS,
    settings: { maxConcurrentStreams: MAX_STREAMS, maxHeaderListSize: MAX_HEADER_OCTETS },
  })
  limitHttp1(server)
  const sessions = new Set<ServerHttp2Session>()
  const closeIdle = deps.connections.watchSecure(server)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('session', (session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
    session.on('error', (error) => log.debug({ err: error }, 'https session error'))
    session.setTimeout(IDLE_MILLIS, () => session.close())
  })
  server.on('request', createRequestListener(deps))
  server.on('clientError', deps.clientError)
  server.on('sessionError', (error) => log.debug({ err: error }, 'https session error'))
  server.on('tlsClientError', (error) => log.debug({ err: error }, 'https handshake failed'))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(passed === undefined ? { port, host } : { fd: passed.stream }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the HTTPS server has no port')
  return {
    host: address.address,
    port: address.port,
    useCertificate: (next) => server.setSecureContext({ ...next, ...TLS_OPTIONS }),
    close: (drainMillis) =>
      new Promise((resolve) => {
        const deadline = setTimeout(() => {
          for (const socket of sockets) socket.destroy()
        }, drainMillis)
        server.close(() => {
          clearTimeout(deadline)
          resolve()
        })
        for (const session of sessions) session.close()
        closeIdle()
      }),
  }
}

/** Node's types do not know that this server has the limits of HTTP/1.1 too. */
function limitHttp1(server: Http2SecureServer): void {
  Object.assign(server, {
    headersTimeout: HTTP_TIMEOUTS.headersTimeout,
    requestTimeout: REQUEST_TIMEOUT_MILLIS,
    keepAliveTimeout: IDLE_MILLIS,
  })
}

function createRequestListener({ plain, hstsDays, log }: SecureListenerDeps) {
  const hsts = hstsDays === 0 ? undefined : `max-age=${hstsDays * SECONDS_PER_DAY}`
  return (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    response.on('error', (error) => log.debug({ err: error }, 'https reply failed'))
    if (hsts !== undefined) response.setHeader('Strict-Transport-Security', hsts)
    if (request.httpVersionMajor === 2) {
      limitTime(request, response)
      // Everything behind reads the name of the host there. Another Host header is ignored (RFC 9113 §8.3.1).
      request.headers.host = request.authority
    }
    plain.emit('request', request, response)
  }
}

/** HTTP/2 has no time limit for the body of a request. */
function limitTime(request: Http2ServerRequest, response: Http2ServerResponse): void {
  if (request.stream.endAfterHeaders) return
  const timer = setTimeout(() => response.stream.close(), REQUEST_TIMEOUT_MILLIS)
  const clear = (): void => clearTimeout(timer)
  request.once('end', clear)
  response.once('close', clear)
}
