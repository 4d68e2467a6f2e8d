// Answers browsers on Node's own server: preflights, reports, and requests rejected unread.
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import type { CookieReportProblem } from '@zonereeve/browser-reports'
import { DomainError } from '@zonereeve/platform'
import { type Collector, NOT_KEPT } from './collector.ts'

/** Maximum body size of a report request, in bytes. */
export const MAX_REPORT_BYTES = 65_536

/** Every origin may send reports, without credentials (Reporting API §3.5.2 sends with CORS). */
const CORS = { 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' }
const TOO_MANY = { ...CORS, 'retry-after': '60', 'content-length': '0' }
const SEND_AGAIN = { ...CORS, 'retry-after': '2', 'content-length': '0' }
const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
}
/** The rest of a rejected body is not read, so the connection must close. */
const REFUSAL = { ...CORS, connection: 'close', 'content-length': '0' }

export interface AnswerDeps {
  readonly collector: Collector
  /** The reply of the API to an error. */
  readonly failureOf: (error: DomainError) => { readonly status: number; readonly body: string }
  /** The client address that the rate limit applies to. */
  readonly addressOf: (request: IncomingMessage) => string
  /** Whether the server is shutting down and waits for its connections to close. */
  readonly isClosing: () => boolean
}

export function createAnswer({ collector, failureOf, addressOf, isClosing }: AnswerDeps): RequestListener {
  return (request, response) => {
    if (request.method === 'OPTIONS') return reply(response, 204, PREFLIGHT)
    const address = addressOf(request)
    if (!collector.admit(address)) return reply(response, 429, TOO_MANY)
    const { 'content-type': type, 'user-agent': userAgent = '', referer, origin, host } = request.headers
    if (type !== undefined && !isMediaType(type)) return reject(response, 400)
    readBody(request, (body) => {
      if (typeof body !== 'string') return reject(response, body.status)
      // Without a log always 204 to browsers: the sender must not learn whether its reports were stored.
      const query = queryOf(request.url ?? '')
      const taken = collector.take({ query, body, address, userAgent, referer, origin, host })
      if (taken instanceof Promise) void taken.then((outcome) => finish(response, outcome))
      else finish(response, taken)
    })
  }

  function finish(response: ServerResponse, taken: CookieReportProblem | typeof NOT_KEPT | undefined): void {
    if (taken === undefined) return accept(response)
    if (taken === NOT_KEPT) return reply(response, 503, SEND_AGAIN)
    const { pointer, problem } = taken
    const { status, body } = failureOf(
      new DomainError({ reason: 'request.invalid', pointer, values: { problem } }),
    )
    reply(response, status, { ...CORS, 'content-type': 'application/json' }, body)
  }

  function accept(response: ServerResponse): void {
    const storing = collector.awaitStored()
    if (storing === undefined) return reply(response, 204, CORS)
    void storing.then((isStored) =>
      isStored ? reply(response, 204, CORS) : reply(response, 503, SEND_AGAIN),
    )
  }

  function reject(response: ServerResponse, status: 400 | 413): void {
    collector.dropped(status === 413 ? 'too_large' : 'malformed')
    reply(response, status, REFUSAL)
  }

  /** Does nothing if the request was aborted: the connection is closed or was already answered. */
  function reply(
    response: ServerResponse,
    status: number,
    headers: OutgoingHttpHeaders,
    body?: string,
  ): void {
    if (response.headersSent || response.destroyed) return
    // A kept-alive connection would keep the server from closing.
    if (isClosing()) response.shouldKeepAlive = false
    response.writeHead(status, headers).end(body)
  }
}

/** Called once, with the body or with the status to reject it with. */
type BodyRead = (body: string | { readonly status: 400 | 413 }) => void

const MALFORMED = { status: 400 } as const
const TOO_LARGE = { status: 413 } as const

function readBody(request: IncomingMessage, done: BodyRead): void {
  // If no length was sent, this compares NaN, and the bytes are counted as they arrive.
  if (Number(request.headers['content-length']) > MAX_REPORT_BYTES) return done(TOO_LARGE)
  const chunks: Buffer[] = []
  let bytes = 0
  let isOver = false
  request
    .on('data', (chunk: Buffer) => {
      if (isOver) return
      bytes += chunk.length
      if (bytes <= MAX_REPORT_BYTES) return void chunks.push(chunk)
      isOver = true
      done(TOO_LARGE)
    })
    .on('end', () => {
      if (isOver) return
      isOver = true
      const [only = EMPTY] = chunks
      done((chunks.length > 1 ? Buffer.concat(chunks, bytes) : only).toString('utf8'))
    })
    .on('error', () => {
      if (isOver) return
      isOver = true
      done(MALFORMED)
    })
}

const EMPTY = Buffer.alloc(0)

/** The media types of almost all reports, accepted without parsing. */
const DEFAULT_TYPES: ReadonlySet<string> = new Set(['application/csp-report', 'application/reports+json'])
/** `type/subtype`, then optional parameters (RFC 9110 §8.3.1). */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/** Any media type is accepted, but it must be syntactically valid. */
const isMediaType = (text: string): boolean => DEFAULT_TYPES.has(text) || MEDIA_TYPE.test(text)

function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}
