// Fetches external URLs without access to anything that the public internet cannot reach.
//
// A host is resolved once per request, all of its addresses are checked, and the connection goes to one of
// those, so that DNS rebinding has no effect; each redirect starts over. Requests contain no cookies and no
// credentials. Responses are limited: bytes received and decoded, idle time, total time. Fetched content is
// never run.
import type { IncomingMessage } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request as requestHttps, type RequestOptions } from 'node:https'
import { isIP } from 'node:net'
import { parseUrl } from '@zonereeve/platform'
import type { MayConnect } from './addresses.ts'
import { ACCEPT_ENCODING, findDecoder } from './content-codings.ts'
import { codeOf, createCheckedAddresses, onlyThese } from './checked-addresses.ts'
import { FetchFailed } from './fetch-failed.ts'
import type { HostAddresses } from './host-addresses.ts'

export interface SafeFetchDeps {
  readonly mayConnect: MayConnect
  readonly hostAddresses: HostAddresses
  /** Ports that may be connected to; `any` is for tests and networks that the operator trusts. */
  readonly ports: readonly number[] | 'any'
  readonly userAgent: string
  /** Certificates (PEM) trusted in addition to the default ones. */
  readonly ca?: string
}

/** Validators of a content, for conditional requests (RFC 9110 §13.1). */
export interface Validators {
  /** They are valid for this URL only. */
  readonly url: string
  readonly etag: string | null
  readonly lastModified: string | null
}

export interface ContentType {
  /** `text/javascript`, in lower case, without parameters; empty if not sent. */
  readonly essence: string
  /** As sent, without quotes; null = not sent. */
  readonly charset: string | null
  /** The server forbids MIME sniffing (`X-Content-Type-Options: nosniff`). */
  readonly isStrict: boolean
}

export interface FetchRequest {
  readonly url: string
  readonly accept: string
  /** Maximum bytes, both as received and after decoding. */
  readonly maxBytes: number
  /** Total time limit: redirects, name resolution, connections, content. */
  readonly totalMillis: number
  /** Limit for waiting for response headers, and between chunks of the content. */
  readonly idleMillis: number
  readonly validators?: Validators | null
  /** Whether content of this type is accepted; undefined = any. */
  readonly isWanted?: (type: ContentType) => boolean
  readonly signal?: AbortSignal
}

export interface PostRequest {
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** Total time limit: name resolution, connection, body, status. */
  readonly totalMillis: number
  readonly signal?: AbortSignal
}

export type Streamed =
  | {
      readonly kind: 'content'
      /** The URL after all redirects. */
      readonly url: string
      readonly contentType: ContentType
      /** As received, in order. */
      readonly headers: readonly (readonly [name: string, value: string])[]
      /** null if the server sent none. */
      readonly validators: Validators | null
      /** Number of decoded bytes. */
      readonly bytes: number
    }
  /** The content still matches the validators. */
  | { readonly kind: 'unchanged' }

export type Fetched =
  | (Extract<Streamed, { kind: 'content' }> & { readonly body: Buffer })
  | Extract<Streamed, { kind: 'unchanged' }>

export interface SafeFetch {
  /**
   * Returns the whole content in memory.
   * @throws FetchFailed.
   */
  fetch(request: FetchRequest): Promise<Fetched>
  /**
   * Passes on the content chunk by chunk, and waits for each. If it rejects, discard everything taken so far.
   * @throws FetchFailed, and whatever `take` throws.
   */
  stream(request: FetchRequest, take: (chunk: Buffer) => Promise<void> | void): Promise<Streamed>
  /**
   * Sends a body. Does not follow redirects, and reads only the status of the reply.
   * @throws FetchFailed.
   */
  post(request: PostRequest): Promise<number>
}

const MAX_REDIRECTS = 5
const MAX_HEADER_BYTES = 16_384
const REDIRECTS = [301, 302, 303, 307, 308]

/** Ends the running fetch, for any cause: caller, timeout or silence. */
interface Bounds {
  readonly signal: AbortSignal
  /** Restarts the idle timer. */
  listen(): void
  pause(): void
  fail(failure: FetchFailed): void
}

