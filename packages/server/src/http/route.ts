// A route: an operation of the contract and the function that carries it out.
import type { Operation, StaticOf } from '@zonereeve/contract'
import type { Actor } from '../platform/actor.ts'
import type { Caller } from '../platform/caller.ts'
import type { Issue, Notice } from '../platform/domain-error.ts'
import type { Expected } from '../platform/etag.ts'
import type { Pieces } from '../platform/pieces.ts'

export interface Call<O extends Operation> {
  readonly params: StaticOf<O['params']>
  readonly query: StaticOf<O['query']>
  readonly body: StaticOf<O['body']>
  readonly caller: Caller
  readonly actor: Actor
  /** What the If-Match header names. */
  readonly ifMatch: Expected
}

export type Reply =
  /** `result` becomes JSON; `text` is JSON already. */
  | (Beside & { readonly result: unknown })
  | (Beside & { readonly text: string })
  | ListReply
  | CursorReply
  | FileReply

interface Beside {
  readonly notices?: readonly Notice[]
  /** What of many was refused while the rest was done: told among the messages. */
  readonly refused?: readonly Issue[]
  /** Entity tag of what the reply shows. */
  readonly etag?: string
}

export interface ListReply {
  /** JSON text of the items, joined by commas; or the same in UTF-8; or in pieces where it is long. */
  readonly items: string | Uint8Array | Pieces
  readonly page: number
  readonly perPage: number
  readonly count: number
  readonly totalCount: number
  readonly infoSecond?: boolean
  readonly notices?: readonly Notice[]
}

/** A page of a list that is walked by cursors. */
export interface CursorReply {
  /** JSON text of the items, joined by commas. */
  readonly items: string
  /** Cursor of the next page; undefined on the last. */
  readonly after: string | undefined
}

/** A file in place of the envelope: for operations that declare its media type in `files`. */
export interface FileReply {
  readonly file: string | Pieces
  /** With its charset. */
  readonly type: string
  /** Offered to be saved under this name; shown in place without one. */
  readonly name?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Route {
  readonly operation: Operation
  handle(call: Call<Operation>): Promise<Reply>
}

/** Binds `handle` to `operation`, with the types of its schemas. */
export function route<O extends Operation>(operation: O, handle: (call: Call<O>) => Promise<Reply>): Route {
  // The router validates by the schemas of the same operation before it calls, which is what makes the types true.
  return { operation, handle: handle as Route['handle'] }
}

/** A page of a list whose items are all at hand. */
export function pageOf(
  all: readonly unknown[],
  query: { readonly page?: number; readonly per_page?: number },
  usualPerPage: number,
): ListReply {
  const page = query.page ?? 1
  const perPage = query.per_page ?? usualPerPage
  const items = all.slice((page - 1) * perPage, page * perPage)
  return {
    items: items.map((item) => JSON.stringify(item)).join(','),
    page,
    perPage,
    count: items.length,
    totalCount: all.length,
  }
}
