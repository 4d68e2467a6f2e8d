// Entity tags (RFC 9110 §8.8.3): a writer states the version it has seen, so that it overwrites no other.
import { hash } from 'node:crypto'
import { DomainError } from './domain-error.ts'

/** The strong entity tag of a string. */
export const etagOf = (text: string): string => `"${hash('sha256', text, 'hex').slice(0, 32)}"`

/** The tags of an If-Match header; undefined if there is none. */
export type Expected = readonly string[] | undefined

/** Parses an If-Match header. */
export function readIfMatch(header: string | undefined): Expected {
  return header?.split(',').map((tag) => tag.trim())
}

/**
 * @throws DomainError: request.precondition if `etag` is not an expected one. Weak tags never match (RFC 9110
 * §13.1.1).
 */
export function requireMatch(expected: Expected, etag: string): void {
  if (expected === undefined || expected.includes('*') || expected.includes(etag)) return
  throw new DomainError({ reason: 'request.precondition', values: { etag } })
}
