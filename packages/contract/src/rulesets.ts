// Rulesets: ordered rules for requests and responses, of zones and accounts. Every change creates a version.
import { Type, type Static, type TSchema } from 'typebox'
import { operations } from './operation.ts'
import { namedObject, objectId, oneOf, timestamp } from './primitives.ts'

const tag = 'Rulesets'

const KINDS = ['managed', 'custom', 'root', 'zone'] as const

export const RULESET_PHASES = [
  'ddos_l4',
  'ddos_l7',
  'http_config_settings',
  'http_custom_errors',
  'http_log_custom_fields',
  'http_ratelimit',
  'http_request_cache_settings',
  'http_request_dynamic_redirect',
  'http_request_firewall_custom',
  'http_request_firewall_managed',
  'http_request_late_transform',
  'http_request_origin',
  'http_request_redirect',
  'http_request_sanitize',
  'http_request_sbfm',
  'http_request_transform',
  'http_response_cache_settings',
  'http_response_compression',
  'http_response_firewall_managed',
  'http_response_headers_transform',
  'magic_transit',
  'magic_transit_ids_managed',
  'magic_transit_managed',
  'magic_transit_ratelimit',
] as const

export const RULE_ACTIONS = [
  'block',
  'challenge',
  'compress_response',
  'ddos_dynamic',
  'execute',
  'force_connection_close',
  'js_challenge',
  'log',
  'log_custom_field',
  'managed_challenge',
  'redirect',
  'rewrite',
  'route',
  'score',
  'serve_error',
  'set_cache_control',
  'set_cache_settings',
  'set_cache_tags',
  'set_config',
  'skip',
  'transform_response_html',
] as const

const phase = oneOf(RULESET_PHASES, { description: 'When its rules are evaluated.' })
const version = Type.String({ description: 'Starts at 1 and increases with each change.', examples: ['1'] })

const Parameters = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'Parameters of the action, as sent. docs/rulesets.md lists them for each action.',
    examples: [{ id: 'efb7b8c949ac4650a09736fc376e9aee' }],
  }),
)
const Logging = Type.Object({
  enabled: Type.Boolean({ description: 'Whether a match is logged; only for skip rules.' }),
})
const RateLimit = Type.Object({
  characteristics: Type.Array(Type.String(), { examples: [['cf.colo.id', 'ip.src']] }),
  period: Type.Integer({ description: 'Seconds of the counting period.', examples: [60] }),
  requests_per_period: Type.Optional(Type.Integer({ minimum: 1, examples: [100] })),
  mitigation_timeout: Type.Optional(Type.Integer({ description: 'Seconds that the action lasts.' })),
  counting_expression: Type.Optional(Type.String()),
  requests_to_origin: Type.Optional(Type.Boolean()),
  score_per_period: Type.Optional(Type.Integer()),
  score_response_header_name: Type.Optional(Type.String()),
})

const ExposedCredentialCheck = Type.Object(
  {
    username_expression: Type.String({
      examples: ['url_decode(http.request.body.form["user"][0])'],
    }),
    password_expression: Type.String({
      examples: ['url_decode(http.request.body.form["password"][0])'],
    }),
  },
  { description: 'The rule matches only if these credentials are known from leaks.' },
)

const ruleMembers = {
  action: oneOf(RULE_ACTIONS),
  action_parameters: Type.Optional(Parameters),
  expression: Type.String({
    minLength: 1,
    description: 'A filter expression of at most 4,096 bytes.',
    examples: ['http.request.uri.path eq "/login"'],
  }),
  description: Type.Optional(Type.String()),
  logging: Type.Optional(Logging),
  ratelimit: Type.Optional(RateLimit),
  exposed_credential_check: Type.Optional(ExposedCredentialCheck),
}

const WireRule = Type.Object(
  {
    id: objectId('the rule'),
    version: Type.String({ description: 'Starts at 1; moving the rule does not change it.' }),
    ...ruleMembers,
    expression: Type.Optional(ruleMembers.expression),
    categories: Type.Optional(Type.Array(Type.String(), { description: 'Tags of managed rules.' })),
    last_updated: timestamp('When it was last changed.'),
    ref: Type.String({ description: 'Identifies the rule across updates; its id by default.' }),
    enabled: Type.Boolean(),
    ordinary_strings: Type.Optional(
      Type.Object(
        { stopped: Type.Integer(), tried: Type.Integer() },
        {
          description:
            'Of managed rules that decide alone: how many ordinary strings of others they stopped, of how many.',
        },
      ),
    ),
  },
  { $id: 'RulesetRule', title: 'RulesetRule', description: 'Managed rules have no expression.' },
)
export type WireRule = Static<typeof WireRule>

