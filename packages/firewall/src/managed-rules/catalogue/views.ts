// Common lists of parts and transforms, so that equal views are the same object (and are computed once).
import type { RequestPart } from '../request-parts.ts'
import type { Transform } from '../transforms.ts'

/** The parts that an application reads as input. */
export const INPUT: readonly RequestPart[] = ['args', 'arg-names', 'cookies', 'body']
/** Input, and headers that applications log or store. */
export const INPUT_AND_HEADERS: readonly RequestPart[] = [...INPUT, 'headers', 'user-agent', 'referer']
export const EVERYWHERE: readonly RequestPart[] = [...INPUT_AND_HEADERS, 'path']
export const URI: readonly RequestPart[] = ['uri']
export const PATH: readonly RequestPart[] = ['path']

export const AS_SENT: readonly Transform[] = []
export const LOWER: readonly Transform[] = ['lower-case']

/** Decoded as often as careless applications do. */
const DECODED: readonly Transform[] = ['url-decode', 'url-decode', 'fold-wide', 'remove-nulls']

export const TEXT: readonly Transform[] = [...DECODED, 'lower-case', 'compress-whitespace']
/** As read by a database. */
export const SQL: readonly Transform[] = [...DECODED, 'remove-comments', 'lower-case', 'compress-whitespace']
/** The same for a request target, where a plus is a space. */
export const URI_SQL: readonly Transform[] = ['plus-as-space', ...SQL]
/** As a browser reads markup, and scripts in it. */
export const MARKUP: readonly Transform[] = [...DECODED, 'js-escapes', 'lower-case', 'compress-whitespace']
export const URI_MARKUP: readonly Transform[] = ['plus-as-space', ...MARKUP]
/** As a browser reads attributes: character references are resolved and whitespace inside words is removed. */
export const ATTRIBUTE: readonly Transform[] = [
  ...DECODED,
  'html-entities',
  'js-escapes',
  'remove-whitespace',
  'lower-case',
]
/** As read by a file system. */
export const FILE_PATH: readonly Transform[] = [...DECODED, 'normalise-path', 'lower-case']
/** As read by a shell. */
export const COMMAND: readonly Transform[] = [...DECODED, 'command-line', 'lower-case']

/** Input and the path: what a router turns into parameters. */
export const WITH_PATH: readonly RequestPart[] = [...INPUT, 'path']
/** Everything that a server may deserialize or bind to objects, names included. */
export const WHOLE_REQUEST: readonly RequestPart[] = [
  ...INPUT,
  'cookie-names',
  'headers',
  'user-agent',
  'referer',
  'filenames',
]
export const URL_DECODED: readonly Transform[] = ['url-decode']
/** Line breaks stay. */
export const DECODED_LINES: readonly Transform[] = ['url-decode', 'lower-case']
/** Without bodies that are not parsed: those may be messages themselves. */
export const VALUES: readonly RequestPart[] = ['args', 'arg-names', 'cookies', 'path']
