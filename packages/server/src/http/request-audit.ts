// Which requests the audit log has besides those that changed something: refused ones, refused credentials, and actions
// without a change. Reads are not recorded.
import type { Operation } from '@zonereeve/contract'
import {
  type Actor,
  type AuditedRequest,
  type Caller,
  type DomainError,
  WIRE_ERRORS,
} from '@zonereeve/platform'
import type { FastifyRequest } from 'fastify'

export type RecordRequest = (request: AuditedRequest) => void

export type RequestAudit = ReturnType<typeof createRequestAudit>

const TOO_MANY_REQUESTS = 429
const MAX_NAME_CHARACTERS = 254
/** A credential that was sent, well-formed, and is not valid here. */
const REFUSED_CREDENTIALS = new Set<string>([
  'auth.location',
  'auth.token_unverified',
  'auth.unknown_key',
  'auth.unknown_token',
  'auth.unknown_token_account',
])

/** A member costs less than an entry of a WeakMap. */
const ACTOR = Symbol('the actor of the request')
type Acting = FastifyRequest & { [ACTOR]?: Actor }
const acting = (request: FastifyRequest): Acting => request

export function createRequestAudit(record: RecordRequest) {
  const failures = new WeakMap<FastifyRequest, DomainError>()
  return { begin, noteFailure, finish }

  /** The actor of a request, once its caller is known. */
  function begin(request: FastifyRequest, operation: Operation, { kind, id, name }: Caller): Actor {
    const trail = { address: request.ip, operation: operation.id, isRecorded: false }
    const actor: Actor = { kind, id, name, requestId: request.id, trail }
    acting(request)[ACTOR] = actor
    return actor
  }

  function noteFailure(request: FastifyRequest, failure: DomainError): void {
    failures.set(request, failure)
  }

  /** Records a request whose reply was sent, if it is to be recorded, and no change of it was. */
  function finish(request: FastifyRequest, operation: Operation, status: number): void {
    const failure = failures.get(request)
    const issues = failure?.issues ?? [] // it succeeded
    const outcome = {
      operation: operation.id,
      ids: request.params as AuditedRequest['ids'], // the router yields strings
      status,
      errors: issues.map(({ reason }) => WIRE_ERRORS[reason].code),
    }
    const actor = acting(request)[ACTOR]
    if (actor === undefined) {
      if (!issues.some(({ reason }) => REFUSED_CREDENTIALS.has(reason))) return
      return record({ action: 'authentication', actor: unknownActor(request, operation), ...outcome })
    }
    if (!isAction(operation, status) || actor.trail?.isRecorded === true) return
    if (isDryRun(request.query)) return
    record({ action: operation.id, actor: nameActor(actor, request.body), ...outcome })
  }
}

/** Rate limits answer far more often than they tell anything. */
const isAction = ({ method, readOnly, isAutomatic }: Operation, status: number): boolean =>
  method !== 'GET' && readOnly !== true && isAutomatic !== true && status !== TOO_MANY_REQUESTS

const isDryRun = (query: unknown): boolean =>
  typeof query === 'object' &&
  query !== null &&
  'dry_run' in query &&
  /^(true|1)$/.test(String(query.dry_run))

const unknownActor = (request: FastifyRequest, operation: Operation): Actor => ({
  kind: 'anonymous',
  id: 'anonymous',
  name: 'anonymous',
  requestId: request.id,
  trail: { address: request.ip, operation: operation.id, isRecorded: false },
})

/** Who a failed sign-in named. */
function nameActor(actor: Actor, body: unknown): Actor {
  if (actor.kind !== 'anonymous' || typeof body !== 'object' || body === null) return actor
  const email: unknown = 'email' in body ? body.email : undefined
  return typeof email === 'string' ? { ...actor, name: email.slice(0, MAX_NAME_CHARACTERS) } : actor
}
