// Entity tags (RFC 9110 §8.8.3): what a writer saw, so that nobody overwrites what they have not seen.
import { hash } from 'node:crypto'
import { DomainError } from './domain-error.ts'

/** The strong tag of a text. */
export const etagOf = (text: string): string => `"${hash('sha256', text, 'hex').slice(0, 32)}"`

/** What an If-Match header asks for; undefined without one. */
export type Expected = readonly string[] | undefined

/** Reads an If-Match header. */
export function readIfMatch(header: string | undefined): Expected {
  return header?.split(',').map((tag) => tag.trim())
}

/** @throws DomainError: request.precondition, when `etag` is none of the expected. Weak tags never match (RFC 9110 §13.1.1). */
export function demandMatch(expected: Expected, etag: string): void {
  if (expected === undefined || expected.includes('*') || expected.includes(etag)) return
  throw new DomainError({ reason: 'request.precondition', values: { etag } })
}
