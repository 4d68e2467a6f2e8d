// The HTTP layer: every operation of the contract passes the same steps: identify, authorize, validate, call, reply.
import { pathId } from './path-id.ts'
import { Readable } from 'node:stream'
import { OPERATIONS, type Operation } from '@zonereeve/contract'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import {
  type Actor,
  type AllowedHosts,
  type Caller,
  createHostCheck,
  DomainError,
  type Ids,
  type Log,
  readIfMatch,
  type StringChunks,
  queueRequests,
} from '@zonereeve/platform'
import { yieldNow } from '@zonereeve/cooperate'
import { readCredential, type Authenticate, type Credential } from './authentication.ts'
import { authorize, requireRecentSignIn, type ResolvedTarget } from './authorization.ts'
import {
  acceptBodies,
  configOf,
  MAX_BODY_BYTES,
  MAX_FORM_OVERHEAD_BYTES,
  takenFile,
  type RouteConfig,
} from './bodies.ts'
import { trustIn } from './client-address.ts'
import type { ClientErrorHandler } from './client-errors.ts'
import {
  cursorListText,
  failureOf,
  listEnds,
  listOctets,
  listText,
  rehearsedText,
  resultInfo,
  successEnds,
  successText,
  type EnvelopeExtras,
} from './envelope.ts'
import { asksDryRun, type Rehearse } from './dry-run.ts'
import { asksToWait, withNodesBehind } from './wait.ts'
import { onceSignal } from './left-clients.ts'
import {
  BASE_PATH,
  methodFinder,
  pathPatterns,
  rewriteBasePath,
  routerPath,
  type PathPatterns,
} from './paths.ts'
import { renameMembers, type Profile } from './profiles.ts'
import { createPassing, type NodeAccess, type Passing } from './nodes.ts'
import { createRequestAudit, type RecordRequest, type RequestAudit } from './request-audit.ts'
import { createRateLimit, type CountRequest, type RateLimit } from './rate-limit.ts'
import type { Client, EventsReply, FileReply, ListReply, Reply, Route } from './route.ts'
import { requireNoOtherOrigin, siteOf } from './site.ts'
import { createValidator, rejectsUnknownMembers, type Validation } from './validation.ts'

export interface HttpDeps {
  readonly routes: readonly Route[]
  readonly profile: Profile
  readonly rateLimit: RateLimit | undefined
  readonly trustProxy: readonly string[]
  readonly allowedHosts: AllowedHosts
  readonly publicUrl: string | undefined
  readonly authenticate: Authenticate
  readonly known: ResolvedTarget
  readonly ids: Ids
  readonly log: Log
  /** Answers input that is not HTTP. */
  readonly clientErrors: ClientErrorHandler
  readonly rehearse: Rehearse
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Bytes of a file, if the operation has no limit of its own. */
  readonly maxFileBytes: number
  /** Receives finished requests that belong in the audit log, and are not there with a change. */
  readonly recordRequest: RecordRequest
  /** The other nodes with the same database; undefined if there are none. */
  readonly nodes?: NodeAccess | undefined
  /** Called after each finished request. */
  readonly observe: (operationId: string, status: number, seconds: number) => void
}

interface RequestState {
  readonly caller: Caller
  readonly actor: Actor
  readonly client: Client
}

/** The caller of operations that need no credential: it may do nothing else. */
const ANONYMOUS: Caller = {
  kind: 'anonymous',
  id: 'anonymous',
  name: 'anonymous',
  userId: 'anonymous',
  can: () => false,
  reach: () => [],
}

const MAX_PARAM_LENGTH = 300
export const REQUEST_TIMEOUT_MILLIS = 60_000
/** For slow requests. Checked every second: Node's default interval of 30 s would be added to the limits. */
export const HTTP_TIMEOUTS = { headersTimeout: 20_000, connectionsCheckingInterval: 1_000 }

/**
 * Builds the HTTP server; the caller calls `listen`. Pages that are not operations are added with `app.get`
 * beforehand.
 */
