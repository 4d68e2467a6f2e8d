// One entry of the field catalogue: what a field is called, where its value comes from, and how.
import type { Type } from '../types.ts'
import type { Maybe } from '../values.ts'
import type { RequestFacts } from './facts.ts'

/** Things an operator can set up, and which some fields need. */
export type Configuration = 'geoip' | 'jwt' | 'client-certificates' | 'hostname-metadata'

/** When the value is known: with the request, with the response, or only where a condition is about zones. */
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

/** A field that is computed out of the request alone. */
export const computed = (
  name: string,
  type: Type,
  compute: Computed['compute'],
  scope: FieldScope = 'request',
): CatalogField => ({ name, type, scope, origin: 'computed', compute })

/** A field that an operator's configuration gives. */
export const configured = (
  name: string,
  type: Type,
  needs: Configuration,
  compute: Computed['compute'],
): CatalogField => ({ name, type, scope: 'request', origin: 'configured', needs, compute })

/** A field that nobody can compute here; using it is refused with the reason. */
export const unavailable = (name: string, type: Type, reason: string): CatalogField => ({
  name,
  type,
  scope: 'request',
  origin: 'unavailable',
  reason,
})
