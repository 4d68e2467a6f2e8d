// DNS over HTTPS (RFC 8484): GET and POST of /dns-query, over HTTP/2 and HTTP/1.1.
import { createSecureServer } from 'node:http2'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { octetsFromBase64 } from '@zonereeve/dns'
import type { Certificate } from './certificate.ts'
import { lowestTtl } from './lowest-ttl.ts'
import { logServerErrors, startListening } from './listener.ts'
import type { ListenEndpoint, ListenerDeps } from './listener.ts'
import { remoteAddress } from './peer.ts'
import type { Peer } from './peer.ts'
import { needsMessageHandler } from './message-handler.ts'
import { MAX_REPLY_OCTETS } from './responder.ts'
import { admitAll, createConnections } from './stream-connections.ts'
import { asListener, TLS_OPTIONS } from './tls.ts'
import type { EncryptedListener } from './tls.ts'

const PATH = '/dns-query'
const MEDIA_TYPE = 'application/dns-message'
const NO_SNIFFING = { 'x-content-type-options': 'nosniff' }
/** Largest message, and its length in base64url with parameter name and path. */
const MAX_QUERY_OCTETS = 65_535
/** Open streams of one connection at a time (RFC 9113 §6.5.2 recommends no fewer). */
const MAX_STREAMS = 100
/** Octets of all headers of a request. A query in a URL must fit; longer ones can be sent in a body. */
const MAX_HEADER_OCTETS = 16_384

/**
 * Listens on an address; port 0 picks a free one. @throws the system's error, or if certificate and key do not match
 */
export async function listenHttps(
  endpoint: ListenEndpoint,
  certificate: Certificate,
  deps: ListenerDeps,
): Promise<EncryptedListener> {
  const connections = createConnections('https', deps)
  const server = createSecureServer({
    ...certificate,
    ...TLS_OPTIONS,
    allowHTTP1: true,
    settings: { maxConcurrentStreams: MAX_STREAMS, maxHeaderListSize: MAX_HEADER_OCTETS },
  })
  const refreshIdleOf = admitAll(server, connections)
  const answer = createRequestHandler(deps)
  server.on('request', (request, response) => {
    refreshIdleOf(request.socket)()
    response.on('error', (error) => deps.log.debug({ err: error }, 'dns https connection error'))
    void answer(request, response).catch((error: unknown) => {
      // The client has disconnected or reset its stream.
      deps.log.debug({ err: error }, 'dns https request failed')
      response.destroy()
    })
  })
  server.on('sessionError', (error) => deps.log.debug({ err: error }, 'dns https session error'))
  server.on('tlsClientError', (error) => deps.log.debug({ err: error }, 'dns https handshake failed'))
  await startListening(server, endpoint)
  logServerErrors(server, 'https', deps.log)
  return asListener(server, connections)
}

function createRequestHandler({ respond, respondLater, messageHandler }: ListenerDeps) {
  const out = Buffer.allocUnsafeSlow(MAX_REPLY_OCTETS)

  return async (request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> => {
    const query = await readQuery(request)
    if (typeof query === 'number') return reject(response, query)
    const peer: Peer = { transport: 'https', address: remoteAddress(request.socket) }
    const later = respondLater?.(query, peer)
    const answer = await (later ?? answerNow(query, peer))
    if (answer === undefined) return reject(response, 400)
    response.writeHead(200, {
      'content-type': MEDIA_TYPE,
      'content-length': answer.length,
      ...NO_SNIFFING,
      // A cached answer must not outlive the records in it (RFC 8484 §5.1).
      'cache-control': request.method === 'POST' ? 'no-store' : `max-age=${lowestTtl(answer)}`,
    })
    response.end(request.method === 'HEAD' ? '' : answer)
  }

  async function answerNow(query: Uint8Array, peer: Peer): Promise<Uint8Array | undefined> {
    if (messageHandler !== undefined && needsMessageHandler(query, query.length)) {
      // HTTP has one response per request: transfers are refused, so there is never a sequence.
      const answered = await messageHandler.answer(query, peer)
      return answered instanceof Uint8Array ? answered : undefined
    }
    const octets = respond(query, query.length, peer, out)
    return octets === 0 ? undefined : new Uint8Array(out.subarray(0, octets))
  }
}

/** Returns the DNS message of a request, or the HTTP status of the error. */
async function readQuery(request: Http2ServerRequest): Promise<Uint8Array | number> {
  const { method, url } = request
  const mark = url.indexOf('?')
  if ((mark === -1 ? url : url.slice(0, mark)) !== PATH) return 404
  if (method === 'GET' || method === 'HEAD') {
    const parameters = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)).getAll('dns')
    const [text = ''] = parameters
    return (parameters.length === 1 && text !== '' ? fromBase64Url(text) : undefined) ?? 400
  }
  if (method !== 'POST') return 405
  if (request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== MEDIA_TYPE) return 415
  return readBody(request)
}

/** Without padding (RFC 8484 §6). */
function fromBase64Url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined
  const padded = text.replaceAll('-', '+').replaceAll('_', '/')
  return octetsFromBase64(padded + '='.repeat((4 - (padded.length % 4)) % 4))
}

async function readBody(request: Http2ServerRequest): Promise<Uint8Array | number> {
  const chunks: Buffer[] = []
  let octets = 0
  const body = request as AsyncIterable<Buffer> // a stream without an encoding yields buffers
  for await (const chunk of body) {
    octets += chunk.length
    if (octets > MAX_QUERY_OCTETS) return 413
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function reject(response: Http2ServerResponse, status: number): void {
  const allow = status === 405 ? { allow: 'GET, HEAD, POST' } : {}
  response.writeHead(status, { 'content-length': 0, ...NO_SNIFFING, ...allow })
  response.end()
}