const WireRulesetSummary = namedObject('RulesetSummary', {
  id: objectId('the ruleset'),
  name: Type.String(),
  description: Type.String(),
  kind: oneOf(KINDS),
  version,
  last_updated: timestamp('When it was last changed.'),
  phase,
})
export type WireRulesetSummary = Static<typeof WireRulesetSummary>

const WireRuleset = namedObject('Ruleset', {
  id: WireRulesetSummary.properties.id,
  name: WireRulesetSummary.properties.name,
  description: WireRulesetSummary.properties.description,
  kind: WireRulesetSummary.properties.kind,
  version,
  rules: Type.Array(WireRule),
  last_updated: WireRulesetSummary.properties.last_updated,
  phase,
})
export type WireRuleset = Static<typeof WireRuleset>

const given = {
  id: Type.Optional(Type.String({ description: 'A rule that the ruleset has or had.' })),
  ref: Type.Optional(Type.String({ description: 'A rule that the ruleset has, or a new one.' })),
  enabled: Type.Optional(Type.Boolean({ default: true })),
}
const RuleDraft = namedObject('RulesetRuleDraft', { ...ruleMembers, ...given })
const Position = Type.Object(
  {
    before: Type.Optional(Type.String({ description: 'ID of a rule; empty for the first place.' })),
    after: Type.Optional(Type.String({ description: 'ID of a rule; empty for the last place.' })),
    index: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { description: 'Exactly one of the three.' },
)
const PlacedRule = Type.Object({ ...ruleMembers, ...given, position: Type.Optional(Position) })
const EditedRule = Type.Object({ ...Type.Partial(PlacedRule).properties, position: Type.Optional(Position) })
const changeable = {
  name: Type.Optional(Type.String({ minLength: 1 })),
  description: Type.Optional(Type.String()),
  rules: Type.Optional(Type.Array(RuleDraft, { description: 'All rules; if absent, they are not changed.' })),
}

const WHOSE = { zone: 'a zone', account: 'an account' } as const
const READ = {
  zone: ['Zone WAF Read', 'Zone WAF Write'],
  account: ['Account WAF Read', 'Account WAF Write', 'Account Rulesets Read', 'Account Rulesets Write'],
} as const
const WRITE = { zone: ['Zone WAF Write'], account: ['Account WAF Write', 'Account Rulesets Write'] } as const

/** Maximum bytes of a body: a thousand rules with expressions of maximum length. */
const MAX_BODY_BYTES = 8 * 1_048_576

/** The same operations for zones and accounts. */
function rulesetOperations<
  L extends keyof typeof WHOSE,
  R extends `/${string}`,
  P extends Record<string, TSchema>,
>(level: L, prefix: R, owner: P) {
  const whose = WHOSE[level]
  const all = `${prefix}/rulesets` as const
  const one = `${all}/{ruleset_id}` as const
  const entry = `${all}/phases/{ruleset_phase}/entrypoint` as const
  const section = {
    tag,
    params: {
      ...owner,
      ruleset_id: objectId('the ruleset'),
      rule_id: objectId('the rule'),
      ruleset_version: Type.String({ description: 'A version.' }),
      ruleset_phase: Type.String({ description: 'A phase.' }),
      rule_tag: Type.String({ description: 'A tag.' }),
    },
  }
  const read = { permission: { on: level, anyOf: READ[level] } }
  const write = { permission: { on: level, anyOf: WRITE[level] }, dryRunIsSilent: true }
  const send = { ...write, validatesOwnBody: true, maxBodyBytes: MAX_BODY_BYTES }
  return operations(`${level}.rulesets`, section, {
    list: {
      route: `GET ${all}`,
      summary: `List the rulesets of ${whose}`,
      description: 'Managed rulesets first; without their rules.',
      ...read,
      query: Type.Object({
        cursor: Type.Optional(Type.String({ minLength: 1 })),
        per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 50 })),
      }),
      result: WireRulesetSummary,
      list: 'cursor',
    },
    create: {
      route: `POST ${all}`,
      summary: `Create a ruleset of ${whose}`,
      ...send,
      body: Type.Object({ ...changeable, name: Type.String({ minLength: 1 }), kind: oneOf(KINDS), phase }),
      result: WireRuleset,
    },
    get: {
      route: `GET ${one}`,
      summary: 'Get a ruleset with its rules',
      ...read,
      result: WireRuleset,
    },
    update: {
      route: `PUT ${one}`,
      summary: 'Change a ruleset, or all of its rules',
      description:
        'A rule is updated if its id or ref matches an existing rule; members that are left out are not changed.',
      ...send,
      body: Type.Object({ ...changeable, kind: Type.Optional(oneOf(KINDS)), phase: Type.Optional(phase) }),
      result: WireRuleset,
    },
    delete: {
      route: `DELETE ${one}`,
      summary: 'Delete a ruleset with all its versions',
      description: 'Refused while a rule executes it.',
      ...write,
      result: Type.Null(),
      noContent: true,
    },
    createRule: {
      id: `${level}.rulesets.rules.create`,
      route: `POST ${one}/rules`,
      summary: 'Add a rule to a ruleset',
      ...send,
      body: PlacedRule,
      result: WireRuleset,
    },
    editRule: {
      id: `${level}.rulesets.rules.edit`,
      route: `PATCH ${one}/rules/{rule_id}`,
      summary: 'Replace a rule, or move it',
      description: 'The rule is replaced as a whole; a body with only `position` moves it.',
      ...send,
      body: EditedRule,
      result: WireRuleset,
    },
    deleteRule: {
      id: `${level}.rulesets.rules.delete`,
      route: `DELETE ${one}/rules/{rule_id}`,
      summary: 'Delete a rule of a ruleset',
      ...write,
      result: WireRuleset,
    },
    versions: {
      id: `${level}.rulesets.versions.list`,
      route: `GET ${one}/versions`,
      summary: 'List the versions of a ruleset',
      ...read,
      result: Type.Array(WireRulesetSummary),
    },
    version: {
      id: `${level}.rulesets.versions.get`,
      route: `GET ${one}/versions/{ruleset_version}`,
      summary: 'Get a version of a ruleset',
      ...read,
      result: WireRuleset,
    },
    deleteVersion: {
      id: `${level}.rulesets.versions.delete`,
      route: `DELETE ${one}/versions/{ruleset_version}`,
      summary: 'Delete a version of a ruleset',
      description: 'Refused for the current version.',
      ...write,
      result: Type.Null(),
      noContent: true,
    },
    byTag: {
      id: `${level}.rulesets.versions.by_tag`,
      route: `GET ${one}/versions/{ruleset_version}/by_tag/{rule_tag}`,
      summary: 'Get the rules of a managed ruleset that have a tag',
      ...read,
      result: WireRuleset,
    },
    entryPoint: {
      id: `${level}.rulesets.entrypoint.get`,
      route: `GET ${entry}`,
      summary: 'Get the entry point of a phase',
      ...read,
      result: WireRuleset,
    },
    updateEntryPoint: {
      id: `${level}.rulesets.entrypoint.update`,
      route: `PUT ${entry}`,
      summary: 'Set the entry point of a phase',
      description: 'Created if it does not exist. Otherwise the same as an update of the ruleset.',
      ...send,
      query: Type.Object({
        waf_migration: Type.Optional(
          oneOf(['validation', '2', 'pending', '1'], {
            description:
              'Moves the zone one step forward in the migration from the legacy managed rules: to both versions (enterprise zones), or to the new ones permanently.',
          }),
        ),
        phase_two: Type.Optional(
          oneOf(['1', 'true', '0', 'false'], { description: 'Beside `waf_migration` only.' }),
        ),
      }),
      onceInQuery: ['waf_migration', 'phase_two'],
      needsRecentSignIn: 'waf_migration',
      body: Type.Object(changeable),
      result: WireRuleset,
    },
    entryPointVersions: {
      id: `${level}.rulesets.entrypoint.versions.list`,
      route: `GET ${entry}/versions`,
      summary: 'List the versions of an entry point',
      description: 'Empty if there is no entry point.',
      ...read,
      result: Type.Array(WireRulesetSummary),
    },
    entryPointVersion: {
      id: `${level}.rulesets.entrypoint.versions.get`,
      route: `GET ${entry}/versions/{ruleset_version}`,
      summary: 'Get a version of an entry point',
      ...read,
      result: WireRuleset,
    },
  })
}

export const zoneRulesets = rulesetOperations('zone', '/zones/{zone_id}', { zone_id: objectId('the zone') })
export const accountRulesets = rulesetOperations('account', '/accounts/{account_id}', {
  account_id: objectId('the account'),
})
