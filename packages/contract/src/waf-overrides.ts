// Overrides of the legacy managed rules for some URLs. A zone that has any cannot migrate.
import { Type, type Static } from 'typebox'
import { storedText } from './filters.ts'
import { operations } from './operation.ts'
import { closedObject, Deleted, namedObject, nullable, objectId, oneOf, page, perPage } from './primitives.ts'

const root = '/zones/{zone_id}/firewall/waf/overrides'
const reading = { on: 'zone', anyOf: ['Zone Settings Read', 'Zone Settings Write'] } as const
const writing = { on: 'zone', anyOf: ['Zone Settings Write'] } as const

const MAX_ENTRIES = 1_000
const action = oneOf(['challenge', 'block', 'simulate', 'disable', 'default'])
const actions = (description: string) =>
  Type.Record(Type.String(), action, { description, maxProperties: MAX_ENTRIES })
const groups = actions('Actions by identifier of the group.')
const rules = actions('Actions by identifier of the rule.')
const rewriteAction = Type.Object(
  {
    default: Type.Optional(action),
    challenge: Type.Optional(action),
    block: Type.Optional(action),
    simulate: Type.Optional(action),
    disable: Type.Optional(action),
  },
  { description: 'Replacements for the actions that a rule would take.', additionalProperties: false },
)
const urls = Type.Array(
  Type.String({ minLength: 1, maxLength: 1_500, pattern: '^\\S+$', must: 'have no whitespace' }),
  {
    minItems: 1,
    maxItems: 100,
    description: 'URL patterns, in which `*` matches any characters.',
    examples: [['shop.example.com/*']],
  },
)
const priority = Type.Integer({
  minimum: -1_000_000_000,
  maximum: 1_000_000_000,
  description: 'The lower number wins.',
})

export const WireWafOverride = namedObject('WafOverride', {
  id: objectId('the override'),
  description: nullable(Type.String()),
  urls: Type.Array(Type.String()),
  priority,
  groups,
  rewrite_action: rewriteAction,
  rules,
  paused: Type.Boolean(),
})
export type WireWafOverride = Static<typeof WireWafOverride>

const Draft = closedObject({
  id: Type.Optional(nullable(Type.String())),
  description: Type.Optional(nullable(storedText(1_024))),
  urls,
  priority: Type.Optional(priority),
  groups: Type.Optional(nullable(groups)),
  rewrite_action: Type.Optional(nullable(rewriteAction)),
  rules: Type.Optional(nullable(rules)),
  paused: Type.Optional(Type.Boolean({ default: false })),
})
export type WafOverrideDraft = Static<typeof Draft>

const section = {
  tag: 'Legacy managed rules',
  params: { zone_id: objectId('the zone'), overrides_id: objectId('the override') },
}

export const wafOverrides = operations('waf_overrides', section, {
  list: {
    route: `GET ${root}`,
    summary: 'List WAF overrides, highest precedence first',
    endsWithMigration: true,
    permission: reading,
    query: Type.Object({ page, per_page: perPage(1, 1_000, 50) }),
    result: WireWafOverride,
    list: true,
  },
  create: {
    route: `POST ${root}`,
    summary: 'Create a WAF override',
    endsWithMigration: true,
    permission: writing,
    body: Draft,
    result: WireWafOverride,
  },
  get: {
    route: `GET ${root}/{overrides_id}`,
    summary: 'Get a WAF override',
    endsWithMigration: true,
    permission: reading,
    result: WireWafOverride,
  },
  update: {
    route: `PUT ${root}/{overrides_id}`,
    summary: 'Replace a WAF override',
    endsWithMigration: true,
    permission: writing,
    body: Draft,
    result: WireWafOverride,
  },
  delete: {
    route: `DELETE ${root}/{overrides_id}`,
    summary: 'Delete a WAF override',
    endsWithMigration: true,
    permission: writing,
    result: Deleted,
  },
})