export async function createHttpServer(deps: HttpDeps): Promise<FastifyInstance> {
  const { clientErrors } = deps
  const app = fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MILLIS,
    http: HTTP_TIMEOUTS,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    trustProxy: trustIn(deps.trustProxy) ?? false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: () => deps.ids.id(),
    rewriteUrl: (request) => rewriteBasePath(request.url ?? '/'),
    clientErrorHandler: clientErrors.handle,
    frameworkErrors: (error, request, reply) =>
      void sendFailure(withoutSniffing(reply), domainErrorOf(error, request, deps.log)),
  })
  clientErrors.watch(app.server)
  const requireHost = createHostCheck(app.server, deps.allowedHosts)
  app.addHook('onRequest', async (request, reply) => {
    withoutSniffing(reply)
    requireHost(request.raw, configOf(request).anyHost)
  })
  const passing = deps.nodes && createPassing(app, deps.nodes, deps.log)
  // In front of all other request listeners, once they are registered.
  app.addHook('onReady', async () => queueRequests(app.server))
  acceptBodies(app)
  const audit = createRequestAudit(deps.recordRequest)
  rejectInTheEnvelope(app, deps, audit)
  const countRequest = deps.rateLimit && createRateLimit(deps.rateLimit, deps.nodes)
  const validator = createValidator(deps.profile)
  const identify = createIdentify(deps, countRequest, audit)
  for (const route of deps.routes)
    serve(app, route, validator(route.operation), { identify, audit, passing }, deps)
  return app
}

type Identify = (
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
  patterns: PathPatterns,
) => Promise<RequestState>

/**
 * Path, credential, rate, permission: in this order, before a body is read. Operations that ended with the zone's
 * migration are reported as gone before identifiers after the zone's are checked.
 */
function createIdentify(
  deps: HttpDeps,
  countRequest: CountRequest | undefined,
  audit: RequestAudit,
): Identify {
  const callerOf = createCallerOf(deps, countRequest)
  return async (request, reply, operation, patterns) => {
    const ids = request.params as Readonly<Record<string, string | undefined>> // the router yields strings
    const malformed = patterns.filter(([name, pattern]) => !pattern.test(ids[name] ?? ''))
    const mayEnd = operation.endsWithMigration === true && malformed.every(([name]) => name !== 'zone_id')
    const rejectIdentifiers = (): void => {
      if (malformed.length === 0) return
      throw new DomainError({ reason: 'route.identifier', values: { path: pathOf(request.originalUrl) } })
    }
    if (!mayEnd) rejectIdentifiers()
    const caller = await callerOf(request, reply, operation)
    const actor = audit.begin(request, operation, caller)
    await authorize(operation, ids, caller, deps.known)
    if (mayEnd && (await deps.known.isMigrated(pathId(ids, 'zone_id'))))
      throw new DomainError({ reason: 'waf.retired' })
    rejectIdentifiers()
    return { caller, actor, client: clientOf(request, actor, deps.publicUrl) }
  }
}

const MAX_USER_AGENT_CHARACTERS = 300

function clientOf(request: FastifyRequest, { trail }: Actor, publicUrl: string | undefined): Client {
  const userAgent = request.headers['user-agent']?.slice(0, MAX_USER_AGENT_CHARACTERS) ?? null
  return { ip: request.ip, userAgent, site: siteOf(request, publicUrl), ...(trail && { trail }) }
}

function createCallerOf(deps: HttpDeps, countRequest: CountRequest | undefined) {
  const { publicUrl } = deps
  return async (request: FastifyRequest, reply: FastifyReply, operation: Operation): Promise<Caller> => {
    const { on } = operation.permission
    if (on === 'public') {
      requireNoOtherOrigin(request, siteOf(request, publicUrl))
      countRequest?.(reply, request.ip)
      return ANONYMOUS
    }
    const credential = readCredential(request, publicUrl, on === 'session' ? 'session.none' : 'auth.missing')
    countRequest?.(reply, credential.value)
    const caller = await authenticateFor(operation, credential, request.ip, deps)
    if (on === 'session' && caller.session === undefined) throw new DomainError({ reason: 'session.none' })
    return caller
  }
}

