// One entry of the field catalog: the name of a field, the source of its value, and how it is computed.
import type { Type } from '../types.ts'
import type { Maybe } from '../values.ts'
import type { RequestFacts } from './facts.ts'

/** Features that an operator can configure, and which some fields need. */
export type Configuration =
  | 'geoip'
  | 'jwt'
  | 'client-certificates'
  | 'hostname-metadata'
  | 'leaked-passwords'
  | 'verified-bots'

/** When the value is known: with the request, with the response, or only in account-level conditions. */
export type FieldScope = 'request' | 'response' | 'account'

type Computed = { readonly origin: 'computed'; readonly compute: (facts: RequestFacts) => Maybe }
type Configured = {
  readonly origin: 'configured'
  readonly needs: Configuration
  readonly compute: Computed['compute']
}
type Unavailable = { readonly origin: 'unavailable'; readonly reason: string }

export type CatalogField = {
  readonly name: string
  readonly type: Type
  readonly scope: FieldScope
  /** The name to use instead. */
  readonly replacedBy?: string
} & (Computed | Configured | Unavailable)

/** A field that is computed from the request alone. */
export const computedField = (
  name: string,
  type: Type,
  compute: Computed['compute'],
  scope: FieldScope = 'request',
): CatalogField => ({ name, type, scope, origin: 'computed', compute })

/** A field that needs the operator's configuration. */
export const configuredField = (
  name: string,
  type: Type,
  needs: Configuration,
  compute: Computed['compute'],
): CatalogField => ({ name, type, scope: 'request', origin: 'configured', needs, compute })

/** A field that cannot be computed here; using it is refused with the reason. */
export const unavailable = (name: string, type: Type, reason: string): CatalogField => ({
  name,
  type,
  scope: 'request',
  origin: 'unavailable',
  reason,
})
