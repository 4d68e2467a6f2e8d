// The named parts of a request that rules inspect, each a list of texts with their fields.
import type { Bytes } from '@zonereeve/expr'

/** Parts that exist for every request. */
export const REQUEST_PARTS = [
  'method',
  'version',
  'host',
  /** As received, before any decoding or normalization. */
  'uri',
  'path',
  'query',
  /** Values and names of the query, of forms, of multipart fields, and of JSON. */
  'args',
  'arg-names',
  'cookies',
  'cookie-names',
  /** Values of all headers except those with their own part and those with credentials. */
  'headers',
  'header-names',
  'user-agent',
  'referer',
  'content-type',
  /** Names of uploaded files, and their content. */
  'filenames',
  'files',
  /** A body that is neither a form nor JSON, as received. */
  'body',
] as const

/** `header:accept` and `arg:page` are the values of that name; the name is in lower case. */
export type RequestPart = (typeof REQUEST_PARTS)[number] | `header:${string}` | `arg:${string}`

/** A text of a part, and its field named as in the expression language. */
export interface PartText {
  readonly field: string
  readonly text: Bytes
  /** A body has less work than the rest of the request. */
  readonly isOfBody: boolean
}

/** The name in `header:accept` or `arg:page`; undefined for parts of another kind. */
export const nameIn = (part: RequestPart, kind: 'arg' | 'header'): Bytes | undefined =>
  part.startsWith(`${kind}:`) ? part.slice(kind.length + 1) : undefined
