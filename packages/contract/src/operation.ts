// One operation of the API. The router serves it, the document lists it and clients call it from the same object.
import { Type, type Static, type TObject, type TSchema } from 'typebox'
import type { PermissionGroupName } from './permissions.ts'

/**
 * What a caller needs.
 *
 * - `zone`, `account`: one of `anyOf` on the zone or account in the path.
 * - `user`: one of `anyOf` on the caller itself.
 * - `some-zone`: one of `anyOf` on at least one zone; the operation shows only what the caller may see.
 * - `some-account`: the same for accounts.
 * - `every-account`: one of `anyOf` on all accounts without exception, because the operation affects all of them.
 * - `body-account`: one of `anyOf` on the account named in the body; the operation checks it.
 * - `credential`: any valid credential.
 * - `session`: a session; not a token, not a key.
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
  | { readonly on: 'credential' | 'session' | 'public' }

export interface Upload {
  /** Media types in which the file is accepted as the whole body, without a form. */
  readonly alone: readonly string[]
  /** Maximum bytes of the file; the server's configured limit by default. */
  readonly maxFileBytes?: number
}

export interface Operation {
  /** Stable name, for example `zones.create`; also the `operationId` of the document. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the base path, for example `/zones/{zone_id}`. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly permission: Permission
  readonly params?: TSchema
  readonly query?: TSchema
  /** Query parameters that are refused if they are sent more than once; for all others the last one is used. */
  readonly onceInQuery?: 'all' | readonly string[]
  readonly body?: TSchema
  /** True for a POST that only reads. */
  readonly readOnly?: boolean
  /** True for what programs send all the time: the audit log has it only if it changes configuration. */
  readonly isAutomatic?: boolean
  /** True for the legacy managed rules: after the zone in the path has migrated, replies are 410 Gone. */
  readonly endsWithMigration?: boolean
  /** True if an If-Match header is supported; otherwise it is refused. */
  readonly conditional?: boolean
  /**
   * True if the body's schema is only documentation: the operation validates the object itself, because its errors
   * say more than a schema can.
   */
  readonly validatesOwnBody?: boolean
  /** True if a dry run only confirms that the write would succeed: its result is null. */
  readonly dryRunIsSilent?: boolean
  /** Maximum bytes of the body; the default is 1 MiB. */
  readonly maxBodyBytes?: number
  /** The body is a form: the file is its part `file`, and its other parts are the other members of `body`. */
  readonly upload?: Upload
  /**
   * True if a session must be recently authenticated (`POST /zonereeve/session/confirm`), except for a dry run. Tokens
   * and keys are not affected. Or the query parameter with which it must be.
   */
  readonly needsRecentSignIn?: true | string
  /** True if a missing body is accepted. */
  readonly bodyOptional?: boolean
  readonly result: TSchema
  /** The result is a page of `result` items, with `result_info`: counts, or the cursor of the next page. */
  readonly list?: boolean | 'cursor'
  /** Success has no body: 204. A dry run is still answered with the envelope. */
  readonly noContent?: boolean
  /** Media types of files that the reply can be instead of the envelope, for example `text/csv`. */
  readonly files?: readonly string[]
  /** Success is always a file, never the envelope. */
  readonly filesOnly?: boolean
}

export type StaticOf<S> = S extends TSchema ? Static<S> : undefined

type Method = Operation['method']

/** An operation as it is declared, without what it shares with the others of its noun. */
type OperationDraft = Omit<Operation, 'id' | 'method' | 'path' | 'tag' | 'params'> & {
  /** Method and path, for example `GET /zones/{zone_id}`. */
  readonly route: `${Method} /${string}`
  /** If it is not the noun and the key, in snake case. */
  readonly id?: string
  /** If they are not those of the section. */
  readonly params?: TSchema
}

/** A section of the API document. */
interface Section {
  readonly tag: string
  /** The parameters of its paths. Each operation has those that its path names. */
  readonly params?: Readonly<Record<string, TSchema>>
}

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

type ParamsOf<S extends Section, O extends OperationDraft> = O extends { readonly params: infer Own }
  ? Own
  : [NamesIn<O['route']>] extends [never]
    ? undefined
    : S extends { readonly params: infer P extends Readonly<Record<string, TSchema>> }
      ? TObject<Pick<P, NamesIn<O['route']>>>
      : never

type Declared<S extends Section, O extends OperationDraft> = Omit<O, 'route' | 'id' | 'params'> & {
  readonly id: string
  readonly method: Method
  readonly path: string
  readonly tag: string
} & (undefined extends ParamsOf<S, O> ? unknown : { readonly params: ParamsOf<S, O> })

/** Declares the operations of a noun, such as `zones`, and keeps the types of their schemas. */
export function operations<S extends Section, const O extends Readonly<Record<string, OperationDraft>>>(
  noun: string,
  section: S,
  drafts: O,
): { readonly [K in keyof O]: Declared<S, O[K]> } {
  const declared = Object.entries(drafts).map(([key, { route, id, params, ...draft }]) => {
    const [method = '', path = ''] = route.split(' ')
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, section.params?.[name]])
    const own = params ?? (names.length === 0 ? undefined : Type.Object(Object.fromEntries(names)))
    const operation = { id: id ?? `${noun}.${snakeCase(key)}`, method, path, tag: section.tag, ...draft }
    return [key, own === undefined ? operation : { ...operation, params: own }]
  })
  return Object.fromEntries(declared) // one operation for each key
}

const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
