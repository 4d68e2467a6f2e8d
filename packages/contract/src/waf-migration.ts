// The migration from the legacy managed rules to rulesets.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { closedObject, namedObject, nullable, objectId, oneOf, timestamp } from './primitives.ts'
import { RULE_ACTIONS } from './rulesets.ts'

const reading = { on: 'zone', anyOf: ['Zone WAF Read', 'Zone WAF Write'] } as const
const writing = { on: 'zone', anyOf: ['Zone WAF Write'] } as const

export const phaseTwo = Type.Optional(
  oneOf(['1', 'true', '0', 'false'], {
    description: 'Whether to use the rules of the second phase, with which nearly all zones can be migrated.',
  }),
)

const migrationState = oneOf(['start', 'validation', 'done'], {
  description:
    '`start`: the legacy managed rules. `validation`: both versions, the new one first. `done`: the new ones.',
})

const WireWafCompatibility = Type.Object(
  { compatible: Type.Boolean(), migration_state: migrationState },
  { $id: 'WafCompatibility', title: 'WafCompatibility', description: 'Obstacles are listed in `messages`.' },
)
export type WireWafCompatibility = Static<typeof WireWafCompatibility>

const WireWafMigrationConfig = namedObject('WafMigrationConfig', {
  name: Type.String({ examples: ['default'] }),
  rules: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Empty: the rule does not exist yet.' }),
      version: Type.String(),
      action: oneOf(RULE_ACTIONS),
      expression: Type.String({ examples: ['true'] }),
      description: Type.String(),
      ref: Type.String(),
      enabled: Type.Boolean(),
      action_parameters: Type.Unsafe<Readonly<Record<string, unknown>>>(
        Type.Record(Type.String(), Type.Unknown()),
      ),
      logging: Type.Optional(Type.Object({ enabled: Type.Boolean() })),
    }),
  ),
})
export type WireWafMigrationConfig = Static<typeof WireWafMigrationConfig>

const enabled = oneOf(['enabled', 'disabled'])
const WireWafMigrationStatus = namedObject('WafMigrationStatus', {
  migration_state: migrationState,
  old_waf: enabled,
  new_waf: enabled,
})
export type WireWafMigrationStatus = Static<typeof WireWafMigrationStatus>

const mode = Type.String({ examples: ['on', 'off', 'default', 'simulate'] })
const WireWafMigrationSnapshot = namedObject('WafMigrationSnapshot', {
  zone_id: objectId('the zone'),
  taken_on: timestamp('When the zone left the legacy managed rules.'),
  waf: oneOf(['on', 'off'], { description: 'The zone setting.' }),
  packages: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      sensitivity: Type.Optional(Type.String()),
      action_mode: Type.Optional(Type.String()),
      groups: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          mode,
          rules: Type.Array(Type.Object({ id: Type.String(), mode })),
        }),
      ),
    }),
  ),
  firewall_rules: Type.Array(
    Type.Object({
      id: Type.String(),
      action: Type.String(),
      products: Type.Array(Type.String()),
      priority: nullable(Type.Integer()),
      paused: Type.Boolean(),
      description: nullable(Type.String()),
      filter: Type.Object({ id: Type.String(), expression: Type.String(), paused: Type.Boolean() }),
    }),
  ),
  page_rules: Type.Array(
    Type.Object({
      id: Type.String(),
      targets: Type.Array(Type.Unknown()),
      actions: Type.Array(Type.Unknown()),
      priority: Type.Integer(),
      status: Type.String(),
    }),
  ),
})
export type WireWafMigrationSnapshot = Static<typeof WireWafMigrationSnapshot>

const root = '/zones/{zone_id}/waf_migration'

const section = { tag: 'WAF migration', params: { zone_id: objectId('the zone') } }

export const wafMigration = operations('waf_migration', section, {
  check: {
    route: `GET ${root}/check`,
    summary: 'Check whether a zone can be migrated',
    permission: reading,
    query: Type.Object({ phase_two: phaseTwo }),
    onceInQuery: ['phase_two'],
    result: WireWafCompatibility,
  },
  config: {
    route: `GET ${root}/config`,
    summary: 'Get the entry point that corresponds to the legacy managed rules',
    description: 'Send it unchanged to the entry point of `http_request_firewall_managed`.',
    permission: reading,
    query: Type.Object({ phase_two: phaseTwo }),
    onceInQuery: ['phase_two'],
    result: WireWafMigrationConfig,
  },
  status: {
    route: `GET ${root}/status`,
    summary: 'Get which managed rules a zone uses',
    permission: reading,
    result: WireWafMigrationStatus,
  },
})

const extension = '/zonereeve/zones/{zone_id}/waf_migration'

export const wafMigrationSteps = operations('waf_migration', section, {
  deploy: {
    route: `POST ${extension}/deploy`,
    needsRecentSignIn: true,
    summary: 'Deploy the new managed rules with the settings of the legacy ones',
    description:
      'Enterprise zones get both versions, the new one first; other zones only the new one, permanently.',
    permission: writing,
    query: Type.Object({
      expected_state: Type.Optional(
        oneOf(['validation', 'done'], {
          description:
            'The state that the caller expects afterwards. If the plan of the zone leads to the other one, nothing changes (20350).',
        }),
      ),
    }),
    onceInQuery: ['expected_state'],
    body: closedObject({}),
    bodyOptional: true,
    result: WireWafMigrationStatus,
  },
  turnOffLegacy: {
    id: 'waf_migration.turn_off_previous',
    route: `POST ${extension}/turn_off_previous`,
    needsRecentSignIn: true,
    summary: 'Permanently turn off the legacy managed rules of a zone that has both',
    permission: writing,
    body: closedObject({}),
    bodyOptional: true,
    result: WireWafMigrationStatus,
  },
  snapshot: {
    route: `GET ${extension}/snapshot`,
    summary: 'Get the legacy WAF configuration as it was when the zone left it',
    permission: reading,
    result: WireWafMigrationSnapshot,
  },
})
