// The fields of the language, and schemes with them.
import { type ContextOptions, createContext, type EvaluationContext } from '../context.ts'
import { FUNCTIONS } from '../functions/registry.ts'
import { createScheme, type FieldDefinition, type Scheme } from '../scheme.ts'
import { BYTES, INT, IP } from '../types.ts'
import { BODY_FIELDS } from './body.ts'
import type { CatalogField, Configuration } from './catalog-field.ts'
import { CONNECTION_FIELDS } from './connection.ts'
import type { RequestFacts } from './facts.ts'
import { GEO_FIELDS } from './geo.ts'
import { JWT_FIELDS } from './jwt.ts'
import { REQUEST_FIELDS } from './request.ts'
import { RESPONSE_FIELDS } from './response.ts'
import { SCORE_FIELDS } from './scores.ts'
import { URI_FIELDS } from './uri.ts'
import { ZONE_FIELDS } from './zone.ts'

/** Every field, sorted by name. */
export const FIELDS: readonly CatalogField[] = [
  ...BODY_FIELDS,
  ...CONNECTION_FIELDS,
  ...GEO_FIELDS,
  ...JWT_FIELDS,
  ...REQUEST_FIELDS,
  ...RESPONSE_FIELDS,
  ...SCORE_FIELDS,
  ...URI_FIELDS,
  ...ZONE_FIELDS,
].toSorted((a, b) => (a.name < b.name ? -1 : 1))

export type RequestSchemeOptions = {
  /** Whether rules run when the response is known. */
  readonly hasResponse?: boolean
  /** Whether the request's body is still available when rules run; default: true. */
  readonly hasBody?: boolean
  /** Whether conditions may use fields about the zone, as account-level rules do. */
  readonly isAccountLevel?: boolean
  /** Features that the operator has configured. */
  readonly configured?: readonly Configuration[]
}

const CONFIGURATION_REASONS: Readonly<Record<Configuration, string>> = {
  geoip: 'it needs a database of locations (--geoip)',
  jwt: 'it needs a token configuration',
  'client-certificates': 'it needs client certificates to be asked for',
  'leaked-passwords': 'it needs a collection of leaked passwords (--leaked-passwords)',
  'verified-bots': 'it needs ranges of verified bots (--verified-bots)',
  'hostname-metadata': 'it needs metadata for the host name',
}

/** The scheme of HTTP requests. Unavailable fields are still known by name, with the reason. */
export function requestScheme(options: RequestSchemeOptions = {}): Scheme {
  return createScheme({
    fields: FIELDS.map((field) => definitionOf(field, options)),
    functions: FUNCTIONS,
    listTypes: [IP, BYTES, INT],
  })
}

function definitionOf(field: CatalogField, options: RequestSchemeOptions): FieldDefinition {
  const { name, type } = field
  const unavailable = reasonAgainst(field, options)
  return unavailable === undefined ? { name, type } : { name, type, unavailable }
}

const isOfBody = ({ name }: CatalogField): boolean => name.startsWith('http.request.body.')

function reasonAgainst(field: CatalogField, options: RequestSchemeOptions): string | undefined {
  if (field.origin === 'unavailable') return field.reason
  if (field.scope === 'response' && options.hasResponse !== true) return 'it is known in response phases only'
  if (options.hasBody === false && isOfBody(field)) return 'the body of the request is not kept for so long'
  if (field.scope === 'account' && options.isAccountLevel !== true)
    return 'it is for account-level rules only'
  const isMissing = field.origin === 'configured' && options.configured?.includes(field.needs) !== true
  return isMissing ? CONFIGURATION_REASONS[field.needs] : undefined
}

const BY_NAME: ReadonlyMap<string, CatalogField> = new Map(FIELDS.map((field) => [field.name, field]))

/** A context for a request; fields are computed on first use. The scheme must come from `requestScheme`. */
export function requestContext(
  scheme: Scheme,
  facts: RequestFacts,
  options: ContextOptions = {},
): EvaluationContext {
  const source = ({ name }: FieldDefinition) => {
    const field = BY_NAME.get(name)
    return field === undefined || field.origin === 'unavailable' ? undefined : field.compute(facts)
  }
  const { lists } = facts
  return createContext(scheme, source, lists === undefined ? options : { lists: lists.contains, ...options })
}
