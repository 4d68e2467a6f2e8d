// Filters: expressions used by firewall rules, in the language that policies and rulesets share.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { closedObject, Deleted, namedObject, nullable, objectId, page, perPage } from './primitives.ts'

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

// No pattern: like the live API, an invalid identifier is reported as not found.
const reading = { on: 'zone', anyOf: ['Firewall Services Read', 'Firewall Services Write'] } as const
const writing = { on: 'zone', anyOf: ['Firewall Services Write'] } as const

/** Limits the work of one request; far above the live API's limit. */
export const MAX_FIREWALL_BATCH = 1_000

export const WireFilter = namedObject('Filter', {
  id: objectId('the filter'),
  paused: Type.Boolean({ description: 'True: rules with this filter match nothing.' }),
  description: Type.Optional(Type.String()),
  expression: Expression,
  ref: Type.Optional(Type.String({ description: 'A tag to find filters by.' })),
})
export type WireFilter = Static<typeof WireFilter>

/** Any string that every database can store. */
export const storedText = (maxLength: number) =>
  Type.String({ maxLength, pattern: '^[^\\u0000]*$', must: 'have no NUL character' })

const strings = {
  description: Type.Optional(nullable(storedText(500))),
  ref: Type.Optional(nullable(storedText(50))),
}

/** Members of replies that clients send back; accepted and ignored. */
export const readOnlyTimes = {
  created_on: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
  modified_on: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
}

/** A filter in a rule: an existing one by its ID, or a new one. */
export const FilterDraft = closedObject({
  id: Type.Optional(Type.String()),
  expression: Type.Optional(Expression),
  paused: Type.Optional(Type.Boolean({ default: false })),
  ...strings,
  ...readOnlyTimes,
})
export type FilterDraft = Static<typeof FilterDraft>

const NewFilter = closedObject({ ...FilterDraft.properties, expression: Expression })
const ChangedFilter = closedObject({ ...NewFilter.properties, id: Type.String() })

/** A list or a single object: the generated SDKs can only send a single one. */
export const oneOrMore = <T extends Parameters<typeof Type.Array>[0]>(schema: T) =>
  Type.Union([Type.Array(schema, { minItems: 1, maxItems: MAX_FIREWALL_BATCH }), schema])

/** Repeated, or separated by commas. */
export const objectIds = (what: string) =>
  Type.Union([Type.Array(Type.String(), { maxItems: MAX_FIREWALL_BATCH }), Type.String()], {
    description: what,
  })

const section = {
  tag: 'Filters',
  params: {
    zone_id: objectId('the zone'),
    filter_id: Type.String({ description: 'Identifier of the filter.' }),
  },
}

export const filters = operations('filters', section, {
  list: {
    route: 'GET /zones/{zone_id}/filters',
    summary: 'List filters',
    permission: reading,
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
  },
  create: {
    route: 'POST /zones/{zone_id}/filters',
    summary: 'Create filters',
    description: 'All or nothing.',
    permission: writing,
    body: oneOrMore(NewFilter),
    result: Type.Array(WireFilter),
  },
  updateMany: {
    route: 'PUT /zones/{zone_id}/filters',
    summary: 'Replace filters',
    description: 'All or nothing.',
    permission: writing,
    body: oneOrMore(ChangedFilter),
    result: Type.Array(WireFilter),
  },
  deleteMany: {
    route: 'DELETE /zones/{zone_id}/filters',
    summary: 'Delete filters',
    description:
      'Filters that do not exist are reported as deleted. If one is used by a firewall rule, none is deleted.',
    permission: writing,
    query: Type.Object({ id: objectIds('Identifiers of the filters.') }),
    result: Type.Array(Deleted),
  },
  get: {
    route: 'GET /zones/{zone_id}/filters/{filter_id}',
    summary: 'Get a filter',
    permission: reading,
    result: WireFilter,
  },
  update: {
    route: 'PUT /zones/{zone_id}/filters/{filter_id}',
    summary: 'Replace a filter',
    permission: writing,
    body: NewFilter,
    result: WireFilter,
  },
  delete: {
    route: 'DELETE /zones/{zone_id}/filters/{filter_id}',
    summary: 'Delete a filter',
    description: 'A filter that does not exist is reported as deleted.',
    permission: writing,
    result: Deleted,
  },
  validate: {
    id: 'filters.validate_expression',
    route: 'POST /filters/validate-expr',
    summary: 'Check a filter expression',
    description:
      'An error is reported with its line and column, the line itself, and carets under the position.',
    permission: { on: 'credential' },
    readOnly: true,
    body: Type.Object({ expression: Expression }),
    result: Checked,
  },
  validateQuery: {
    id: 'filters.validate_expression_query',
    route: 'GET /filters/validate-expr',
    summary: 'Check a filter expression in the query',
    permission: { on: 'credential' },
    query: Type.Object({ expression: Expression }),
    result: Checked,
  },
})
