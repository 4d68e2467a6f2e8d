// Zones.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import {
  Deleted,
  direction,
  ignoredMembers,
  namedObject,
  nullable,
  objectId,
  oneOf,
  page,
  perPage,
  timestamp,
} from './primitives.ts'

export const PLANS = ['free', 'pro', 'business', 'enterprise'] as const
export const ZONE_STATUSES = ['initializing', 'pending', 'active', 'moved'] as const
export const ZONE_TYPES = ['full', 'partial', 'secondary', 'internal'] as const

const WirePlan = Type.Object({
  id: Type.String(),
  name: Type.String(),
  price: Type.Number(),
  currency: Type.String(),
  frequency: Type.String(),
  is_subscribed: Type.Boolean(),
  can_subscribe: Type.Boolean(),
  legacy_id: oneOf(PLANS),
  legacy_discount: Type.Boolean(),
  externally_managed: Type.Boolean(),
})
export type WirePlan = Static<typeof WirePlan>

export const WireZone = namedObject('Zone', {
  id: objectId('the zone'),
  name: Type.String({ description: 'Domain name of the apex, without a trailing dot.' }),
  status: oneOf(ZONE_STATUSES),
  paused: Type.Boolean(),
  type: oneOf(ZONE_TYPES),
  development_mode: Type.Integer(),
  name_servers: Type.Array(Type.String()),
  original_name_servers: nullable(Type.Array(Type.String())),
  original_registrar: nullable(Type.String()),
  original_dnshost: nullable(Type.String()),
  modified_on: timestamp('When the zone was last changed.'),
  created_on: timestamp('When the zone was created.'),
  activated_on: nullable(timestamp('When the zone became active.')),
  vanity_name_servers: Type.Array(Type.String()),
  vanity_name_servers_ips: Type.Null(),
  meta: Type.Object({
    step: Type.Integer(),
    custom_certificate_quota: Type.Integer(),
    page_rule_quota: Type.Integer(),
    phishing_detected: Type.Boolean(),
  }),
  owner: Type.Object({ id: nullable(Type.String()), type: Type.String(), email: nullable(Type.String()) }),
  account: Type.Object({ id: Type.String(), name: Type.String() }),
  tenant: Type.Object({ id: Type.Null(), name: Type.Null() }),
  tenant_unit: Type.Object({ id: Type.Null() }),
  permissions: Type.Array(Type.String()),
  plan: WirePlan,
})
export type WireZone = Static<typeof WireZone>

const PlanChoice = Type.Object({
  id: Type.Optional(Type.String()),
  legacy_id: Type.Optional(Type.String({ examples: PLANS })),
  ...ignoredMembers(
    'name',
    'price',
    'currency',
    'frequency',
    'is_subscribed',
    'can_subscribe',
    'legacy_discount',
  ),
  ...ignoredMembers('externally_managed'),
})

// Members of replies that clients send back, and members of older APIs (cloudflare-go, octoDNS).
const replyMembers = {
  ...ignoredMembers(
    'id',
    'status',
    'development_mode',
    'name_servers',
    'original_name_servers',
    'meta',
    'owner',
  ),
  ...ignoredMembers(
    'original_registrar',
    'original_dnshost',
    'modified_on',
    'created_on',
    'activated_on',
    'tenant',
  ),
  ...ignoredMembers('vanity_name_servers_ips', 'tenant_unit', 'permissions', 'jump_start', 'organization'),
}

export const ZoneDraft = Type.Object({
  ...replyMembers,
  ...ignoredMembers('paused'),
  name: Type.String({
    reason: 'zone.name',
    description: 'Any valid domain name.',
    examples: ['example.com'],
  }),
  account: Type.Optional(
    nullable(
      Type.Object(
        { id: Type.Optional(Type.String()), ...ignoredMembers('name', 'type', 'created_on', 'settings') },
        { description: 'Default: the only account the caller can use.' },
      ),
    ),
  ),
  type: Type.Optional(nullable(oneOf(['full', 'secondary'], { default: 'full', reason: 'zone.type' }))),
  vanity_name_servers: Type.Optional(
    nullable(
      Type.Array(Type.String(), { description: 'Host names below the zone that replace the assigned ones.' }),
    ),
  ),
  plan: Type.Optional(nullable(PlanChoice)),
})
export type ZoneDraft = Static<typeof ZoneDraft>

