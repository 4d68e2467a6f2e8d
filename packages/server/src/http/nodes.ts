// Several nodes with one database: one of them writes. The others pass requests that write on to it, unchanged, and reply
// once they have applied what it wrote.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream'
import type { Operation } from '@zonereeve/contract'
import {
  type ComparedZones,
  createNodeClient,
  createWaiting,
  explainFailure,
  isOfClosedConnection,
  type NodeClient,
  type NodesBehind,
  REACHED_PATH,
  Unanswered,
  ZONE_STATES_PATH,
  zoneStates,
} from '@zonereeve/nodes'
import { DomainError, type Log, type RequestCounts } from '@zonereeve/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RouteConfig } from './bodies.ts'
import { onLeave } from './left-clients.ts'

export interface NodeAccess {
  /** Whether this node is the one that writes. */
  isWriter(): boolean
  /** It has some of the zones only, and passes on what may need others. */
  readonly onlyFollows?: boolean
  /** Where the writer is reached; undefined if it is this node, or there is none at the moment. */
  writerAddress(): string | undefined
  /** Addresses of the other nodes that live. @throws DomainError: the database does not answer */
  others(): Promise<readonly string[]>
  /** Reports to the other nodes what is counted here. @param name of what is counted */
  shareCounts(name: string, counts: RequestCounts): void
  /** The last position of the change log that this node has applied. */
  reached(): number
  /** @returns whether the position was reached in this time. */
  waitFor(position: number, withinMillis: number): Promise<boolean>
  /** What nodes know, and nobody else. */
  readonly credential: string
  /** The zones in memory, which nodes compare. */
  readonly zones?: ComparedZones | undefined
}

/** From the node that received the request. */
export const CREDENTIAL = 'zonereeve-node'
const CLIENT = 'zonereeve-node-client'
/** From the writer: all that the request wrote is at or before this position. */
const POSITION = 'zonereeve-node-position'
/** Of one connection (RFC 9110 §7.6.1), and of the protocol of nodes. */
const NOT_PASSED: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  CREDENTIAL,
  CLIENT,
  POSITION,
])
/** A node that is behind for longer replies anyway: the change is stored. */
const APPLY_MILLIS = 10_000
/** How often a request in progress looks whether its writer is still the writer. */
const LOOK_MILLIS = 1_000
const RETRY_AFTER_SECONDS = 2

/** The client, as the node that received the request sees it. */
interface PassedClient {
  readonly ip: string
  readonly protocol: string
  readonly host: string
}