export function createSafeFetch(deps: SafeFetchDeps): SafeFetch {
  const resolve = createCheckedAddresses(deps)

  return {
    stream,
    post: ({ url: text, body, headers, ...limits }) =>
      withinBounds({ ...limits, idleMillis: limits.totalMillis }, async (bounds) => {
        const url = readUrl(text, undefined)
        const sent = {
          ...headers,
          'user-agent': deps.userAgent,
          'content-length': `${Buffer.byteLength(body)}`,
        }
        const response = await ask(url, { method: 'POST', headers: sent, body }, bounds)
        response.destroy()
        return statusOf(response)
      }),
    async fetch(request) {
      const chunks: Buffer[] = []
      const streamed = await stream(request, (chunk) => void chunks.push(chunk))
      return streamed.kind === 'unchanged' ? streamed : { ...streamed, body: Buffer.concat(chunks) }
    },
  }

  function stream(request: FetchRequest, take: (chunk: Buffer) => Promise<void> | void): Promise<Streamed> {
    return withinBounds(request, async (bounds) => {
      const { url, response } = await follow(request, bounds)
      try {
        return await receive(url, response, request, bounds, take)
      } finally {
        response.destroy()
      }
    })
  }

  async function follow(
    request: FetchRequest,
    bounds: Bounds,
  ): Promise<{ readonly url: URL; readonly response: IncomingMessage }> {
    let url = readUrl(request.url, undefined)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const headers = headersOf(url, request, deps.userAgent)
      const response = await ask(url, { method: 'GET', headers, body: '' }, bounds)
      const { location } = response.headers
      if (!REDIRECTS.includes(statusOf(response)) || location === undefined) return { url, response }
      response.destroy()
      url = readUrl(location, url)
    }
    throw new FetchFailed('redirects', `more than ${MAX_REDIRECTS} redirects`)
  }

  async function ask(
    url: URL,
    { method, headers, body }: Question,
    bounds: Bounds,
  ): Promise<IncomingMessage> {
    requirePort(url, deps.ports)
    const host = hostOf(url)
    bounds.listen()
    const addresses = await orEnd(resolve(host, bounds.signal), bounds.signal)
    const options: RequestOptions = {
      hostname: host,
      port: portOf(url),
      method,
      path: url.pathname + url.search,
      lookup: onlyThese(addresses),
      agent: false,
      signal: bounds.signal,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers,
    }
    const answered = new Promise<IncomingMessage>((respond, reject) => {
      const isSecure = url.protocol === 'https:'
      const sent = isSecure ? requestHttps({ ...options, ...trustOf(host, deps.ca) }) : requestHttp(options)
      sent.once('response', respond)
      sent.once('upgrade', (_response, socket) => {
        socket.destroy()
        reject(new FetchFailed('status', 'status 101'))
      })
      sent.on('error', (error) => reject(toFailure(error)))
      sent.end(body)
    })
    return orEnd(answered, bounds.signal)
  }
}

/** The request sent to a checked host. */
interface Question {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Limits {
  readonly totalMillis: number
  readonly idleMillis: number
  readonly signal?: AbortSignal
}

async function withinBounds<Result>(
  { totalMillis, idleMillis, signal }: Limits,
  work: (bounds: Bounds) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController()
  const total = setTimeout(
    () => ending.abort(new FetchFailed('time', `not done after ${totalMillis} ms`)),
    totalMillis,
  )
  const stop = () => ending.abort(new FetchFailed('stopped', 'stopped'))
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted === true) stop()
  const bounds = createBounds(ending, idleMillis)
  try {
    return await work(bounds)
  } catch (error) {
    // Report the cause of the abort, not the error that it led to.
    throw ending.signal.aborted ? ending.signal.reason : error
  } finally {
    clearTimeout(total)
    bounds.pause()
    signal?.removeEventListener('abort', stop)
  }
}

async function receive(
  url: URL,
  response: IncomingMessage,
  request: FetchRequest,
  bounds: Bounds,
  take: (chunk: Buffer) => Promise<void> | void,
): Promise<Streamed> {
  const { statusCode, headers } = response
  if (statusCode === 304 && conditionOf(url, request) !== undefined) return { kind: 'unchanged' }
  if (statusCode !== 200) throw new FetchFailed('status', `status ${statusCode ?? 'unknown'}`)
  const contentType = contentTypeOf(response)
  if (request.isWanted?.(contentType) === false)
    throw new FetchFailed('type', `type ${contentType.essence || 'unknown'}`)
  const tooLarge = new FetchFailed('size', `more than ${request.maxBytes} bytes`)
  // If no length was sent, this compares NaN, and the bytes are counted as they arrive.
  if (Number(headers['content-length']) > request.maxBytes) throw tooLarge
  let bytes = 0
  bounds.listen()
  for await (const chunk of decodeBody(response, request.maxBytes, () => bounds.fail(tooLarge))) {
    bounds.pause()
    bytes += chunk.length
    if (bytes > request.maxBytes) throw tooLarge
    await take(chunk)
    bounds.listen()
  }
  if (!response.complete) throw new FetchFailed('network', 'the content ends early')
  const { etag = null, 'last-modified': lastModified = null } = headers
  const validators = etag === null && lastModified === null ? null : { url: url.href, etag, lastModified }
  return { kind: 'content', url: url.href, contentType, headers: pairsOf(response), validators, bytes }
}

