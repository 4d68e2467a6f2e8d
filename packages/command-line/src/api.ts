// The API client of the command line: sends requests, returns envelopes, throws ApiError when the server
// rejects a request.
import type { ResultInfo, WireIssue } from '@zonereeve/contract'
import type { ClientConfig } from './client-config.ts'

export interface Envelope<Result> {
  readonly result: Result
  readonly success: boolean
  readonly errors: readonly WireIssue[]
  readonly messages: readonly WireIssue[]
  readonly result_info?: ResultInfo
  readonly changes?: readonly unknown[]
}

/**
 * The server rejected the request. Its messages say what would be right, for example which permission is
 * missing.
 */
export class ApiError extends Error {
  readonly status: number
  readonly issues: readonly WireIssue[]

  constructor(status: number, { errors: issues, messages = [] }: Refusal) {
    super([...issues, ...messages].map(describeIssue).join('\n'))
    this.name = 'ApiError'
    this.status = status
    this.issues = issues
  }
}

type Refusal = Pick<Envelope<unknown>, 'errors'> & Partial<Pick<Envelope<unknown>, 'messages'>>

const describeIssue = ({
  code,
  message,
  source,
  documentation_url: url,
  error_chain: chain = [],
}: WireIssue): string =>
  [
    `${message} (${code})`,
    source?.pointer && `at ${source.pointer}`,
    ...chain.map((link) => `${link.message} (${link.code})`),
    url && `see ${url}`,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(', ')

export interface Api {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** @throws ApiError. */
  call<Result>(method: string, path: string, body?: unknown): Promise<Envelope<Result>>
  /**
   * Like `call`, with a body of any kind; also returns the entity tag of the reply.
   * @throws ApiError.
   */
  send<Result>(
    method: string,
    path: string,
    sent?: ApiRequest,
  ): Promise<Envelope<Result> & { readonly etag: string }>
  /** A reply that is not JSON. @throws ApiError. */
  open(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** All pages of a list. @throws ApiError. */
  all<Item>(path: string, perPage: number): Promise<Item[]>
  /** The id of the zone with this name or id. @throws Error. */
  zoneId(nameOrId: string): Promise<string>
}

export interface ApiRequest {
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData
  readonly headers?: Readonly<Record<string, string>>
}

const OBJECT_ID = /^[0-9a-f]{32}$/

export function createApi({ baseUrl, token }: Pick<ClientConfig, 'baseUrl' | 'token'>): Api {
  return { baseUrl, call, send, open, all, zoneId }

  async function call<Result>(method: string, path: string, body?: unknown): Promise<Envelope<Result>> {
    if (typeof body === 'string') return send<Result>(method, path, { body })
    const headers = { 'content-type': 'application/json' }
    return send<Result>(method, path, body === undefined ? {} : { body: JSON.stringify(body), headers })
  }

  async function send<Result>(method: string, path: string, sent: ApiRequest = {}) {
    const response = await request(method, path, sent)
    const envelope = await readEnvelope<Result>(response)
    if (!envelope.success) throw new ApiError(response.status, envelope)
    const etag = response.headers.get('etag') ?? '' // only some objects have one
    return { ...envelope, etag }
  }

  async function open(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const response = await request('GET', path, { headers })
    if (response.ok) return response
    throw new ApiError(response.status, await readEnvelope(response))
  }

  function request(method: string, path: string, { body, headers = {} }: ApiRequest): Promise<Response> {
    const all = { authorization: `Bearer ${token}`, ...headers }
    return fetch(baseUrl + path, { method, headers: all, ...(body === undefined ? {} : { body }) }).catch(
      (error: Error & { cause?: Error }) => {
        throw new Error(`${baseUrl} does not answer: ${error.cause?.message ?? error.message}`)
      },
    )
  }

  async function all<Item>(path: string, perPage: number): Promise<Item[]> {
    const items: Item[] = []
    for (let page = 1; ; page += 1) {
      const separator = path.includes('?') ? '&' : '?'
      const { result, result_info: info } = await call<Item[]>(
        'GET',
        `${path}${separator}page=${page}&per_page=${perPage}`,
      )
      items.push(...result)
      if (info === undefined || page >= info.total_pages) return items
    }
  }

  async function zoneId(nameOrId: string): Promise<string> {
    if (OBJECT_ID.test(nameOrId)) return nameOrId
    const { result } = await call<{ readonly id: string }[]>(
      'GET',
      `/zones?name=${encodeURIComponent(nameOrId)}`,
    )
    const [zone] = result
    if (zone === undefined) throw new Error(`unknown zone ${nameOrId}`)
    return zone.id
  }
}

async function readEnvelope<Result>(response: Response): Promise<Envelope<Result>> {
  const text = await response.text()
  try {
    return JSON.parse(text) as Envelope<Result> // the API's own form
  } catch {
    throw new Error(
      `${response.url} answered ${response.status} with something else than JSON; the base URL ends in /client/v4`,
    )
  }
}
