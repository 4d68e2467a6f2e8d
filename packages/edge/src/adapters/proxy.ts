// The embedded reverse proxy: decides, and forwards what passes to the origin of the host. Nothing is buffered on the
// way back; on the way in, at most the part of a body that rules inspect.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import { Readable, type Duplex } from 'node:stream'
import { type SecureContext, TLSSocket } from 'node:tls'
import { ipText, parseIp, withoutMapping } from '@zonereeve/expr'
import { editHeaders, MANAGED_HEADERS, MAX_INSPECTED_BODY_BYTES, withPage } from '@zonereeve/firewall'
import { Agent, Client, type Dispatcher } from 'undici'
import { REPORTING_PATHS } from '@zonereeve/csp'
import type { Certificates } from '../certificate-folder.ts'
import type { EdgeLog } from '../edge-log.ts'
import type { BrowserReport } from '../edge-server.ts'
import { hostOf, type EdgeDecision, type EdgeRequest, type Engine } from '../engine.ts'
import { headerLines, headerOf, startBody } from '../received-request.ts'
import { failureOf, RAY_HEADER, refusalOf, replyPage } from '../refusal.ts'
import { UndecidedResponse } from '../undecided-response.ts'
import { portOf } from './forward-auth.ts'
import { forwardedTarget } from './forwarded-target.ts'
import { originOf, publicLookup, type OriginOptions, type OriginTarget } from './origins.ts'

export interface ProxyOptions {
  readonly engine: Pick<Engine, 'decide' | 'hasPages'>
  /** Forwards a report of a browser to the server. */
  readonly forwardReport: (report: BrowserReport) => Promise<number>
  readonly origins: OriginOptions
  /** Of the listener with TLS; undefined: there is none. */
  readonly certificates: Pick<Certificates, 'contextFor'> | undefined
  readonly log: EdgeLog
}

const BODY_MILLIS = 1_000
const CONNECT_MILLIS = 10_000
const HEADERS_MILLIS = 60_000
/** Headers about one connection only (RFC 9110 §7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** Set by the proxy itself; `expect` was answered by it. */
const REPLACED: ReadonlySet<string> = new Set([
  'expect',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  RAY_HEADER,
])
/** Without a decision, what the client has sent in their place is forged. */
const MANAGED_REQUEST_HEADERS: ReadonlySet<string> = new Set(
  Object.values(MANAGED_HEADERS)
    .filter(({ phase }) => phase === 'http_request_late_transform')
    .flatMap(({ headers }) => Object.keys(headers)),
)
const BAD_REQUEST = 400
const BAD_GATEWAY = 502
const UNKNOWN_HOST = 404
const UNDECIDED = 503
/** What the collector reads of a report. */
const REPORT_HEADERS: ReadonlySet<string> = new Set([
  'content-type',
  'content-encoding',
  'user-agent',
  'origin',
  'referer',
])
/** The limit of the collector. */
const MAX_REPORT_BYTES = 65_536
const TOO_LARGE = 413
const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** What is known of a request when forwarding it fails. */
interface Decided {
  decision: EdgeDecision | undefined
}

