// Failures of a PostgreSQL server and of the way to it, as domain errors.
import pg from 'pg'
import { DomainError, type ErrorCode } from '@zonereeve/platform'

export const RETRY_AFTER_SECONDS = 2

/** By SQLSTATE, or its class (postgresql.org/docs/current/errcodes-appendix.html). */
const REASONS: Readonly<Record<string, ErrorCode>> = {
  '08': 'storage.unavailable', // connection exception
  '25006': 'storage.unwritable', // read-only: a standby
  '26000': 'storage.unavailable', // a prepared statement that another connection has
  '42P05': 'storage.unavailable', // as above: one that this connection has, and should not
  '40001': 'storage.unavailable', // could not serialize
  '40P01': 'storage.unavailable', // deadlock
  '53': 'storage.unavailable', // too many connections, out of memory
  '53100': 'storage.full',
  '57': 'storage.unavailable', // shut down, starting up, canceled by its time limit
  '58': 'storage.unwritable', // I/O error
  XX001: 'storage.damaged',
  XX002: 'storage.damaged',
  '22021': 'storage.text', // NUL in a text
}

/** Returns a DomainError for a failure of the server or the connection, and a failure of the query unchanged. */
export function postgresFailure(failure: unknown): unknown {
  if (failure instanceof DomainError) return failure
  const reason = isOfServer(failure) ? reasonOf(failure) : 'storage.unavailable'
  if (reason === undefined) return failure
  const values = { problem: describe(failure), remedy: 'restore a backup' }
  const issue =
    reason === 'storage.unavailable'
      ? { reason, values, retryAfterSeconds: RETRY_AFTER_SECONDS }
      : { reason, values }
  return Object.assign(new DomainError(issue), { cause: failure })
}

/** Whether the connection cannot be used any more: its server ended it, or it broke. */
export function isLost(failure: unknown): boolean {
  const cause = causeOf(failure)
  if (cause === undefined) return false
  // An error of a server has a SQLSTATE. 25006: it became a standby.
  return !isOfServer(cause) || /^(?:08|57P|25006)/.test(cause.code ?? '')
}

/** Whether the transaction lost against another one, and would succeed if it was repeated. */
export function isSerialization(failure: unknown): boolean {
  const cause = causeOf(failure)
  return isOfServer(cause) && (cause.code === '40001' || cause.code === '40P01' || isOfOldPlan(cause))
}

/** Whether a prepared statement is refused because its table got another column: a newer program runs beside this one. */
export const isOfOldPlan = (failure: unknown): boolean =>
  isOfServer(failure) && failure.code === '0A000' && failure.message.includes('cached plan')

/** Whether a transaction never existed in this database: a standby took the place of its server without it. */
export const isUnknownTransaction = (failure: unknown): boolean =>
  isOfServer(failure) && failure.code === '22023'

/** Not supported, a syntax error, or an unknown function. */
const UNSUPPORTED: ReadonlySet<string | undefined> = new Set(['0A000', '42601', '42883'])

/** Whether the server will never run a statement that others do. */
export function isUnsupported(failure: unknown): boolean {
  const cause = causeOf(failure)
  return isOfServer(cause) && UNSUPPORTED.has(cause.code)
}

/** Whether this user may not do it, or not even connect: that can change while a server runs. */
export function isNotPermitted(failure: unknown): boolean {
  const cause = causeOf(failure)
  return isOfServer(cause) && cause.code === '42501'
}

/** Of prepared statements that are not where they were made. */
const CHANGED_CONNECTION: ReadonlySet<string | undefined> = new Set(['26000', '42P05'])

/** What the driver threw: `postgresFailure` keeps it as the cause. */
const causeOf = (failure: unknown): unknown => (failure instanceof DomainError ? failure.cause : failure)

const isOfServer = (failure: unknown): failure is pg.DatabaseError => failure instanceof pg.DatabaseError

const reasonOf = ({ code = 'none' }: pg.DatabaseError): ErrorCode | undefined =>
  REASONS[code] ?? REASONS[code.slice(0, 2)]

function describe(failure: unknown): string {
  // A name with several addresses fails with one error for each, and no message of its own.
  if (failure instanceof AggregateError) return failure.errors.map(describe).join(', ')
  if (isOfServer(failure) && CHANGED_CONNECTION.has(failure.code))
    return `${failure.message}; behind a pooler that changes connections, set prepared_statements=off&listen=off`
  return failure instanceof Error ? failure.message : String(failure)
}
