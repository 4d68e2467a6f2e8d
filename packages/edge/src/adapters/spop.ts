// The agent that HAProxy's SPOE filter asks: about each request, with its body, and about responses that rules count.
// It answers with variables of the transaction. HAProxy cannot send a page that is in a variable as it is, so it
// fetches the reply to a request that is stopped from /stopped/RAY, where it waits for a short time (docs/edge.md).
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { type Bytes, type HeaderLine, type Ip, ipFromOctets, utf8 } from '@zonereeve/expr'
import type { ErrorPage } from '@zonereeve/firewall'
import type { EdgeLog } from '../edge-log.ts'
import { UndecidedResponse } from '../undecided-response.ts'
import { headerVariable } from '../configuration/haproxy.ts'
import type { EdgeDecision, EdgeRequest, Engine } from '../engine.ts'
import { differencesOf, editedHeaders } from '../header-changes.ts'
import { newRayId } from '../ray-id.ts'
import { refusalOf, replyPage, type RefusalReply } from '../refusal.ts'
import { forwardedTarget } from './forwarded-target.ts'
import { type AnswerMessages, serveConnection } from '../spop/connection.ts'
import { encodeVariables, HEAD_BYTES, type SpopMessage } from '../spop/frames.ts'
import { OctetReader, type SpopPair, type SpopValue } from '../spop/values.ts'

export interface SpopAgentOptions {
  readonly engine: Pick<Engine, 'decide'>
  readonly log: EdgeLog
}

/** Names of the messages in HAProxy's configuration. */
const REQUEST = 'zonereeve-request'
const RESPONSE = 'zonereeve-response'

const STOPPED_PATH = '/stopped/'
const BAD_REQUEST = 400
const FORBIDDEN = 403
/** Requests whose response rules count, and replies that wait for HAProxy. The oldest are forgotten. */
const MAX_PENDING = 10_000
const MAX_REPLIES = 1_000
const VERSIONS: Readonly<Record<string, string>> = {
  '1.0': 'HTTP/1.0',
  '1.1': 'HTTP/1.1',
  '2.0': 'HTTP/2',
  '3.0': 'HTTP/3',
}

type Args = SpopMessage['args']
/** What is to be done with a response. */
type Passed = {
  readonly [Key in 'noteAnswer' | 'noteSent' | 'responseHeaders' | 'errorPage']: EdgeDecision[Key] | undefined
}
type FrameSize = Parameters<AnswerMessages>[1]

