// Who made a change: recorded with every change set.
export interface Actor {
  readonly kind: 'token' | 'key' | 'session' | 'anonymous' | 'system'
  readonly id: string
  readonly name: string
  readonly requestId: string
  /** The request that it is for; undefined for work of the program. */
  readonly trail?: RequestTrail
}

/** What the audit log has to know of a request. */
export interface RequestTrail {
  /** Address of the client. */
  readonly address: string
  /** Operation of the API, such as `zones.create`. */
  readonly operation: string
  /** True once an entry of the audit log about the request is durable. */
  isRecorded: boolean
}

/** Work of the program itself: first start, seeds, scheduled jobs. */
export const SYSTEM: Actor = { kind: 'system', id: 'system', name: 'zonereeve', requestId: '' }

/** A finished request, for the audit log. */
export interface AuditedRequest {
  readonly actor: Actor
  /** What was done, such as `zones.create`; or `authentication`, if the credential was refused. */
  readonly action: string
  readonly operation: string
  /** Identifiers in the path, by their names. */
  readonly ids: Readonly<Record<string, string | undefined>>
  /** HTTP status of the reply. */
  readonly status: number
  /** Codes of its errors. */
  readonly errors: readonly number[]
}
