// Filters: expressions used by firewall rules, in the language that policies and rulesets share.
import { Type, type Static } from 'typebox'
import { operation } from './operation.ts'
import { Deleted, nullable, objectId, page, perPage } from './primitives.ts'

const tag = 'Filters'

const Checked = Type.Object({
  expression: Type.String({ description: 'As sent.' }),
  canonical: Type.String({ description: 'The same expression in canonical form.' }),
  fields: Type.Array(Type.String(), { description: 'Fields that the expression reads.' }),
  functions: Type.Array(Type.String(), { description: 'Functions that the expression calls.' }),
})

const Expression = Type.String({
  description: 'A filter expression.',
  examples: ['http.host eq "www.example.com" and not ip.src in {192.0.2.0/24}'],
})

const zonePath = Type.Object({ zone_id: objectId('the zone') })
// No pattern: like the live API, an invalid identifier is reported as not found.
const filterPath = Type.Object({
  zone_id: objectId('the zone'),
  filter_id: Type.String({ description: 'Identifier of the filter.' }),
})
const reading = { on: 'zone', anyOf: ['Firewall Services Read', 'Firewall Services Write'] } as const
const writing = { on: 'zone', anyOf: ['Firewall Services Write'] } as const

/** Limits the work of one request; far above the live API's limit. */
export const MAX_FIREWALL_BATCH = 1_000

export const WireFilter = Type.Object(
  {
    id: objectId('the filter'),
    paused: Type.Boolean({ description: 'True: rules with this filter match nothing.' }),
    description: Type.Optional(Type.String()),
    expression: Expression,
    ref: Type.Optional(Type.String({ description: 'A tag to find filters by.' })),
  },
  { $id: 'Filter', title: 'Filter' },
)
export type WireFilter = Static<typeof WireFilter>

/** Any string that every database can store. */
export const storedText = (maxLength: number) => Type.String({ maxLength, pattern: '^[^\\u0000]*$' })

const strings = {
  description: Type.Optional(nullable(storedText(500))),
  ref: Type.Optional(nullable(storedText(50))),
}

/** Members of replies that clients send back; accepted and ignored. */
export const readOnlyTimes = {
  created_on: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
  modified_on: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
}

/** An unknown option is refused by name. */
const closed = { additionalProperties: false } as const

/** A filter in a rule: an existing one by its ID, or a new one. */
export const FilterDraft = Type.Object(
  {
    id: Type.Optional(Type.String()),
    expression: Type.Optional(Expression),
    paused: Type.Optional(Type.Boolean({ default: false })),
    ...strings,
    ...readOnlyTimes,
  },
  closed,
)
export type FilterDraft = Static<typeof FilterDraft>

const NewFilter = Type.Object({ ...FilterDraft.properties, expression: Expression }, closed)
const ChangedFilter = Type.Object({ ...NewFilter.properties, id: Type.String() }, closed)

/** A list or a single object: the generated SDKs can only send a single one. */
export const oneOrMore = <T extends Parameters<typeof Type.Array>[0]>(schema: T) =>
  Type.Union([Type.Array(schema, { minItems: 1, maxItems: MAX_FIREWALL_BATCH }), schema])

/** Repeated, or separated by commas. */
export const objectIds = (what: string) =>
  Type.Union([Type.Array(Type.String(), { maxItems: MAX_FIREWALL_BATCH }), Type.String()], {
    description: what,
  })

export const filters = {
  list: operation({
    id: 'filters.list',
    method: 'GET',
    path: '/zones/{zone_id}/filters',
    summary: 'List filters',
    tag,
    permission: reading,
    params: zonePath,
    query: Type.Object({
      id: Type.Optional(Type.String({ description: 'Only the filter with this identifier.' })),
      paused: Type.Optional(Type.Boolean()),
      expression: Type.Optional(Type.String({ description: 'Text in the expression, case-insensitive.' })),
      description: Type.Optional(Type.String({ description: 'Text in the description, case-insensitive.' })),
      ref: Type.Optional(Type.String({ description: 'Exactly this tag.' })),
      page,
      per_page: perPage(1, MAX_FIREWALL_BATCH, 25),
    }),
    result: WireFilter,
    list: true,
  }),
  create: operation({
    id: 'filters.create',
    method: 'POST',
    path: '/zones/{zone_id}/filters',
    summary: 'Create filters',
    description: 'All or nothing.',
    tag,
    permission: writing,
    params: zonePath,
    body: oneOrMore(NewFilter),
    result: Type.Array(WireFilter),
  }),
  updateMany: operation({
    id: 'filters.update_many',
    method: 'PUT',
    path: '/zones/{zone_id}/filters',
    summary: 'Replace filters',
    description: 'All or nothing.',
    tag,
    permission: writing,
    params: zonePath,
    body: oneOrMore(ChangedFilter),
    result: Type.Array(WireFilter),
  }),
  deleteMany: operation({
    id: 'filters.delete_many',
    method: 'DELETE',
    path: '/zones/{zone_id}/filters',
    summary: 'Delete filters',
    description:
      'Filters that do not exist are reported as deleted. If one is used by a firewall rule, none is deleted.',
    tag,
    permission: writing,
    params: zonePath,
    query: Type.Object({ id: objectIds('Identifiers of the filters.') }),
    result: Type.Array(Deleted),
  }),
  get: operation({
    id: 'filters.get',
    method: 'GET',
    path: '/zones/{zone_id}/filters/{filter_id}',
    summary: 'Get a filter',
    tag,
    permission: reading,
    params: filterPath,
    result: WireFilter,
  }),
  update: operation({
    id: 'filters.update',
    method: 'PUT',
    path: '/zones/{zone_id}/filters/{filter_id}',
    summary: 'Replace a filter',
    tag,
    permission: writing,
    params: filterPath,
    body: NewFilter,
    result: WireFilter,
  }),
  delete: operation({
    id: 'filters.delete',
    method: 'DELETE',
    path: '/zones/{zone_id}/filters/{filter_id}',
    summary: 'Delete a filter',
    description: 'A filter that does not exist is reported as deleted.',
    tag,
    permission: writing,
    params: filterPath,
    result: Deleted,
  }),
  validate: operation({
    id: 'filters.validate_expression',
    method: 'POST',
    path: '/filters/validate-expr',
    summary: 'Check a filter expression',
    description:
      'An error is reported with its line and column, the line itself, and carets under the position.',
    tag,
    permission: { on: 'credential' },
    readOnly: true,
    body: Type.Object({ expression: Expression }),
    result: Checked,
  }),
  validateQuery: operation({
    id: 'filters.validate_expression_query',
    method: 'GET',
    path: '/filters/validate-expr',
    summary: 'Check a filter expression in the query',
    tag,
    permission: { on: 'credential' },
    query: Type.Object({ expression: Expression }),
    result: Checked,
  }),
}