/** Node lists names and values in turn. */
function pairsOf({ rawHeaders }: IncomingMessage): readonly (readonly [string, string])[] {
  return rawHeaders.flatMap((name, index) => {
    const value = rawHeaders[index + 1]
    return index % 2 === 1 || value === undefined ? [] : [[name, value] as const]
  })
}

/** Decodes the content coding. Counts the bytes before decoding, too: some inputs decode to nothing. */
async function* decodeBody(
  response: IncomingMessage,
  maxBytes: number,
  tooLarge: () => void,
): AsyncGenerator<Buffer, void, undefined> {
  const coding = response.headers['content-encoding']
  const createDecoder = findDecoder(coding)
  if (createDecoder === undefined) throw new FetchFailed('coding', `content coding ${coding}`)
  const decoder = createDecoder?.()
  let received = 0
  try {
    if (decoder === undefined) return yield* response
    response.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > maxBytes) tooLarge()
    })
    response.once('error', (error) => decoder.destroy(error))
    yield* response.pipe(decoder)
  } catch (error) {
    throw toFailure(error)
  } finally {
    decoder?.destroy()
  }
}

function createBounds(ending: AbortController, idleMillis: number): Bounds {
  let idle: NodeJS.Timeout | undefined
  const silence = new FetchFailed('silence', `no data for ${idleMillis} ms`)
  return {
    signal: ending.signal,
    listen() {
      clearTimeout(idle)
      idle = setTimeout(() => ending.abort(silence), idleMillis)
    },
    pause: () => clearTimeout(idle),
    fail: (failure) => ending.abort(failure),
  }
}

/**
 * @throws FetchFailed: url. The URL parser turns numeric hosts (decimal, octal, hexadecimal) into addresses.
 */
function readUrl(text: string, base: URL | undefined): URL {
  const url = parseUrl(text, base)
  if (url === undefined) throw new FetchFailed('url', 'no URL')
  url.hash = ''
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchFailed('url', url.protocol)
  if (url.username !== '' || url.password !== '') throw new FetchFailed('url', 'the URL contains credentials')
  if (base?.protocol === 'https:' && url.protocol === 'http:')
    throw new FetchFailed('url', 'redirect from https to http')
  return url
}

function requirePort(url: URL, ports: SafeFetchDeps['ports']): void {
  if (ports !== 'any' && !ports.includes(portOf(url))) throw new FetchFailed('url', `port ${portOf(url)}`)
}

const portOf = (url: URL): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)

/** Without the brackets of an IPv6 address. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

function statusOf({ statusCode }: IncomingMessage): number {
  if (statusCode === undefined) throw new Error('a response has no status')
  return statusCode
}

/** Certificates are always verified, whatever the environment says. */
function trustOf(host: string, ca: string | undefined) {
  const servername = isIP(host) === 0 ? host.replace(/\.$/, '') : ''
  return { servername, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) }
}

function headersOf(url: URL, request: FetchRequest, userAgent: string): Record<string, string> {
  const { etag = null, lastModified = null } = conditionOf(url, request) ?? {}
  return {
    'user-agent': userAgent,
    accept: request.accept,
    'accept-encoding': ACCEPT_ENCODING,
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  }
}

/** Validators are only sent to the URL that issued them: elsewhere they could identify us. */
const conditionOf = (url: URL, { validators }: FetchRequest): Validators | undefined =>
  validators?.url === url.href ? validators : undefined

function contentTypeOf({ headers }: IncomingMessage): ContentType {
  const [type = '', ...parameters] = headers['content-type']?.split(';') ?? []
  const essence = type.trim().toLowerCase()
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/iu.exec(parameter)?.[1])
    .find((found) => found !== undefined)
  const sniffing = headers['x-content-type-options']
  return {
    essence,
    charset: charset ?? null,
    isStrict: typeof sniffing === 'string' && /^\s*nosniff\s*(,|$)/i.test(sniffing),
  }
}

/** Stops waiting for work that cannot be interrupted. */
function orEnd<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason as Error) // every abort here carries a failure
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}

/** Maps a library error: `coding` if it is from zlib, otherwise `network`. */
function toFailure(error: unknown): FetchFailed {
  const code = codeOf(error)
  const isOfCoding = /^(Z_|ZSTD_|ERR_BROTLI|ERR_ZSTD|ERR__ERROR)/.test(code)
  return new FetchFailed(isOfCoding ? 'coding' : 'network', code)
}
