// What rules run on: a request, and its response if there is one. All strings are bytes.
import type { Bytes } from '../bytes.ts'

export type Header = readonly [name: Bytes, value: Bytes]

export interface HttpRequest {
  readonly method: Bytes
  /** As received, before decoding. */
  readonly target: Bytes
  /** For example `HTTP/1.1`. */
  readonly version: Bytes
  readonly headers: readonly Header[]
  readonly body: Bytes
  /** In text form. */
  readonly remoteAddress: string
}

export interface HttpResponse {
  readonly status: number
  readonly version: Bytes
  readonly headers: readonly Header[]
  readonly body: Bytes
}

/** Values of the headers of a name in lower case, in order. */
export const headerValues = (headers: readonly Header[], name: string): readonly Bytes[] =>
  headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value)