/** The server does not listen yet; `close` ends its connections. */
export function createSpopAgent({ engine, log }: SpopAgentOptions) {
  const sockets = new Set<Socket>()
  /** By ray ID, as are the replies. */
  const pending = new Map<string, Passed>()
  const replies = new Map<string, RefusalReply>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.once('close', () => sockets.delete(socket))
    serveConnection(socket, answer, {
      onEnd: (error) => log.warn({ problem: String(error) }, 'SPOP connection ended for an invalid frame'),
      onLongAnswer: (bytes, maxBytes) =>
        log.warn({ bytes, maxBytes }, 'decision not sent to HAProxy: it is larger than a frame'),
    })
  })
  return { server, answerStopped, close }

  function answer(messages: readonly SpopMessage[], frame: FrameSize): readonly SpopPair[] {
    return messages.flatMap(({ name, args }) => {
      if (name === REQUEST) return answerRequest(args, frame)
      return name === RESPONSE ? answerResponse(args, frame) : []
    })
  }

  function answerRequest(args: Args, frame: FrameSize): readonly SpopPair[] {
    const request = requestOf(args, frame)
    if (request === undefined) {
      const rayId = newRayId()
      return stop(rayId, replyPage(BAD_REQUEST, rayId))
    }
    const decision = engine.decide(request)
    const { rayId, noteAnswer, noteSent, responseHeaders, errorPage } = decision
    if (decision.response !== undefined) {
      const accept = request.headers.find(([name]) => name === 'accept')
      return stop(rayId, refusalOf(decision, accept?.[1]))
    }
    const variables = [rayVariable(rayId), ...forwardedVariables(decision, request)]
    if (noteAnswer === undefined && responseHeaders === undefined && errorPage === undefined) return variables
    keep(pending, rayId, { noteAnswer, noteSent, responseHeaders, errorPage }, MAX_PENDING)
    return [...variables, ['counts', { type: 'boolean', value: true }]]
  }

  function stop(rayId: string, reply: RefusalReply): readonly SpopPair[] {
    keep(replies, rayId, reply, MAX_REPLIES)
    return [rayVariable(rayId), ['status', { type: 'uint32', value: BigInt(reply.statusCode) }]]
  }

  /** Sends the reply to a request that was stopped, once. @returns false if the path is another one. */
  function answerStopped(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '' } = request
    if (!url.startsWith(STOPPED_PATH)) return false
    request.resume()
    const rayId = url.slice(STOPPED_PATH.length)
    const { statusCode, headers, body } = replies.get(rayId) ?? replyPage(FORBIDDEN, '') // a forgotten one
    replies.delete(rayId)
    response.writeHead(statusCode, headers).end(body)
    return true
  }

  /** @returns the headers of policies and monitoring, if the response gets any, or a page in its place. */
  function answerResponse(args: Args, { maxBytes }: FrameSize): readonly SpopPair[] {
    const [ray, status] = [args.get('ray'), args.get('status')]
    if (ray?.type !== 'string' || status === undefined || !isInteger(status)) return []
    const { noteAnswer, noteSent, responseHeaders, errorPage } = pending.get(ray.value) ?? {}
    pending.delete(ray.value)
    const response = { status: Number(status.value), headers: headersOf(args) }
    noteAnswer?.(response)
    const page = errorPage?.(response)
    if (page !== undefined) {
      const variables = errorVariables(page)
      const bytes = HEAD_BYTES + encodeVariables(variables).length
      if (bytes <= maxBytes) {
        noteSent?.({ status: page.statusCode, headers: response.headers })
        return variables
      }
      log.warn(
        { rayId: ray.value, bytes, maxBytes },
        'error page not sent: it is larger than a frame of HAProxy',
      )
    }
    try {
      const lines = responseHeaders?.(response)
      noteSent?.({ status: response.status, headers: lines ?? response.headers }) // without rules as they came
      if (lines === undefined) return []
      return [...pageVariables(lines), ...differingVariables('res', differencesOf(response.headers, lines))]
    } catch (error) {
      // HAProxy is told what to add, and cannot be told to withhold a response.
      if (error instanceof UndecidedResponse) return []
      throw error
    }
  }

  function close(): void {
    for (const socket of sockets) socket.destroy()
  }
}

/** Control characters: HAProxy writes them percent-encoded. */
// oxlint-disable-next-line no-control-regex -- these are meant
const CONTROLS = /[\u0000-\u001f\u007f]+/g

/** A configuration returns the page for each status and type that the rules have. */
const errorVariables = ({ statusCode, contentType, content }: ErrorPage): readonly SpopPair[] => [
  ['error_status', { type: 'uint32', value: BigInt(statusCode) }],
  ['error_type', { type: 'string', value: contentType }],
  ['error_page', { type: 'string', value: utf8(content.replace(CONTROLS, ' ')) }],
]

/** HAProxy replaces these headers. Repeated ones mean the same as a list. */
const PAGE_VARIABLES = [
  ['csp', 'content-security-policy'],
  ['csp_report_only', 'content-security-policy-report-only'],
  ['endpoints', 'reporting-endpoints'],
] as const

const pageVariables = (lines: readonly HeaderLine[]): readonly SpopPair[] =>
  PAGE_VARIABLES.flatMap(([variable, header]): SpopPair[] => {
    const values = lines.filter(([name]) => name.toLowerCase() === header).map(([, value]) => value)
    return values.length === 0 ? [] : [[variable, { type: 'string', value: values.join(', ') }]]
  })

