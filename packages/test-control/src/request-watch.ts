// Sees every request of a server before the server does: records it, and replaces the answer where a fault is ordered.
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { faultBody, type Fault, type Faults } from './faults.ts'

export interface RecordedRequest {
  /** From 1, in the order of arrival. */
  readonly number: number
  readonly received_at: string
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** From the question mark on; empty without one. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly is_body_cut: boolean
  /** Null: the connection closed before an answer. */
  readonly status: number | null
  /** The fault that it met. */
  readonly fault_id: number | null
}

export interface RequestWatch {
  /** Watches the requests of this server, whose listeners are registered. */
  watch(server: Server): void
  /** Finished requests, oldest first. */
  list(): readonly RecordedRequest[]
  clear(): void
}

const MAX_REQUESTS = 1000
const MAX_BODY_BYTES = 100_000

export interface RequestWatchOptions {
  readonly faults: Faults
  readonly timestamp: () => string
}

export function createRequestWatch({ faults, timestamp }: RequestWatchOptions): RequestWatch {
  const recorded: RecordedRequest[] = []
  let last = 0

  function record(request: IncomingMessage, response: ServerResponse, fault: Fault | undefined): void {
    const number = (last += 1)
    const method = methodOf(request)
    const { path, query } = splitUrl(urlOf(request))
    const { headers } = request
    const received = timestamp()
    const body = keepBody(request)
    response.once('close', () => {
      recorded.push({
        number,
        received_at: received,
        method,
        path,
        query,
        headers,
        ...body(),
        status: response.writableFinished ? response.statusCode : null,
        fault_id: fault?.id ?? null,
      })
      if (recorded.length > MAX_REQUESTS) recorded.shift()
    })
  }

  function watch(server: Server): void {
    const listeners = server.listeners('request') as RequestListener[] // so the event is declared
    server.removeAllListeners('request')
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const fault = faults.hit(methodOf(request), splitUrl(urlOf(request)).path)
      record(request, response, fault)
      const goOn = (): void => {
        for (const listener of listeners) listener.call(server, request, response)
      }
      if (fault === undefined) return goOn()
      const { delay_ms: delay = 0 } = fault
      setTimeout(() => inject(fault, { request, response, goOn }), delay)
    })
  }

  return {
    watch,
    list: () => recorded,
    clear() {
      recorded.length = 0
    },
  }
}

interface Interception {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly goOn: () => void
}

function inject(fault: Fault, { request, response, goOn }: Interception): void {
  if (fault.disconnect === true) return void request.destroy()
  if (fault.status === undefined) return request.destroyed ? undefined : goOn()
  const { text, type } = faultBody(fault)
  try {
    response.writeHead(fault.status, { 'content-type': type, ...fault.headers })
    response.end(text)
  } catch {
    // Headers that Node refuses together, such as a trailer without chunks.
    return void request.destroy()
  }
  // The rest of the body is read, so that the connection can serve the next request.
  request.resume()
}

// Requests that a server receives have both.
const methodOf = ({ method = 'GET' }: IncomingMessage): string => method
const urlOf = ({ url = '/' }: IncomingMessage): string => url

function splitUrl(url: string): { readonly path: string; readonly query: string } {
  const at = url.indexOf('?')
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at) }
}

/** Keeps a copy of the body as it arrives: a listener of the stream would take it from the server. */
function keepBody(request: IncomingMessage): () => { readonly body: string; readonly is_body_cut: boolean } {
  const chunks: Buffer[] = []
  let size = 0
  const push = request.push.bind(request)
  request.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (Buffer.isBuffer(chunk)) {
      if (size < MAX_BODY_BYTES) chunks.push(chunk.subarray(0, MAX_BODY_BYTES - size))
      size += chunk.length
    }
    return push(chunk, encoding)
  }
  return () => ({ body: Buffer.concat(chunks).toString(), is_body_cut: size > MAX_BODY_BYTES })
}