/** @returns the servers, which do not listen yet, and a function that ends their connections to origins. */
export function createProxy({ engine, forwardReport, origins, certificates, log }: ProxyOptions): {
  server: Server
  tlsServer: TlsServer
  close(): Promise<void>
} {
  const agents = {
    checked: new Agent(clientOptions(true)),
    named: new Agent(clientOptions(false)),
  }
  /** The server no longer knows them. */
  const upgradedSockets = new Set<Duplex>()
  const server = createServer(answer)
  const tlsServer = createTlsServer({ SNICallback: findContext, minVersion: 'TLSv1.2' }, answer)
  for (const one of [server, tlsServer]) {
    one.on('upgrade', answerUpgrade)
    one.on('clientError', (_error, socket) => socket.destroy())
  }
  return { server, tlsServer, close }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const decided: Decided = { decision: undefined }
    forward(request, response, decided).catch((error: unknown) =>
      answerFailure(error, request, response, decided),
    )
  }

  /** Without a certificate for the name the handshake fails: one for another name would be no better. */
  function findContext(name: string, done: (error: Error | null, context?: SecureContext) => void): void {
    const context = certificates?.contextFor(name)
    if (context === undefined) done(new Error('no certificate for this name'))
    else done(null, context)
  }

  function answerUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy())
    upgradedSockets.add(socket)
    socket.once('close', () => upgradedSockets.delete(socket))
    upgrade(request, socket, head).catch((error: unknown) => {
      log.warn({ problem: String(error) }, 'upgrade not forwarded')
      socket.destroy()
    })
  }

  async function forward(
    request: IncomingMessage,
    response: ServerResponse,
    decided: Decided,
  ): Promise<void> {
    const body = hasBody(request)
      ? await startBody(request, MAX_INSPECTED_BODY_BYTES + 1, BODY_MILLIS)
      : undefined
    const original = requestOf(request, { body, seesResponse: true })
    if (original === undefined) return send(response, replyPage(BAD_REQUEST, ''))
    if (isReport(original) && engine.hasPages(original.host)) return passReport(original, response)
    const decision = engine.decide(original)
    decided.decision = decision
    if (decision.response !== undefined)
      return send(response, refusalOf(decision, headerOf(request, 'accept')))
    const target = targetOf(decision, original)
    if (typeof target === 'number') return send(response, failureOf(decision, target))
    const leaving = new AbortController()
    response.once('close', () => leaving.abort())
    const {
      statusCode,
      headers,
      body: content,
    } = await agentFor(target).request({
      origin: target.url,
      path: forwardedTarget(decision, original),
      method: original.method as Dispatcher.HttpMethod, // any token is sent
      headers: forwardedHeaders(request, original, decision),
      body: body === undefined ? null : Readable.from(body.whole, { objectMode: false }),
      signal: leaving.signal,
      responseHeaders: 'raw',
    })
    const lines = responseLines(headers as unknown as readonly Buffer[]) // as asked for
    const answered = { status: statusCode, headers: lines }
    decision.noteAnswer?.(answered)
    const page = decision.errorPage?.(answered)
    const unchanged = page === undefined ? answered : withPage(answered, page)
    const sent = decision.responseHeaders?.(unchanged) ?? unchanged.headers // without rules and policies as they came
    decision.noteSent?.({ status: unchanged.status, headers: sent })
    if (page !== undefined) {
      content.on('error', () => undefined) // it is not used
      content.destroy()
      const own = ['content-length', String(Buffer.byteLength(page.content)), RAY_HEADER, decision.rayId]
      response.writeHead(page.statusCode, [...sent.flat(), ...own]).end(page.content)
      return
    }
    response.writeHead(statusCode, [...sent.flat(), RAY_HEADER, decision.rayId])
    response.flushHeaders()
    content.on('error', () => response.destroy())
    content.pipe(response)
  }

  /** No rule decides about reports: the collector has its own limits, and a page cannot solve a challenge for them. */
  async function passReport(original: EdgeRequest, response: ServerResponse): Promise<void> {
    const { method, target, headers, clientIp, body } = original
    if (body?.isTruncated === true || (body !== undefined && body.octets.length > MAX_REPORT_BYTES)) {
      response.writeHead(TOO_LARGE, { connection: 'close' }).end()
      return
    }
    const forwarded = headers.filter(([name]) => REPORT_HEADERS.has(name.toLowerCase()))
    const status = await forwardReport({
      method,
      target,
      headers: { ...Object.fromEntries(forwarded), 'x-forwarded-for': ipText(clientIp) },
      body: body?.octets ?? new Uint8Array(), // a report without a body is refused by the collector
    })
    response.writeHead(status).end()
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const original = requestOf(request, {})
    const decision = original && engine.decide(original)
    const target =
      original && decision && decision.response === undefined ? targetOf(decision, original) : undefined
    if (original === undefined || decision === undefined || typeof target !== 'object') {
      const status = decision?.response?.statusCode ?? (typeof target === 'number' ? target : BAD_REQUEST)
      socket.end(
        `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n${RAY_HEADER}: ${decision?.rayId ?? 'none'}\r\n\r\n`,
        () => socket.destroy(),
      )
      return
    }
    // Its connection becomes the client's own.
    const upgrading = new Client(target.url, clientOptions(target.isChecked))
    const upgraded = await upgrading.upgrade({
      path: forwardedTarget(decision, original),
      method: 'GET',
      headers: forwardedHeaders(request, original, decision),
      protocol: headerOf(request, 'upgrade') ?? 'websocket', // the event comes only with the header
    })
    const lines = Object.entries(upgraded.headers).flatMap(([name, value]) =>
      [value].flat().map((one) => `${name}: ${String(one)}\r\n`),
    )
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`, 'latin1')
    if (head.length > 0) upgraded.socket.write(head)
    for (const [from, to] of [
      [socket, upgraded.socket],
      [upgraded.socket, socket],
    ] as const) {
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
      from.pipe(to)
    }
  }

  function targetOf({ zone, outcome }: EdgeDecision, { host }: EdgeRequest): OriginTarget | number {
    if (zone !== undefined) return originOf(zone, hostOf(host), origins) ?? BAD_GATEWAY
    // Undecided and open: without a zone, only an origin for all hosts is known.
    if (origins.origin === undefined || outcome === 'unknown_host') return UNKNOWN_HOST
    const { host: name, port } = origins.origin
    return { url: `${origins.scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`, isChecked: false }
  }

  function agentFor({ isChecked }: OriginTarget): Agent {
    return isChecked ? agents.checked : agents.named
  }

  function answerFailure(
    error: unknown,
    request: IncomingMessage,
    response: ServerResponse,
    { decision }: Decided,
  ): void {
    if (response.headersSent || response.destroyed) {
      response.destroy()
      return
    }
    if (error instanceof UndecidedResponse) return send(response, replyPage(UNDECIDED, ''))
    log.warn({ host: headerOf(request, 'host'), problem: String(error) }, 'origin not reached')
    send(response, failureOf(decision, BAD_GATEWAY))
  }

  async function close(): Promise<void> {
    for (const socket of upgradedSockets) socket.destroy()
    await Promise.all(Object.values(agents).map((agent) => agent.destroy()))
  }
}

/** Streams of events may be silent for any time; the client ends them. */
const clientOptions = (isChecked: boolean): Client.Options => ({
  connect: { ...(isChecked ? { lookup: publicLookup } : {}), timeout: CONNECT_MILLIS },
  bodyTimeout: 0,
  headersTimeout: HEADERS_MILLIS,
})

function hasBody({ method = 'GET', headers }: IncomingMessage): boolean {
  const isDeclared = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
  return isDeclared || !BODYLESS.has(method)
}

const isReport = ({ method, target }: EdgeRequest): boolean =>
  method === 'POST' && REPORTING_PATHS.some((path) => target.startsWith(`${path}?`))

type Started = Awaited<ReturnType<typeof startBody>>

/** @returns undefined without a host or a client address. */
/** What the proxy has of a request beside its head. */
interface Beside {
  readonly body?: Started | undefined
  readonly seesResponse?: true
}

function requestOf(request: IncomingMessage, { body, seesResponse }: Beside): EdgeRequest | undefined {
  const { method, url, httpVersion, socket } = request
  const host = headerOf(request, 'host')
  const clientIp = socket.remoteAddress === undefined ? undefined : parseIp(socket.remoteAddress)
  if (method === undefined || url?.startsWith('/') !== true || host === undefined || clientIp === undefined)
    return undefined
  const declared = Number(headerOf(request, 'content-length'))
  const isTls = socket instanceof TLSSocket
  return {
    method,
    target: url,
    host,
    isTls,
    version: `HTTP/${httpVersion}`,
    headers: headerLines(request),
    clientIp: withoutMapping(clientIp),
    serverPort: portOf(host, isTls),
    seesResponse,
    body: body && {
      octets: body.octets,
      isTruncated: body.isTruncated,
      sizeBytes: Number.isSafeInteger(declared) ? declared : body.octets.length,
    },
  }
}

function forwardedHeaders(
  request: IncomingMessage,
  { host, clientIp, isTls }: EdgeRequest,
  { rayId, outcome, forwarded }: EdgeDecision,
): string[] {
  const named = new Set((headerOf(request, 'connection') ?? '').toLowerCase().split(/\s*,\s*/)) // no such header
  const isLeftOut = (name: string): boolean =>
    HOP_BY_HOP.has(name) ||
    REPLACED.has(name) ||
    named.has(name) ||
    (outcome === 'undecided' && MANAGED_REQUEST_HEADERS.has(name))
  const own: readonly (readonly [string, string])[] = [
    ['x-forwarded-for', ipText(clientIp)],
    ['x-forwarded-proto', isTls ? 'https' : 'http'],
    ['x-forwarded-host', host],
    [RAY_HEADER, rayId],
  ]
  // Rules cannot change the headers that the proxy sets.
  return [...editHeaders(headerLines(request, isLeftOut), forwarded?.edits ?? []), ...own].flat()
}

/** The headers of the origin's response that are passed on. */
function responseLines(raw: readonly Buffer[]): (readonly [name: string, value: string])[] {
  const lines: (readonly [string, string])[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name, value] = [raw[index]?.toString('latin1'), raw[index + 1]?.toString('latin1')]
    if (name === undefined || value === undefined || HOP_BY_HOP.has(name.toLowerCase())) continue
    if (name.toLowerCase() !== RAY_HEADER) lines.push([name, value])
  }
  return lines
}

function send(response: ServerResponse, { statusCode, headers, body }: ReturnType<typeof refusalOf>): void {
  // The rest of the client's body is not read: the connection ends with the reply.
  response.writeHead(statusCode, { ...headers, connection: 'close' }).end(body)
}
