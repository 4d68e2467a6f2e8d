// Firewall rules: an action for requests that match a filter.
import { Type, type Static } from 'typebox'
import {
  FilterDraft,
  MAX_FIREWALL_BATCH,
  objectIds,
  oneOrMore,
  readOnlyTimes,
  storedText,
  WireFilter,
} from './filters.ts'
import { operations } from './operation.ts'
import {
  closedObject,
  namedObject,
  nullable,
  objectId,
  oneOf,
  page,
  perPage,
  timestamp,
} from './primitives.ts'

const reading = { on: 'zone', anyOf: ['Firewall Services Read', 'Firewall Services Write'] } as const
const writing = { on: 'zone', anyOf: ['Firewall Services Write'] } as const

const action = oneOf(['log', 'bypass', 'allow', 'challenge', 'managed_challenge', 'js_challenge', 'block'], {
  description: 'The order of evaluation of rules with the same priority.',
})
const product = oneOf(['zoneLockdown', 'uaBlock', 'bic', 'hot', 'securityLevel', 'rateLimit', 'waf'])
const priority = nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }))

export const WireFirewallRule = namedObject('FirewallRule', {
  id: objectId('the rule'),
  paused: Type.Boolean(),
  description: Type.Optional(Type.String()),
  action,
  priority,
  products: Type.Optional(
    Type.Array(product, { description: 'The products that the action `bypass` skips.' }),
  ),
  filter: WireFilter,
  ref: Type.Optional(Type.String({ description: 'A tag to find rules by.' })),
  created_on: timestamp('When it was created.'),
  modified_on: timestamp('When it was last changed.'),
})
export type WireFirewallRule = Static<typeof WireFirewallRule>

const members = {
  action,
  filter: FilterDraft,
  products: Type.Optional(
    nullable(
      Type.Array(product, {
        uniqueItems: true,
        description: 'Only for the action `bypass`, and required for it.',
      }),
    ),
  ),
  priority: Type.Optional(priority),
  paused: Type.Optional(Type.Boolean({ default: false })),
  description: Type.Optional(nullable(storedText(500))),
  ref: Type.Optional(nullable(storedText(50))),
  ...readOnlyTimes,
}
const alsoId = { id: Type.Optional(Type.String({ description: 'Ignored: the path identifies the rule.' })) }
const Draft = closedObject({ ...members, ...alsoId })
export type FirewallRuleDraft = Static<typeof Draft>
const Patch = closedObject({
  ...members,
  ...alsoId,
  action: Type.Optional(action),
  filter: Type.Optional(FilterDraft),
})
export type FirewallRulePatch = Static<typeof Patch>

const id = Type.String({ description: 'Identifier of the rule.' })
const Changed = closedObject({ ...members, id })
const Patched = closedObject({ ...Patch.properties, id })

const DeletedRule = Type.Object({
  id: Type.String(),
  filter: Type.Optional(
    Type.Object({
      id: Type.String(),
      deleted: Type.Boolean({ description: 'Whether the filter was deleted with the rule.' }),
    }),
  ),
})

const alsoFilter = Type.Optional(
  Type.Boolean({ default: false, description: 'Also deletes the filter, unless another rule uses it.' }),
)
const DeletionBody = Type.Object({ delete_filter_if_unused: alsoFilter })

const section = {
  tag: 'Firewall rules',
  params: { zone_id: objectId('the zone'), rule_id: objectId('the rule') },
}

export const firewallRules = operations('firewall_rules', section, {
  list: {
    route: 'GET /zones/{zone_id}/firewall/rules',
    summary: 'List firewall rules in order of evaluation',
    permission: reading,
    query: Type.Object({
      id: Type.Optional(Type.String({ description: 'Only the rule with this identifier.' })),
      description: Type.Optional(Type.String({ description: 'Text in the description, case-insensitive.' })),
      action: Type.Optional(Type.String({ description: 'Exactly this action.' })),
      paused: Type.Optional(Type.Boolean()),
      page,
      per_page: perPage(1, MAX_FIREWALL_BATCH, 25),
    }),
    result: WireFirewallRule,
    list: true,
  },
  create: {
    route: 'POST /zones/{zone_id}/firewall/rules',
    summary: 'Create firewall rules',
    description: 'All or nothing, including the filters that are given by their expressions.',
    permission: writing,
    body: oneOrMore(Draft),
    result: Type.Array(WireFirewallRule),
  },
  updateMany: {
    route: 'PUT /zones/{zone_id}/firewall/rules',
    summary: 'Replace firewall rules',
    description: 'All or nothing. A filter that is given by its ID is not changed.',
    permission: writing,
    body: oneOrMore(Changed),
    result: Type.Array(WireFirewallRule),
  },
  editMany: {
    route: 'PATCH /zones/{zone_id}/firewall/rules',
    summary: 'Edit firewall rules',
    description: 'All or nothing. Members that are not sent are not changed.',
    permission: writing,
    body: oneOrMore(Patched),
    result: Type.Array(WireFirewallRule),
  },
  deleteMany: {
    route: 'DELETE /zones/{zone_id}/firewall/rules',
    summary: 'Delete firewall rules',
    description: 'All or nothing.',
    permission: writing,
    query: Type.Object({ id: objectIds('Identifiers of the rules.'), delete_filter_if_unused: alsoFilter }),
    body: DeletionBody,
    bodyOptional: true,
    result: Type.Array(DeletedRule),
  },
  get: {
    route: 'GET /zones/{zone_id}/firewall/rules/{rule_id}',
    summary: 'Get a firewall rule',
    permission: reading,
    result: WireFirewallRule,
  },
  update: {
    route: 'PUT /zones/{zone_id}/firewall/rules/{rule_id}',
    summary: 'Replace a firewall rule',
    description: 'A filter that is given by its ID is not changed.',
    permission: writing,
    body: Draft,
    result: WireFirewallRule,
  },
  edit: {
    route: 'PATCH /zones/{zone_id}/firewall/rules/{rule_id}',
    summary: 'Edit a firewall rule',
    description: 'Returns a list with one rule, as in the published schema.',
    permission: writing,
    body: Patch,
    result: Type.Array(WireFirewallRule),
  },
  delete: {
    route: 'DELETE /zones/{zone_id}/firewall/rules/{rule_id}',
    summary: 'Delete a firewall rule',
    permission: writing,
    query: Type.Object({ delete_filter_if_unused: alsoFilter }),
    body: DeletionBody,
    bodyOptional: true,
    result: DeletedRule,
  },
})