export interface Passing {
  /** Whether the writer has to answer the operation. */
  isForWriter(operation: Operation): boolean
  /** At the writer: the other nodes that do not apply within some seconds what is written now. */
  nodesBehind(): Promise<NodesBehind>
  /** Passes the request to the writer. @throws DomainError: storage.unavailable */
  pass(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

export function createPassing(app: FastifyInstance, nodes: NodeAccess, log: Log): Passing {
  const passed = new WeakSet<IncomingMessage>()
  const client = createNodeClient()
  const headers = { [CREDENTIAL]: nodes.credential }
  const waiting = createWaiting({ client, others: nodes.others, headers })
  app.addHook('onRequest', async (request) => {
    const client = passedClient(request, nodes.credential)
    if (client === undefined) return
    passed.add(request.raw)
    for (const [name, value] of Object.entries(client)) Object.defineProperty(request, name, { value })
  })
  app.addHook('onSend', async (request, reply) => {
    if (passed.has(request.raw)) reply.header(POSITION, String(nodes.reached()))
  })
  app.addHook('onClose', async () => client.close())
  app.get(REACHED_PATH, { config: { anyHost: true } satisfies RouteConfig }, async (request, reply) => {
    if (!isNode(request, nodes.credential)) throw new DomainError({ reason: 'route.unknown' })
    const { position } = request.query as { readonly position?: string } // the router yields strings
    const isReached = await nodes.waitFor(Number(position), APPLY_MILLIS)
    return reply.code(isReached ? 204 : 504).send()
  })
  if (nodes.zones !== undefined) addZoneStates(app, nodes.zones, nodes.credential)
  return {
    isForWriter: (operation) => !nodes.isWriter() && needsWriter(operation, nodes.onlyFollows === true),
    nodesBehind: () => waiting.nodesBehind(nodes.reached()),
    async pass(request, reply) {
      const address = nodes.writerAddress()
      if (address === undefined) throw unavailable('no node is known that writes at the moment')
      // Two nodes that take each other for the writer: one of them has not noticed the change yet.
      if (passed.has(request.raw)) throw unavailable('the node that wrote until now does not any more')
      const answer = await sendToNode({ client, nodes, address }, request, reply)
      const position = Number(answer.headers[POSITION] ?? 0) // an answer of something else, such as a proxy
      if (!(await nodes.waitFor(position, APPLY_MILLIS)))
        log.warn({ position }, 'change of the writer not applied yet')
      reply.hijack()
      reply.raw.writeHead(answer.statusCode ?? 502, passedHeaders(answer.rawHeaders)) // every answer has a status
      pipeline(answer, reply.raw, () => {}) // a client that leaves ends the request
      return reply
    },
  }
}

/** Sends the client's request to the node that writes. @throws DomainError if it does not answer. */
function sendToNode(
  deps: { readonly client: NodeClient; readonly nodes: NodeAccess; readonly address: string },
  request: FastifyRequest,
  reply: FastifyReply,
  isApart = false,
): Promise<IncomingMessage> {
  const { client, nodes, address } = deps
  const { raw } = request
  // Its body would neither end nor fail, and neither would the request to the node.
  if (hasLeft(raw)) return Promise.reject(new DomainError({ reason: 'request.abandoned' }))
  const passedFrom: PassedClient = { ip: request.ip, protocol: request.protocol, host: request.host }
  return new Promise((resolve, reject) => {
    const nodeRequest = client.begin({
      address,
      method: request.method,
      path: request.originalUrl,
      isApart,
      headers: {
        ...Object.fromEntries(Object.entries(raw.headers).filter(([name]) => mayPass(name))),
        host: request.host,
        [CREDENTIAL]: nodes.credential,
        [CLIENT]: JSON.stringify(passedFrom),
      },
    })
    const watch = setInterval(() => {
      const now = nodes.writerAddress()
      if (now !== address)
        nodeRequest.destroy(
          new Error(now === undefined ? 'no node writes any more' : 'another node writes now'),
        )
    }, LOOK_MILLIS)
    nodeRequest.once('close', () => clearInterval(watch))
    let isAnswered = false
    nodeRequest.once('response', (answer) => {
      isAnswered = true
      clearInterval(watch)
      resolve(answer)
    })
    nodeRequest.on('error', (failure) => {
      if (!isAnswered && isSafe(raw) && isOfClosedConnection(failure, nodeRequest))
        return resolve(sendToNode(deps, request, reply, true))
      const { message, isSent } = explainFailure(failure, nodeRequest)
      reject(
        unavailable(
          isSent
            ? `the node that writes did not reply (${message}): the change may be stored`
            : `the node that writes does not answer (${message})`,
        ),
      )
    })
    onLeave(reply, () => nodeRequest.destroy(new Unanswered('the client has left', true)))
    if (isSafe(raw)) nodeRequest.end()
    else sendBody(raw, nodeRequest)
  })
}

/** Over HTTP/2, a request that was reset is not destroyed. */
const hasLeft = ({ destroyed, aborted }: IncomingMessage): boolean => destroyed || aborted

/** A node that does not take the body must not break the client's connection, which is to get a reply. */
function sendBody(raw: IncomingMessage, nodeRequest: ClientRequest): void {
  raw.pipe(nodeRequest)
  nodeRequest.once('close', () => {
    raw.unpipe(nodeRequest)
    raw.resume() // what is left of the body is not needed
  })
}

function addZoneStates(app: FastifyInstance, zones: ComparedZones, credential: string): void {
  app.route({
    method: ['GET', 'POST'],
    url: ZONE_STATES_PATH,
    config: { anyHost: true } satisfies RouteConfig,
    async handler(request, reply) {
      if (!isNode(request, credential)) throw new DomainError({ reason: 'route.unknown' })
      const ids = String((request.query as { readonly zones?: string }).zones).split(',') // the router yields strings
      if (request.method === 'POST') for (const id of ids) await zones.reread(id)
      const left = new AbortController()
      reply.raw.once('close', () => left.abort())
      return reply.send(await zoneStates(zones, ids, left.signal))
    },
  })
}

/** What is answered from memory of the writer, or changes something. */
const needsWriter = (
  { method, readOnly, permission, path, tag, files }: Operation,
  hasSomeZones: boolean,
): boolean =>
  // All but what waits for long, and needs the database and the log alone: edges, and streams of events.
  (hasSomeZones && tag !== 'Edge' && files?.includes('text/event-stream') !== true) ||
  // Progress of transfers.
  path.includes('/secondary_dns/') ||
  // What began a sign-in is in memory until it ends.
  (method !== 'GET' && (readOnly !== true || permission.on === 'public' || permission.on === 'session'))

/** Changes nothing (RFC 9110 §9.2.1), and has no body: it can be sent again. */
const isSafe = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers['transfer-encoding'] === undefined &&
  Number(headers['content-length'] ?? 0) === 0 // none has no body

const mayPass = (name: string): boolean => !NOT_PASSED.has(name) && !name.startsWith(':') // those of HTTP/2

function passedHeaders(raw: readonly string[]): string[] {
  const headers: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2)
    if (mayPass(name.toLowerCase())) headers.push(name, value)
  }
  return headers
}

/** @returns undefined if the request does not come from a node. */
function passedClient({ raw }: FastifyRequest, credential: string): PassedClient | undefined {
  const { [CLIENT]: client } = raw.headers
  if (typeof client !== 'string' || !isNode({ raw }, credential)) return undefined
  return JSON.parse(client) as PassedClient // written by a node
}

function isNode({ raw }: Pick<FastifyRequest, 'raw'>, credential: string): boolean {
  const { [CREDENTIAL]: sent } = raw.headers
  return typeof sent === 'string' && isEqual(sent, credential)
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

const isEqual = (a: string, b: string): boolean => timingSafeEqual(hashOf(a), hashOf(b))

const unavailable = (problem: string): DomainError =>
  new DomainError({
    reason: 'storage.unavailable',
    values: { problem },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
