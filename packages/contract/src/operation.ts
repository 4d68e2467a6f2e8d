// One operation of the API: what the router serves, what the document lists and what a client calls are this object.
import type { Static, TSchema } from 'typebox'
import type { PermissionGroupName } from './permissions.ts'

/**
 * What a caller needs.
 *
 * - `zone`, `account`: one of `anyOf` on the zone or account in the path.
 * - `user`: one of `anyOf` on the caller itself.
 * - `some-zone`: one of `anyOf` on at least one zone; the operation shows only what the caller may see.
 * - `some-account`: the same for accounts.
 * - `every-account`: one of `anyOf` on all accounts, without exception: what the operation acts on belongs to all.
 * - `body-account`: one of `anyOf` on the account that the body names; the operation checks it.
 * - `credential`: any valid credential.
 * - `public`: nothing.
 */
export type Permission =
  | {
      readonly on:
        | 'zone'
        | 'account'
        | 'user'
        | 'some-zone'
        | 'some-account'
        | 'every-account'
        | 'body-account'
      readonly anyOf: readonly [PermissionGroupName, ...PermissionGroupName[]]
    }
  | { readonly on: 'credential' | 'public' }

export interface Upload {
  /** Media types in which the file is taken alone, without a form. */
  readonly alone: readonly string[]
  /** Bytes of the file, at most; where it is not said, what the server is configured for. */
  readonly maxFileBytes?: number
}

export interface Operation {
  /** Stable name, `zones.create`; also the `operationId` of the document. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base path, `/zones/{zone_id}`. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly permission: Permission
  readonly params?: TSchema
  readonly query?: TSchema
  /** Query parameters that are refused where they are sent more than once; of all others the last one counts. */
  readonly onceInQuery?: 'all' | readonly string[]
  readonly body?: TSchema
  /** True for a POST that only asks. */
  readonly asks?: boolean
  /** True for the previous managed rules: once the zone in the path has migrated, all that is asked for is gone. */
  readonly endsWithMigration?: boolean
  /** True where an If-Match header is honoured; elsewhere it is refused. */
  readonly conditional?: boolean
  /** True where the body's schema is for readers: the operation judges the object itself, to say more than a schema can. */
  readonly judgesBody?: boolean
  /** True where a dry run says only that the write would succeed: its result is null. */
  readonly dryRunIsSilent?: boolean
  /** Bytes of the body, at most; the usual limit is 1 MiB. */
  readonly maxBodyBytes?: number
  /** The body is a form: the file is its part `file`, and its other parts are the other members of `body`. */
  readonly upload?: Upload
  /** True where a missing body is accepted. */
  readonly bodyOptional?: boolean
  readonly result: TSchema
  /** The result is a page of `result` items, with `result_info`: counts, or the cursor of the next page. */
  readonly list?: boolean | 'cursor'
  /** Success has no body: 204. A dry run is answered in the envelope all the same. */
  readonly noContent?: boolean
  /** Media types of files that the reply may be in place of the envelope, `text/csv`. */
  readonly files?: readonly string[]
  /** Success is never the envelope. */
  readonly filesOnly?: boolean
}

export type StaticOf<S> = S extends TSchema ? Static<S> : undefined

/** Declares an operation, keeping its schemas' types. */
export function operation<const O extends Operation>(declared: O): O {
  return declared
}
