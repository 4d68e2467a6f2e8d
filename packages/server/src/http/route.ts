// A route: an operation of the contract and its handler.
import type { Operation, StaticOf } from '@zonereeve/contract'
import type { Actor, Caller, Expected, Issue, Notice, RequestTrail, StringChunks } from '@zonereeve/platform'
import { type PageRange, pageRange } from '@zonereeve/platform'
import type { Site } from './site.ts'

export interface Call<O extends Operation> {
  readonly params: StaticOf<O['params']>
  readonly query: StaticOf<O['query']>
  readonly body: StaticOf<O['body']>
  readonly caller: Caller
  readonly actor: Actor
  /** The version in the If-Match header. */
  readonly ifMatch: Expected
  /** The header Last-Event-ID, which resumes a stream of events. */
  readonly lastEventId: string | undefined
  readonly client: Client
  /** Aborted when the client disconnects before it has its reply: made when first asked for. Writes that have begun ignore it. */
  readonly signalOnce: () => AbortSignal
}

/** Where a request came from, and the site that it was sent to. */
export interface Client {
  readonly ip: string
  readonly userAgent: string | null
  readonly site: Site
  /** For the audit log; undefined in tests without a server. */
  readonly trail?: RequestTrail
}

export type Reply =
  /** `result` becomes JSON; `text` is JSON already, in chunks if it is long. */
  | (Beside & { readonly result: unknown })
  | (Beside & { readonly text: string | StringChunks })
  | ListReply
  | CursorReply
  | FileReply
  | EventsReply

interface Beside {
  readonly notices?: readonly Notice[]
  /** Rejected items of a bulk operation whose other items succeeded; reported as messages. */
  readonly refused?: readonly Issue[]
  /** Entity tag of the object in the reply. */
  readonly etag?: string
  /** Set-Cookie header; not sent for a dry run. */
  readonly cookie?: string
}

export interface ListReply {
  /** JSON text of the items, joined by commas, as a string, in UTF-8, or in chunks if it is long. */
  readonly items: string | Uint8Array | StringChunks
  readonly page: number
  readonly perPage: number
  readonly count: number
  readonly totalCount: number
  /** False if not all that there are were counted. */
  readonly isComplete?: boolean
  readonly infoSecond?: boolean
  readonly notices?: readonly Notice[]
}

/** A page of a list with cursors. */
export interface CursorReply {
  /** JSON text of the items, joined by commas. */
  readonly items: string
  /** Cursor of the next page; undefined on the last. */
  readonly after: string | undefined
}

/** A file instead of the envelope: for operations that declare its media type in `files`. */
export interface FileReply {
  readonly file: string | StringChunks | Uint8Array
  /** Including the charset. */
  readonly type: string
  /** File name to save it under; without one, browsers display it. */
  readonly name?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Server-sent events in their text form, until the client disconnects or they end. */
export interface EventsReply {
  readonly events: AsyncIterable<string>
}

export interface Route {
  readonly operation: Operation
  handle(call: Call<Operation>): Promise<Reply>
}

/** Binds `handle` to `operation`, with the types of its schemas. */
export function route<O extends Operation>(operation: O, handle: (call: Call<O>) => Promise<Reply>): Route {
  // The router validates by the schemas of the same operation before it calls, so the types hold.
  return { operation, handle: handle as Route['handle'] }
}

/** A page of a list whose items are all in memory. */
export function pageOf(
  all: readonly unknown[],
  query: { readonly page?: number; readonly per_page?: number },
  defaultPerPage: number,
): ListReply {
  const page = query.page ?? 1
  const perPage = query.per_page ?? defaultPerPage
  const items = all.slice((page - 1) * perPage, page * perPage)
  return {
    items: items.map((item) => JSON.stringify(item)).join(','),
    page,
    perPage,
    count: items.length,
    totalCount: all.length,
  }
}

/** The reply when something was removed. */
export async function replyRemoved(id: string, removal: Promise<unknown>) {
  await removal
  return { result: { id } }
}

/** A page of a list that the database reads by pages. */
export async function readPage<Item>(
  query: { readonly page?: number; readonly per_page?: number },
  defaultPerPage: number,
  read: (range: PageRange) => Promise<{
    readonly items: readonly Item[]
    readonly totalCount: number
    readonly isComplete?: boolean
  }>,
): Promise<ListReply> {
  const page = query.page ?? 1
  const perPage = query.per_page ?? defaultPerPage
  const { items, ...counts } = await read(pageRange(page, perPage))
  const text = items.map((item) => JSON.stringify(item)).join(',')
  return { items: text, page, perPage, count: items.length, ...counts }
}