export const ZonePatch = Type.Object({
  ...replyMembers,
  ...ignoredMembers('name', 'account'),
  paused: Type.Optional(Type.Boolean()),
  type: Type.Optional(
    oneOf(['full', 'secondary'], { reason: 'zone.type', description: 'The current one: it cannot change.' }),
  ),
  vanity_name_servers: Type.Optional(Type.Array(Type.String())),
  plan: Type.Optional(PlanChoice),
})
export type ZonePatch = Static<typeof ZonePatch>

const nameFilter = (what: string) =>
  Type.Optional(
    Type.String({
      description: `${what}, optionally with an operator before it: \`equal:\`, \`not_equal:\`, \`starts_with:\`, \`ends_with:\`, \`contains:\`, or one of these with \`_case_sensitive\`.`,
    }),
  )

export const ZoneListQuery = Type.Object({
  name: nameFilter('Zone name'),
  status: Type.Optional(oneOf(ZONE_STATUSES)),
  type: Type.Optional(Type.String({ description: 'One or more zone types, separated by commas.' })),
  'account.id': Type.Optional(Type.String()),
  'account.name': nameFilter('Account name'),
  match: Type.Optional(oneOf(['any', 'all'], { default: 'all' })),
  order: Type.Optional(
    oneOf(['name', 'status', 'account.id', 'account.name', 'plan.id'], { default: 'name' }),
  ),
  direction,
  page,
  per_page: perPage(1, 1000, 20),
})
export type ZoneListQuery = Static<typeof ZoneListQuery>

export const WireZoneSummary = namedObject('ZoneSummary', {
  id: objectId('the zone'),
  serial: Type.Integer({ description: 'SOA serial.' }),
  records: Type.Integer({ description: 'Number of records.' }),
  dnssec: oneOf(['active', 'pending', 'disabled', 'pending-disabled', 'error'], {
    description: 'Whether answers are signed, as in the zone’s DNSSEC.',
  }),
  changed_on: nullable(timestamp('When anything in the zone last changed; null = never.')),
  answers: nullable(
    Type.Object(
      {
        per_second: Type.Number({ description: 'Now.' }),
        day: Type.Array(Type.Number(), {
          description: 'Averages of two hours each over the last day, oldest first, since the first query.',
        }),
      },
      { description: 'Answers per second; null = none are counted, or the caller may not read them.' },
    ),
  ),
  secondaries: nullable(
    Type.Object(
      { current: Type.Integer(), behind: Type.Integer(), unknown: Type.Integer() },
      {
        description: 'Number of peers in each state of the outgoing transfers; null = they are not enabled.',
      },
    ),
  ),
  monitoring: nullable(
    Type.Object(
      {
        enabled: Type.Boolean({ description: 'Whether reports of browsers are stored.' }),
        malicious: Type.Integer({
          description: 'Known scripts, connections, frames, images and form targets that are malicious.',
        }),
        malicious_scripts: Type.Integer({ description: 'Those of them that are scripts.' }),
      },
      { description: 'Client-side monitoring; null = the caller may not read it.' },
    ),
  ),
  firewall: nullable(
    oneOf(['none', 'legacy', 'rulesets', 'both'], {
      description:
        'Which rules decide about requests: legacy managed rules, rulesets, or both; null = the caller may not read them.',
    }),
  ),
  rules: nullable(
    Type.Record(Type.String(), Type.Integer(), {
      description:
        'Number of rules in the zone’s entry point of each phase that has some; null = the caller may not read them.',
    }),
  ),
})
export type WireZoneSummary = Static<typeof WireZoneSummary>

