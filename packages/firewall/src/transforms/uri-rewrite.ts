// Rewrites path and query of a request. Whatever an expression gives, the result is a valid request target.
import { type Bytes, type EvaluationContext, type Scheme, splitAt } from '@zonereeve/expr'
import { compileSource, type ValueSource, type WrittenValue } from './value-source.ts'

/** `action_parameters.uri` of a rewrite. */
export interface WrittenUri {
  readonly path?: WrittenValue
  readonly query?: WrittenValue
}

/** New parts of a target; undefined parts stay as they are. */
export interface RewrittenParts {
  readonly path?: Bytes
  /** Without the question mark; empty to remove it. */
  readonly query?: Bytes
}

export type UriRewrite = (context: EvaluationContext) => RewrittenParts

/** A longer target is not sent to an origin: many servers refuse it. Then the request keeps its own. */
export const MAX_REWRITTEN_BYTES = 8_192

export function compileUri({ path, query }: WrittenUri, scheme: Scheme): UriRewrite {
  const [newPath, newQuery] = [path, query].map((one) => one && compileSource(one, scheme))
  return (context) => ({
    ...partOf('path', newPath, context),
    ...(newQuery && { query: newQuery(context) ?? '' }), // an expression without a value removes the query
  })
}

/** An expression without a value keeps the path. */
function partOf(name: 'path', source: ValueSource | undefined, context: EvaluationContext): RewrittenParts {
  const value = source?.(context)
  return value === undefined ? {} : { [name]: value }
}

/** Path and query with new parts. Characters that a target cannot have are percent-encoded (RFC 9112 §3.2.1). */
export function rewriteTarget(target: Bytes, { path, query }: RewrittenParts): Bytes {
  const mark = target.indexOf('?')
  const [oldPath, oldQuery] = splitAt(target, mark)
  const newPath = path === undefined ? oldPath : validPath(path)
  const newQuery = query === undefined ? (mark < 0 ? '' : `?${oldQuery}`) : validQuery(query)
  const rewritten = newPath + newQuery
  return rewritten.length > MAX_REWRITTEN_BYTES ? target : rewritten
}

const validPath = (path: Bytes): Bytes => {
  const encoded = path.replace(/[^!$%&'()*+,\-./0-9:;=@A-Z[\]_a-z~]/g, percentEncode)
  return encoded.startsWith('/') ? encoded : `/${encoded}`
}

const validQuery = (query: Bytes): Bytes =>
  query === '' ? '' : `?${query.replace(/[^!$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]/g, percentEncode)}`

/** Bytes are strings with one character for each octet. */
const percentEncode = (octet: string): string =>
  `%${octet.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
