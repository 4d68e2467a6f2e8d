// Page rules: what to do with requests whose URL matches a pattern. Of all matching rules, the one with the highest
// priority applies.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { Deleted, ignoredMembers, namedObject, objectId, oneOf, timestamp } from './primitives.ts'

const reading = {
  on: 'zone',
  anyOf: ['Page Rules Read', 'Page Rules Write', 'Zone Read', 'Zone Write'],
} as const
const writing = { on: 'zone', anyOf: ['Page Rules Write'] } as const

const Target = Type.Object({
  target: Type.String({ examples: ['url'] }),
  constraint: Type.Object({
    operator: Type.String({
      description: '`matches`, `contains`, `equals`, `not_equal` or `not_contain`.',
      examples: ['matches'],
    }),
    value: Type.String({
      description: 'For `matches` a URL with at most four `*`; without a scheme it applies to both.',
      examples: ['www.example.com/admin*'],
    }),
  }),
})

const Action = Type.Object({
  id: Type.String({ description: 'Name of the setting.', examples: ['disable_security'] }),
  value: Type.Optional(Type.Unknown({ description: 'Value of the setting; some settings have none.' })),
})

const priority = Type.Integer({ description: 'The higher number wins. Two rules never have the same.' })
const status = oneOf(['active', 'disabled'])

export const WirePageRule = namedObject('PageRule', {
  id: objectId('the page rule'),
  targets: Type.Array(Target),
  actions: Type.Array(Action),
  priority,
  status,
  created_on: timestamp('When it was created.'),
  modified_on: timestamp('When it was last changed.'),
})
export type WirePageRule = Static<typeof WirePageRule>

/** Members are checked by the page rules' own rules, which have their own messages. */
const Draft = namedObject('PageRuleDraft', {
  targets: Type.Optional(Type.Unknown({ description: 'A list with one target.', examples: [[]] })),
  actions: Type.Optional(Type.Unknown({ description: 'Settings, each at most once.', examples: [[]] })),
  priority: Type.Optional(
    Type.Unknown({
      description: 'A rule that already has this number, and those directly above it, move up by one.',
      default: 1,
    }),
  ),
  status: Type.Optional(Type.Unknown({ description: '`active` or `disabled`.', default: 'disabled' })),
  ...ignoredMembers('id', 'created_on', 'modified_on'),
})
export type PageRuleDraft = Static<typeof Draft>

const Property = Type.Object({
  name: Type.String({ examples: ['value'] }),
  type: Type.String({ examples: ['toggle'] }),
  min: Type.Optional(Type.Integer()),
  max: Type.Optional(Type.Integer()),
  choices: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Integer()]))),
})

const section = {
  tag: 'Page rules',
  params: { zone_id: objectId('the zone'), pagerule_id: objectId('the page rule') },
}

export const pageRules = operations('page_rules', section, {
  list: {
    route: 'GET /zones/{zone_id}/pagerules',
    summary: 'List page rules',
    permission: reading,
    query: Type.Object({
      order: Type.Optional(oneOf(['status', 'priority'], { default: 'priority' })),
      direction: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
      match: Type.Optional(oneOf(['any', 'all'], { default: 'all' })),
      status: Type.Optional(oneOf(['active', 'disabled'], { description: 'Those alone.' })),
    }),
    result: Type.Array(WirePageRule),
  },
  create: {
    route: 'POST /zones/{zone_id}/pagerules',
    summary: 'Create a page rule',
    permission: writing,
    body: Draft,
    result: WirePageRule,
  },
  settings: {
    route: 'GET /zones/{zone_id}/pagerules/settings',
    summary: 'List the settings that page rules can have',
    permission: reading,
    result: Type.Array(Type.Object({ id: Type.String(), properties: Type.Array(Property) })),
  },
  get: {
    route: 'GET /zones/{zone_id}/pagerules/{pagerule_id}',
    summary: 'Get a page rule',
    permission: reading,
    result: WirePageRule,
  },
  update: {
    route: 'PUT /zones/{zone_id}/pagerules/{pagerule_id}',
    summary: 'Replace a page rule',
    permission: writing,
    body: Draft,
    result: WirePageRule,
  },
  edit: {
    route: 'PATCH /zones/{zone_id}/pagerules/{pagerule_id}',
    summary: 'Edit a page rule',
    permission: writing,
    body: Draft,
    result: WirePageRule,
  },
  delete: {
    route: 'DELETE /zones/{zone_id}/pagerules/{pagerule_id}',
    summary: 'Delete a page rule',
    permission: writing,
    result: Deleted,
  },
})
