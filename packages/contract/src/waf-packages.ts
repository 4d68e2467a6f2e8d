// The legacy managed rules: packages of groups of rules, configured per zone until the zone has migrated to rulesets.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import {
  closedObject,
  direction,
  namedObject,
  nullable,
  objectId,
  oneOf,
  page,
  perPage,
} from './primitives.ts'

const root = '/zones/{zone_id}/firewall/waf/packages'
const reading = { on: 'zone', anyOf: ['Firewall Services Read', 'Firewall Services Write'] } as const
const writing = { on: 'zone', anyOf: ['Firewall Services Write'] } as const

const match = Type.Optional(
  oneOf(['any', 'all'], { default: 'all', description: 'Whether one filter is enough, or all must match.' }),
)
const paging = { page, per_page: perPage(1, 1_000, 50) }
const sensitivity = oneOf(['high', 'medium', 'low', 'off'], {
  description: 'At which score the action is taken; `off`: never.',
})
const actionMode = oneOf(['simulate', 'block', 'challenge'], {
  description: 'Action for requests whose score is too high.',
})
const onOff = oneOf(['on', 'off'])
const ruleMode = oneOf(['default', 'disable', 'simulate', 'block', 'challenge', 'on', 'off'])

export const WireWafPackage = namedObject('WafPackage', {
  id: objectId('the package'),
  name: Type.String(),
  description: nullable(Type.String()),
  zone_id: objectId('the zone'),
  detection_mode: oneOf(['anomaly', 'traditional']),
  status: oneOf(['active']),
  sensitivity: Type.Optional(sensitivity),
  action_mode: Type.Optional(actionMode),
})
export type WireWafPackage = Static<typeof WireWafPackage>

export const WireWafGroup = namedObject('WafGroup', {
  id: objectId('the group'),
  name: Type.String(),
  description: nullable(Type.String()),
  rules_count: Type.Integer(),
  modified_rules_count: Type.Integer({ description: 'Rules whose mode is not the default.' }),
  package_id: objectId('the package'),
  mode: onOff,
  allowed_modes: Type.Array(onOff),
})
export type WireWafGroup = Static<typeof WireWafGroup>

export const WireWafRule = namedObject('WafRule', {
  id: Type.String({ examples: ['100005'] }),
  description: Type.String(),
  priority: Type.String({ description: 'Its place among the rules of the package.' }),
  group: Type.Object({ id: Type.String(), name: Type.String() }),
  package_id: objectId('the package'),
  allowed_modes: Type.Array(ruleMode),
  mode: ruleMode,
  default_mode: Type.Optional(
    oneOf(['disable', 'simulate', 'block', 'challenge'], {
      description: 'The mode that `default` stands for.',
    }),
  ),
})
export type WireWafRule = Static<typeof WireWafRule>

const section = {
  tag: 'Legacy managed rules',
  params: {
    zone_id: objectId('the zone'),
    package_id: objectId('the package'),
    group_id: objectId('the group'),
    rule_id: Type.String({
      pattern: '^[0-9A-Za-z]{1,32}$',
      must: 'be 1 to 32 letters and digits',
      description: 'The rule, such as `100005` or `WP0025B`.',
    }),
  },
}

export const wafPackages = operations('waf_packages', section, {
  list: {
    route: `GET ${root}`,
    summary: 'List WAF packages',
    description: 'Empty on the free plan.',
    endsWithMigration: true,
    permission: reading,
    query: Type.Object({
      name: Type.Optional(Type.String({ description: 'Only the package with this name, case-insensitive.' })),
      match,
      order: Type.Optional(oneOf(['name'])),
      direction,
      ...paging,
    }),
    result: WireWafPackage,
    list: true,
  },
  get: {
    route: `GET ${root}/{package_id}`,
    summary: 'Get a WAF package',
    endsWithMigration: true,
    permission: reading,
    result: WireWafPackage,
  },
  edit: {
    route: `PATCH ${root}/{package_id}`,
    summary: 'Edit a WAF package with scoring',
    endsWithMigration: true,
    permission: writing,
    body: closedObject({ sensitivity: Type.Optional(sensitivity), action_mode: Type.Optional(actionMode) }),
    result: WireWafPackage,
  },
})

export const wafGroups = operations('waf_groups', section, {
  list: {
    route: `GET ${root}/{package_id}/groups`,
    summary: 'List the groups of a WAF package',
    endsWithMigration: true,
    permission: reading,
    query: Type.Object({
      mode: Type.Optional(onOff),
      name: Type.Optional(Type.String({ description: 'Only the group with this name, case-insensitive.' })),
      package_id: Type.Optional(Type.String()),
      rules_count: Type.Optional(Type.Integer({ description: 'Only groups with this many rules.' })),
      match,
      order: Type.Optional(oneOf(['mode', 'rules_count'])),
      direction,
      ...paging,
    }),
    result: WireWafGroup,
    list: true,
  },
  get: {
    route: `GET ${root}/{package_id}/groups/{group_id}`,
    summary: 'Get a group of a WAF package',
    endsWithMigration: true,
    permission: reading,
    result: WireWafGroup,
  },
  edit: {
    route: `PATCH ${root}/{package_id}/groups/{group_id}`,
    summary: 'Turn a group of a WAF package on or off',
    endsWithMigration: true,
    permission: writing,
    body: closedObject({ mode: onOff }),
    result: WireWafGroup,
  },
})

export const wafRules = operations('waf_rules', section, {
  list: {
    route: `GET ${root}/{package_id}/rules`,
    summary: 'List the rules of a WAF package',
    endsWithMigration: true,
    permission: reading,
    query: Type.Object({
      mode: Type.Optional(
        oneOf(['DIS', 'CHL', 'BLK', 'SIM'], {
          description:
            'Only rules that are disabled or off, challenge, block, or simulate, with `default` resolved.',
        }),
      ),
      group_id: Type.Optional(Type.String()),
      package_id: Type.Optional(Type.String()),
      description: Type.Optional(Type.String({ description: 'Text in the description, case-insensitive.' })),
      priority: Type.Optional(Type.String()),
      match,
      order: Type.Optional(oneOf(['priority', 'group_id', 'description'])),
      direction,
      ...paging,
    }),
    result: WireWafRule,
    list: true,
  },
  get: {
    route: `GET ${root}/{package_id}/rules/{rule_id}`,
    summary: 'Get a rule of a WAF package',
    endsWithMigration: true,
    permission: reading,
    result: WireWafRule,
  },
  edit: {
    route: `PATCH ${root}/{package_id}/rules/{rule_id}`,
    summary: 'Set the mode of a rule of a WAF package',
    endsWithMigration: true,
    permission: writing,
    body: closedObject({ mode: ruleMode }),
    result: WireWafRule,
  },
})