// The error for an unknown token depends on the part of the API.
async function authenticateFor(
  operation: Operation,
  credential: Credential,
  ip: string,
  { authenticate }: HttpDeps,
): Promise<Caller> {
  try {
    return await authenticate(credential, ip)
  } catch (error) {
    if (!(error instanceof DomainError) || error.issues[0].reason !== 'auth.unknown_token') throw error
    if (operation.permission.on === 'credential') throw new DomainError({ reason: 'auth.token_unverified' })
    if (operation.path.startsWith('/accounts'))
      throw new DomainError({ reason: 'auth.unknown_token_account' })
    throw error
  }
}

interface Steps {
  readonly identify: Identify
  readonly audit: RequestAudit
  readonly passing: Passing | undefined
}

/** A member costs less than an entry of a WeakMap. */
const STATE = Symbol('who sent the request')
type Identified = FastifyRequest & { [STATE]?: RequestState }
const entryOf = (request: FastifyRequest): Identified => request

function serve(
  app: FastifyInstance,
  { operation, handle }: Route,
  validation: Validation,
  { identify, audit, passing }: Steps,
  deps: HttpDeps,
): void {
  const patterns = pathPatterns(operation)
  app.route({
    method: operation.method,
    url: BASE_PATH + routerPath(operation.path),
    ...sizesOf(operation, deps.maxFileBytes),
    onRequest: async (request, reply) => {
      if (passing?.isForWriter(operation) === true) return passing.pass(request, reply)
      entryOf(request)[STATE] = await identify(request, reply, operation, patterns)
    },
    handler: async (request, reply) => {
      const state = entryOf(request)[STATE]
      if (state === undefined) throw new Error('the request was not identified')
      const query = validation.query({ ...(request.query as object) }) // the router's own object has no prototype
      const body = validation.body(request.body)
      const ifMatch = readIfMatch(request.headers['if-match'])
      if (ifMatch !== undefined && operation.conditional !== true)
        throw new DomainError({ reason: 'request.if_match' })
      const waits = asksToWait(operation, request.query)
      const [signalOnce, lastEventId] = [onceSignal(request, reply), request.headers['last-event-id']]
      const [{ params }, { caller, actor, client }] = [request, state]
      // One literal, without a getter (ADR 151).
      const call = { params, query, body, ifMatch, lastEventId, signalOnce, caller, actor, client }
      const carryOut = () => handle(call as never) // as validated
      if (asksDryRun(operation, request.query as Readonly<Record<string, unknown>>)) {
        const { result, changes } = await deps.rehearse(carryOut, signalOnce())
        const shown = operation.dryRunIsSilent === true ? 'null' : resultText(result)
        const text = rehearsedText(shown, extrasOf(result), changes)
        return send(reply, 200, renameMembers(text, deps.profile))
      }
      requireRecentSignIn(operation, query, state.caller, deps.now())
      const made = await carryOut()
      const answer = withNodesBehind(made, waits ? await passing?.nodesBehind() : undefined, reply)
      if ('etag' in answer && answer.etag !== undefined) reply.header('ETag', answer.etag)
      if ('cookie' in answer && answer.cookie !== undefined) reply.header('Set-Cookie', answer.cookie)
      if ('file' in answer) return sendFile(reply, answer)
      if ('events' in answer) return sendEvents(reply, answer)
      if (operation.noContent === true) return sendNothing(reply)
      if ('items' in answer && !('after' in answer) && isInChunks(answer.items))
        return sendChunks(reply, listChunks(answer, answer.items, deps.profile))
      if ('text' in answer && isInChunks(answer.text))
        return sendChunks(reply, textChunks(answer, answer.text, deps.profile))
      return send(reply, 200, replyBody(answer, deps.profile))
    },
    onResponse: async (request, reply) => {
      const seconds = reply.elapsedTime / 1000
      deps.observe(operation.id, reply.statusCode, seconds)
      audit.finish(request, operation, reply.statusCode)
      deps.log.info(
        {
          requestId: request.id,
          operation: operation.id,
          status: reply.statusCode,
          seconds,
          actor: entryOf(request)[STATE]?.actor.id,
          ip: request.ip,
        },
        'request',
      )
    },
  })
}

