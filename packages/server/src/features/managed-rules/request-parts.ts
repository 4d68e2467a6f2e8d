// The named parts of a request in which rules look, each a list of texts with the field that they stand in.
import type { Bytes } from '@zonereeve/expr'

/** Parts that every request has lists for. */
export const REQUEST_PARTS = [
  'method',
  'version',
  'host',
  /** As received, before any decoding or normalisation. */
  'uri',
  'path',
  'query',
  /** Values and names of the query, of forms, of multipart fields, and of JSON. */
  'args',
  'arg-names',
  'cookies',
  'cookie-names',
  /** Values of all headers but those that have a part of their own or carry credentials. */
  'headers',
  'header-names',
  'user-agent',
  'referer',
  'content-type',
  /** Names of uploaded files, and what is in them. */
  'filenames',
  'files',
  /** A body that is no form and no JSON, as received. */
  'body',
] as const

/** `header:accept` and `arg:page` are the values of that one name, in lower case. */
export type RequestPart = (typeof REQUEST_PARTS)[number] | `header:${string}` | `arg:${string}`

/** A text of a part, and the field where it stands as the expression language would name it. */
export interface PartText {
  readonly field: string
  readonly text: Bytes
}
