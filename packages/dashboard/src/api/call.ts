// Calls an operation of the contract. Paths and types are checked against it; none of its code is in the bundle.
import type { Operation, ResultInfo, StaticOf, WireIssue } from '@zonereeve/contract'

const BASE_PATH = '/client/v4'
const TIMEOUT_MILLIS = 30_000
const UPLOAD_TIMEOUT_MILLIS = 300_000

/** Method and path, written where the call is; any other than the contract's is a type error. */
export type RouteOf<O extends Operation> = Pick<O, 'method' | 'path'>

type ParamsOf<O> = O extends { readonly params: infer S } ? { readonly params: StaticOf<S> } : unknown
type QueryOf<O> = O extends { readonly query: infer S } ? { readonly query?: Partial<StaticOf<S>> } : unknown
type BodyOf<O> = O extends { readonly body: infer S } ? { readonly body?: StaticOf<S> } : unknown
type ResultOf<O extends Operation> = O extends { readonly list: true | 'cursor' }
  ? readonly StaticOf<O['result']>[]
  : StaticOf<O['result']>

export type InputOf<O extends Operation> = ParamsOf<O> & QueryOf<O> & BodyOf<O>

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Asks what a write would do. */
  readonly isRehearsal?: boolean
  readonly ifMatch?: string | undefined
  /** Sends the body as it is, with this media type, and waits longer: a file may be large. */
  readonly upload?: { readonly type: string; readonly text: string | Blob }
}

export interface Answer<Result> {
  readonly result: Result
  readonly messages: readonly WireIssue[]
  readonly info: ResultInfo | undefined
  /** Cursor of the next page, of lists that have one. */
  readonly after: string | undefined
  readonly etag: string | undefined
  /** Also names the change set that a write made. */
  readonly requestId: string | undefined
}

/** A refusal, or no answer at all (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly issues: readonly WireIssue[]
  readonly requestId: string | undefined

  constructor(status: number, issues: readonly WireIssue[], requestId: string | undefined) {
    super(issues.map(({ message }) => message).join(' '))
    this.status = status
    this.issues = issues
    this.requestId = requestId
  }
}

interface Envelope {
  readonly success: boolean
  readonly result: unknown
  readonly errors: readonly WireIssue[]
  readonly messages: readonly WireIssue[]
  readonly result_info?: ResultInfo & { readonly cursors?: { readonly after: string } }
}

/** @throws ApiError for every refusal, and for a server that does not answer. */
export async function call<O extends Operation>(
  route: RouteOf<O>,
  input: InputOf<O>,
  options: CallOptions = {},
): Promise<Answer<ResultOf<O>>> {
  const { params, query, body } = input as Loose // InputOf<O>, whose members O decides
  const dryRun = options.isRehearsal === true ? { dry_run: true } : {}
  const url = `${BASE_PATH}${fillPath(route.path, params)}${searchOf({ ...query, ...dryRun })}`
  return answerOf<ResultOf<O>>(await request(url, route.method, body, options))
}

/** For operations that reply with a file. @throws ApiError as `call` does. */
export async function callForText<O extends Operation>(
  route: RouteOf<O>,
  input: InputOf<O>,
  options: CallOptions = {},
): Promise<string> {
  const { params, query = {} } = input as Loose // as in `call`
  const reply = await request(
    `${BASE_PATH}${fillPath(route.path, params)}${searchOf(query)}`,
    route.method,
    undefined,
    options,
  )
  if (!reply.ok) throw new ApiError(reply.status, (await envelopeOf(reply)).errors, requestIdOf(reply))
  return reply.text()
}

async function answerOf<Result>(reply: Response): Promise<Answer<Result>> {
  const envelope = await envelopeOf(reply)
  if (!envelope.success) throw new ApiError(reply.status, envelope.errors, requestIdOf(reply))
  return {
    // The server answers by the contract that the caller names the result by.
    result: envelope.result as Result,
    messages: envelope.messages,
    info: envelope.result_info,
    after: envelope.result_info?.cursors?.after,
    etag: reply.headers.get('etag') ?? undefined,
    requestId: requestIdOf(reply),
  }
}

interface Loose {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

function fillPath(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

function searchOf(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? '' : `?${search.toString()}`
}

function request(url: string, method: string, body: unknown, options: CallOptions): Promise<Response> {
  const headers: Record<string, string> = {}
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (options.upload !== undefined) headers['Content-Type'] = options.upload.type
  if (options.ifMatch !== undefined) headers['If-Match'] = options.ifMatch
  const patience = options.upload === undefined ? TIMEOUT_MILLIS : UPLOAD_TIMEOUT_MILLIS
  return send(url, patience, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(options.upload === undefined ? {} : { body: options.upload.text }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
}

async function send(url: string, patience: number, init: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(patience)
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
  try {
    return await fetch(url, { ...init, signal, credentials: 'same-origin' })
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    throw noAnswer()
  }
}

const noAnswer = () => new ApiError(0, [{ code: 0, message: 'The server did not answer.' }], undefined)

async function envelopeOf(reply: Response): Promise<Envelope> {
  const text = await reply.text()
  // Success without a body is 204.
  if (text === '') return { success: reply.ok, result: null, errors: [], messages: [] }
  try {
    return JSON.parse(text) as Envelope // every JSON reply of the API has the envelope
  } catch {
    // A proxy in between answered instead.
    throw new ApiError(reply.status, [{ code: 0, message: `HTTP ${reply.status}` }], requestIdOf(reply))
  }
}

const requestIdOf = (reply: Response): string | undefined => reply.headers.get('x-request-id') ?? undefined