/** Size limit of the body, whether it is a file, and whether all of it is validated. */
function sizesOf(
  operation: Operation,
  maxFileBytes: number,
): { readonly bodyLimit: number; readonly config: RouteConfig } {
  const { upload, maxBodyBytes = MAX_BODY_BYTES } = operation
  if (upload === undefined)
    return { bodyLimit: maxBodyBytes, config: { keepsMembers: rejectsUnknownMembers(operation) } }
  const maxBytes = upload.maxFileBytes ?? maxFileBytes
  return {
    bodyLimit: maxBytes + MAX_FORM_OVERHEAD_BYTES,
    config: { file: { alone: upload.alone, maxBytes } },
  }
}

type Enveloped = Exclude<Reply, FileReply | EventsReply>

function replyBody(reply: Enveloped, profile: Profile): string | Buffer {
  if (!('items' in reply)) return renameMembers(successText(resultText(reply), extrasOf(reply)), profile)
  if ('after' in reply) return renameMembers(cursorListText(reply.items, reply.after), profile)
  const { items } = reply
  const around = contextOf(reply)
  if (items instanceof Uint8Array && profile.renamedMembers.length === 0) return listOctets(items, around)
  return renameMembers(listText(textOf(items), around), profile)
}

function contextOf({ page, perPage, count, totalCount, isComplete, infoSecond, notices }: ListReply) {
  const info = {
    ...resultInfo(page, perPage, count, totalCount),
    ...(isComplete !== undefined && { is_complete: isComplete }),
  }
  return { info, infoSecond, notices }
}

function* textChunks(reply: Reply, text: StringChunks, profile: Profile): Generator<string> {
  const [head, tail] = successEnds(extrasOf(reply))
  yield head
  for (const chunk of text) yield renameMembers(chunk, profile)
  yield tail
}

const isInChunks = (items: ListReply['items']): items is StringChunks =>
  typeof items !== 'string' && !(items instanceof Uint8Array)

/** The whole reply. Each member is in one chunk with its name, so that renaming finds it. */
function* listChunks(reply: ListReply, items: StringChunks, profile: Profile): Generator<string> {
  const [head, tail] = listEnds(contextOf(reply))
  yield head
  for (const chunk of items) yield renameMembers(chunk, profile)
  yield tail
}

const textOf = (items: ListReply['items']): string => {
  if (typeof items === 'string') return items
  return items instanceof Uint8Array ? Buffer.from(items).toString('utf8') : [...items].join('')
}

function resultText(reply: Reply): string {
  if ('file' in reply) return JSON.stringify(fileText(reply.file))
  if ('events' in reply) throw new Error('a stream of events has no result')
  if ('items' in reply) return `[${textOf(reply.items)}]`
  return 'text' in reply ? textOf(reply.text) : JSON.stringify(reply.result)
}

const fileText = (file: FileReply['file']): string =>
  file instanceof Uint8Array ? Buffer.from(file).toString('utf8') : [...file].join('')

const extrasOf = (reply: Reply): EnvelopeExtras =>
  'items' in reply || 'file' in reply || 'events' in reply ? {} : reply

const withoutSniffing = (reply: FastifyReply): FastifyReply =>
  reply.header('X-Content-Type-Options', 'nosniff')

const securely = (reply: FastifyReply): FastifyReply =>
  reply.header('Cache-Control', 'no-store').header('X-Request-Id', reply.request.id)

const sendNothing = (reply: FastifyReply): FastifyReply => securely(reply).code(204).send()

