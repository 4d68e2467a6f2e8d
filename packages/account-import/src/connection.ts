// Requests to one of the two servers: replies as values, whole lists, and patience with rate limits.

export type Item = Readonly<Record<string, unknown>>

export interface Issue {
  readonly code: number
  readonly message: string
  readonly source?: { readonly pointer?: string } | undefined
}

export type Reply =
  | { readonly ok: true; readonly result: unknown; readonly info?: Item | undefined }
  | { readonly ok: false; readonly status: number; readonly issues: readonly Issue[] }

export interface Connection {
  /** @param path below the base URL. @throws Error: there is no answer in the API's form. */
  send(method: string, path: string, body?: unknown): Promise<Reply>
}

/** A read was refused, so its content is unknown. */
export class ReadRefused extends Error {
  override readonly name = 'ReadRefused'
  readonly status: number

  constructor(path: string, status: number, issues: readonly Issue[]) {
    super(`GET ${path}: ${status} ${describeIssues(issues)}`.trimEnd())
    this.status = status
  }
}

export const describeIssues = (issues: readonly Issue[]): string =>
  issues
    .map(({ code, message, source }) => {
      const pointer = source?.pointer ?? '' // most errors name no member
      return `${message} (${code})${pointer === '' ? '' : ` at ${pointer}`}`
    })
    .join('; ')

/** Items per page: what every list of the vendor accepts. */
const PER_PAGE = 50
/** Records per page. */
export const RECORDS_PER_PAGE = 1_000
/** Pages of one list: an endless list is a fault of the server. */
const MAX_PAGES = 100_000

/** The result of one read. @throws ReadRefused. */
export async function read(connection: Connection, path: string): Promise<unknown> {
  const reply = await connection.send('GET', path)
  if (!reply.ok) throw new ReadRefused(path, reply.status, reply.issues)
  return reply.result
}

/** All pages of a list, by number or by cursor, as the server's replies say. @throws ReadRefused. */
export async function readAll(connection: Connection, path: string, perPage = PER_PAGE): Promise<Item[]> {
  const items: Item[] = []
  const separator = path.includes('?') ? '&' : '?'
  let next = 'page=1'
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const reply = await connection.send('GET', `${path}${separator}${next}&per_page=${perPage}`)
    if (!reply.ok) throw new ReadRefused(path, reply.status, reply.issues)
    items.push(...itemsOf(reply.result))
    const cursor = cursorOf(reply.info)
    if (cursor === undefined && page >= Number(reply.info?.['total_pages'] ?? 1)) return items // a list without pages
    next = cursor === undefined ? `page=${page + 1}` : `cursor=${encodeURIComponent(cursor)}`
  }
  throw new Error(`GET ${path}: more than ${MAX_PAGES} pages`)
}

/** A list by cursor, whose first request has no page number. @throws ReadRefused. */
export async function readByCursor(
  connection: Connection,
  path: string,
  perPage = PER_PAGE,
): Promise<Item[]> {
  const items: Item[] = []
  let next = ''
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const reply = await connection.send('GET', `${path}?per_page=${perPage}${next}`)
    if (!reply.ok) throw new ReadRefused(path, reply.status, reply.issues)
    items.push(...itemsOf(reply.result))
    const cursor = cursorOf(reply.info)
    if (cursor === undefined) return items
    next = `&cursor=${encodeURIComponent(cursor)}`
  }
  throw new Error(`GET ${path}: more than ${MAX_PAGES} pages`)
}

function cursorOf(info: Item | undefined): string | undefined {
  const cursors = info?.['cursors']
  const after = isItem(cursors) ? cursors['after'] : undefined
  return typeof after === 'string' && after !== '' ? after : undefined
}

export const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws Error: it is not a list of objects. */
export function itemsOf(value: unknown): Item[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value) && value.every(isItem)) return value
  throw new Error('a list of the API is not a list of objects')
}

const TOO_MANY_REQUESTS = 429
/** The vendor refuses requests for up to five minutes. */
const WAIT_SECONDS = 20
const MAX_WAITS = 30

/**
 * Repeats requests that a rate limit refused, for up to ten minutes.
 *
 * @param wait for a number of seconds.
 */
export function withPatience(connection: Connection, wait: (seconds: number) => Promise<void>): Connection {
  return {
    async send(method, path, body) {
      for (let waits = 0; ; waits += 1) {
        const reply = await connection.send(method, path, body)
        if (reply.ok || reply.status !== TOO_MANY_REQUESTS || waits === MAX_WAITS) return reply
        await wait(WAIT_SECONDS)
      }
    },
  }
}