/** What the origin gets in place of what the client has sent. */
function forwardedVariables(decision: EdgeDecision, request: EdgeRequest): readonly SpopPair[] {
  const { headers, target: original } = request
  const target = forwardedTarget(decision, request)
  const edits = decision.forwarded === undefined ? [] : decision.forwarded.edits
  return [
    ...(target === original ? [] : [textVariable('target', target)]),
    // Those that stay as they were, too: HAProxy removes some in any case.
    ...differingVariables('req', editedHeaders(headers, edits)),
  ]
}

/** A configuration names those of the headers that rules change; HAProxy ignores the others. */
const differingVariables = (
  scope: string,
  differences: ReturnType<typeof differencesOf>,
): readonly SpopPair[] =>
  differences.map(([name, value]) =>
    value === undefined
      ? textVariable(headerVariable(`${scope}_removed`, name), '1')
      : textVariable(headerVariable(scope, name), value),
  )

const textVariable = (name: string, value: string): SpopPair => [name, { type: 'string', value }]

const rayVariable = (rayId: string): SpopPair => ['ray', { type: 'string', value: rayId }]

/** Forgets the oldest entry if there are too many. */
function keep<Entry>(entries: Map<string, Entry>, key: string, entry: Entry, most: number): void {
  entries.set(key, entry)
  const [oldest] = entries.keys()
  if (entries.size > most && oldest !== undefined) entries.delete(oldest)
}

type IntegerValue = Extract<SpopValue, { readonly value: bigint }>
const isInteger = (value: SpopValue): value is IntegerValue => /int/.test(value.type)

/** @returns undefined if HAProxy could not read the request's path, host or client address. */
function requestOf(args: Args, frame: FrameSize): EdgeRequest | undefined {
  const [method, target, version] = [textOf(args, 'method'), textOf(args, 'target'), textOf(args, 'version')]
  const [client, port, tls] = [args.get('client'), args.get('port'), args.get('tls')]
  const headers = headersOf(args)
  const host = headers.find(([name]) => name === 'host')?.[1]
  const clientIp = client && addressOf(client)
  if (method === undefined || target?.startsWith('/') !== true || host === undefined) return undefined
  if (clientIp === undefined || port === undefined || !isInteger(port)) return undefined
  return {
    method,
    target,
    host,
    isTls: tls?.type === 'boolean' && tls.value,
    version: VERSIONS[String(version)] ?? 'HTTP/1.1', // of versions that are not defined yet
    headers,
    clientIp,
    serverPort: Number(port.value),
    seesResponse: true,
    body: bodyOf(args, headers, frame),
  }
}

function textOf(args: Args, name: string): Bytes | undefined {
  const value = args.get(name)
  return value?.type === 'string' ? value.value : undefined
}

function headersOf(args: Args): HeaderLine[] {
  const lines = args.get('headers')
  return lines?.type === 'binary' ? new OctetReader(viewOf(lines.value)).headerLines() : []
}

/** Not a copy. */
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

const addressOf = (value: SpopValue): Ip | undefined =>
  value.type === 'ipv4' || value.type === 'ipv6' ? ipFromOctets(value.value) : undefined

/**
 * HAProxy has what fits into its buffer. It knows the size of the rest only by Content-Length: without it, a body that
 * could fill the buffer counts as truncated. At most half of a buffer is reserved (tune.maxrewrite).
 */
function bodyOf(args: Args, headers: readonly HeaderLine[], frame: FrameSize): EdgeRequest['body'] {
  const body = args.get('body')
  if (body?.type !== 'binary') return undefined
  const octets = body.value
  const declared = headers.find(([name]) => name === 'content-length')?.[1]
  if (declared !== undefined && /^\d{1,15}$/.test(declared)) {
    const sizeBytes = Number(declared)
    return { octets, isTruncated: octets.length < sizeBytes, sizeBytes }
  }
  const isTruncated =
    frame.bytes >= frame.maxBytes / 2 && headers.some(([name]) => name === 'transfer-encoding')
  return { octets, isTruncated, sizeBytes: isTruncated ? octets.length + 1 : octets.length }
}