function sendFile(reply: FastifyReply, { file, type, name, headers = {} }: FileReply): FastifyReply {
  if (name !== undefined) reply.header('Content-Disposition', `attachment; filename="${name}"`)
  return securely(reply)
    .headers(headers)
    .header('Content-Type', type)
    .send(
      typeof file === 'string' || file instanceof Uint8Array
        ? Buffer.from(file)
        : Readable.from(paceChunks(file)),
    )
}

/** A proxy must not collect them. A connection that stayed open afterwards would hold up the end of the program. */
function sendEvents(reply: FastifyReply, { events }: EventsReply): FastifyReply {
  return securely(reply)
    .header('Content-Type', 'text/event-stream')
    .header('X-Accel-Buffering', 'no')
    .headers(reply.request.raw.httpVersionMajor === 1 ? { Connection: 'close' } : {})
    .send(Readable.from(events, { objectMode: false }))
}

function sendChunks(reply: FastifyReply, chunks: StringChunks): FastifyReply {
  return securely(reply)
    .header('Content-Type', 'application/json')
    .send(Readable.from(paceChunks(chunks)))
}

/** Without pauses, a client that reads as fast as the chunks are written would block the event loop. */
async function* paceChunks(chunks: StringChunks): AsyncGenerator<string> {
  for (const chunk of chunks) {
    yield chunk
    await yieldNow()
  }
}

function send(reply: FastifyReply, status: number, body: string | Buffer): FastifyReply {
  return (
    securely(reply)
      .code(status)
      .header('Content-Type', 'application/json')
      // Sent as a Buffer: for a string, a charset would be added, which JSON does not have (RFC 8259 §11).
      .send(typeof body === 'string' ? Buffer.from(body) : body)
  )
}

/** Reports every error in the envelope; unexpected errors are logged, and their reply has no details. */
function rejectInTheEnvelope(app: FastifyInstance, deps: HttpDeps, audit: RequestAudit): void {
  const methodsAt = methodFinder(OPERATIONS)
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url)
    const methods = methodsAt(path)
    const refusal =
      methods.length > 0
        ? new DomainError({ reason: 'route.method', values: { method: request.method } })
        : new DomainError({ reason: 'route.unknown' })
    if (methods.length > 0) reply.header('Allow', methods.join(', '))
    return sendFailure(reply, refusal)
  })
  app.setErrorHandler((error: Error & { code?: string }, request, reply) => {
    const failure = domainErrorOf(error, request, deps.log)
    audit.noteFailure(request, failure)
    return sendFailure(reply, failure)
  })
}

function sendFailure(reply: FastifyReply, error: DomainError): FastifyReply {
  const { status, body } = failureOf(error)
  const { retryAfterSeconds } = error.issues[0]
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds))
  // Set by the framework for bodies that it does not read; HTTP/2 has no such header.
  if (reply.request.raw.httpVersionMajor === 2) reply.removeHeader('Connection')
  return send(reply, status, body)
}

function domainErrorOf(error: Error & { code?: string }, request: FastifyRequest, log: Log): DomainError {
  if (error instanceof DomainError) return error
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(request)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new DomainError({ reason: 'request.content_type' })
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new DomainError({ reason: 'route.identifier', values: { path: pathOf(request.originalUrl) } })
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE': // the QUERY method, which no operation has
      return new DomainError({ reason: 'route.method', values: { method: request.method } })
    case 'ECONNRESET': // the client disconnected during its request
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
      return new DomainError({ reason: 'request.malformed' })
    default:
      log.error({ err: error, requestId: request.id, url: pathOf(request.url) }, 'request failed')
      return new DomainError({ reason: 'server.internal', values: { request: request.id } })
  }
}

function tooLarge(request: FastifyRequest): DomainError {
  const file = takenFile(request)
  if (file === undefined) {
    const values = { limit: request.routeOptions.bodyLimit ?? MAX_BODY_BYTES }
    return new DomainError({ reason: 'request.too_large', values })
  }
  const values = { limit: file.maxBytes }
  return new DomainError({ reason: 'request.file_too_large', pointer: '/file', values })
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? url