const section = { tag: 'Zones', params: { zone_id: objectId('the zone') } }

export const zones = operations('zones', section, {
  list: {
    route: 'GET /zones',
    summary: 'List zones',
    permission: { on: 'some-zone', anyOf: ['Zone Read', 'Zone Write'] },
    query: ZoneListQuery,
    result: WireZone,
    list: true,
  },
  create: {
    route: 'POST /zones',
    summary: 'Create a zone',
    description:
      'The zone answers at once, with its SOA and NS records; it is `pending` until it has an address record.',
    permission: { on: 'body-account', anyOf: ['Zone Write'] },
    body: ZoneDraft,
    result: WireZone,
  },
  get: {
    route: 'GET /zones/{zone_id}',
    summary: 'Get a zone',
    permission: { on: 'zone', anyOf: ['Zone Read', 'Zone Write'] },
    result: WireZone,
  },
  patch: {
    route: 'PATCH /zones/{zone_id}',
    summary: 'Edit a zone',
    permission: { on: 'zone', anyOf: ['Zone Write'] },
    conditional: true,
    body: ZonePatch,
    result: WireZone,
  },
  delete: {
    route: 'DELETE /zones/{zone_id}',
    needsRecentSignIn: true,
    summary: 'Delete a zone and everything in it',
    permission: { on: 'zone', anyOf: ['Zone Write'] },
    conditional: true,
    result: Deleted,
  },
  activationCheck: {
    route: 'PUT /zones/{zone_id}/activation_check',
    summary: 'Check whether a zone can become active',
    description: 'A zone without any A or AAAA record stays `pending`; `messages` says so.',
    permission: { on: 'zone', anyOf: ['Zone Write'] },
    body: Type.Object({}),
    bodyOptional: true,
    result: Deleted,
  },
})

export const ATTENTION_REASONS = ['unreadable', 'transfer_failed', 'secondaries_behind', 'malicious'] as const

export const WireZoneNeedingAttention = namedObject('ZoneNeedingAttention', {
  zone: WireZone,
  reasons: Type.Array(oneOf(ATTENTION_REASONS), {
    description:
      'Those that the caller may read. `unreadable`: stored data cannot be read, and the zone is not answered; `transfer_failed`: the last transfer from a primary failed; `secondaries_behind`: a peer has not transferred the newest serial; `malicious`: a known script, connection, frame, image or form target is malicious.',
  }),
})
export type WireZoneNeedingAttention = Static<typeof WireZoneNeedingAttention>

export const zoneAttention = operations('zone_attention', section, {
  list: {
    route: 'GET /zonereeve/zone_attention',
    summary: 'List the zones that need attention by name, and why they do',
    description:
      'Of zones that the caller may read. A reply is up to five seconds old. Of each reason, 10,000 zones are counted at most. If there are more, and the caller may read more than 10,000 zones, `result_info.is_complete` is false. Zones whose own row cannot be read are not in the list: `/readyz` shows them.',
    permission: { on: 'some-zone', anyOf: ['Zone Read', 'Zone Write'] },
    query: Type.Object({ page, per_page: perPage(1, 1_000, 100) }),
    result: WireZoneNeedingAttention,
    list: true,
  },
})

export const zoneSummaries = operations('zone_summaries', section, {
  list: {
    route: 'GET /zonereeve/zone_summaries',
    summary: 'Summarize zones: DNS, secondaries, monitoring and firewall',
    description: 'Zones that do not exist or that the caller may not read are left out.',
    permission: { on: 'some-zone', anyOf: ['DNS Read', 'DNS Write'] },
    query: Type.Object({
      ids: Type.String({
        pattern: '^[0-9a-f]{32}(,[0-9a-f]{32}){0,99}$',
        must: 'be at most 100 IDs of 32 hexadecimal digits in lower case, separated by commas',
        description: 'Identifiers of up to 100 zones, separated by commas.',
      }),
    }),
    result: Type.Array(WireZoneSummary),
  },
})
