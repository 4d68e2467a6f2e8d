// IP access rules of zones, of accounts, and of all zones: what happens to clients by their address, network, autonomous
// system or country.
import { Type, type Static } from 'typebox'
import { storedText } from './filters.ts'
import { operations } from './operation.ts'
import {
  closedObject,
  Deleted,
  direction,
  ignoredMembers,
  namedObject,
  objectId,
  oneOf,
  page,
  perPage,
  timestamp,
} from './primitives.ts'

export const ACCESS_RULES_PER_PAGE = 20

const mode = oneOf(['block', 'challenge', 'whitelist', 'js_challenge', 'managed_challenge'], {
  description: '`whitelist`: the request skips all security checks.',
})
const target = oneOf(['ip', 'ip6', 'ip_range', 'asn', 'country'])
const Configuration = closedObject({
  target,
  value: Type.String({
    maxLength: 50,
    description:
      'An address; an IPv4 network of /16 or /24, or an IPv6 network of /32, /48, /64 or /128; an autonomous system such as AS64500; a country code of two letters.',
    examples: ['198.51.100.4'],
  }),
})
const notes = storedText(1_000)

export const WireAccessRule = namedObject('AccessRule', {
  id: objectId('the rule'),
  notes: Type.String(),
  allowed_modes: Type.Array(mode),
  mode,
  configuration: Type.Object({ target, value: Type.String() }),
  created_on: timestamp('When it was created.'),
  modified_on: timestamp('When it was last changed.'),
  scope: Type.Object(
    {
      id: Type.String(),
      name: Type.Optional(Type.String()),
      email: Type.Optional(Type.String()),
      type: oneOf(['zone', 'organization', 'user']),
    },
    { description: 'A zone, an account (`organization`), or all zones (`user`).' },
  ),
})
export type WireAccessRule = Static<typeof WireAccessRule>

const read = ['id', 'allowed_modes', 'scope', 'created_on', 'modified_on'] as const
const Draft = closedObject({
  configuration: Configuration,
  mode,
  notes: Type.Optional(notes),
  ...ignoredMembers(...read),
})
export type AccessRuleDraft = Static<typeof Draft>
const Patch = closedObject({
  configuration: Type.Optional(Configuration),
  mode: Type.Optional(mode),
  notes: Type.Optional(notes),
  ...ignoredMembers(...read),
})
export type AccessRulePatch = Static<typeof Patch>

const search = (description: string) => Type.Optional(Type.String({ maxLength: 1_000, description }))
const TARGET = 'Exactly this target.'
const VALUE = 'Exactly this value.'
const Query = Type.Object({
  mode: Type.Optional(mode),
  'configuration.target': search(TARGET),
  'configuration.value': search(VALUE),
  'configuration[target]': search(TARGET),
  'configuration[value]': search(VALUE),
  notes: search('Text in the notes, case-insensitive.'),
  match: Type.Optional(oneOf(['any', 'all'], { default: 'all' })),
  order: Type.Optional(oneOf(['configuration.target', 'configuration.value', 'mode'])),
  direction,
  page,
  per_page: perPage(1, 1_000, ACCESS_RULES_PER_PAGE),
})
export type AccessRuleQuery = Static<typeof Query>

type Scope = 'zone' | 'account' | 'user'

const READ = 'Account Firewall Access Rules Read'
const WRITE = 'Account Firewall Access Rules Write'
const PERMISSIONS = {
  zone: {
    reading: { on: 'zone', anyOf: ['Firewall Services Read', 'Firewall Services Write'] },
    writing: { on: 'zone', anyOf: ['Firewall Services Write'] },
  },
  account: {
    reading: { on: 'account', anyOf: [READ, WRITE] },
    writing: { on: 'account', anyOf: [WRITE] },
  },
  user: {
    reading: { on: 'every-account', anyOf: [READ, WRITE] },
    writing: { on: 'every-account', anyOf: [WRITE] },
  },
} as const

function accessRuleOperations<const S extends Scope, const B extends `/${string}`>(scope: S, base: B) {
  const section = {
    tag: 'IP access rules',
    params: {
      zone_id: objectId('the zone'),
      account_id: objectId('the account'),
      rule_id: objectId('the rule'),
    },
  }
  const { reading, writing } = PERMISSIONS[scope]
  const of = { zone: 'of a zone', account: 'of an account', user: 'of all zones' }[scope]
  return operations(`${scope}.access_rules`, section, {
    list: {
      route: `GET ${base}/firewall/access_rules/rules`,
      summary: `List the IP access rules ${of}`,
      permission: reading,
      query: Query,
      result: WireAccessRule,
      list: true,
    },
    create: {
      route: `POST ${base}/firewall/access_rules/rules`,
      summary: `Create an IP access rule ${of}`,
      permission: writing,
      body: Draft,
      result: WireAccessRule,
    },
    get: {
      route: `GET ${base}/firewall/access_rules/rules/{rule_id}`,
      summary: `Get an IP access rule ${of}`,
      permission: reading,
      result: WireAccessRule,
    },
    edit: {
      route: `PATCH ${base}/firewall/access_rules/rules/{rule_id}`,
      summary: `Edit an IP access rule ${of}`,
      description: 'Its target and value cannot change.',
      permission: writing,
      body: Patch,
      result: WireAccessRule,
    },
    delete: {
      route: `DELETE ${base}/firewall/access_rules/rules/{rule_id}`,
      summary: `Delete an IP access rule ${of}`,
      permission: writing,
      body: closedObject({
        cascade: Type.Optional(
          oneOf(['none'], { description: 'Similar rules of other zones stay.', default: 'none' }),
        ),
      }),
      bodyOptional: true,
      result: Deleted,
    },
  })
}

export const zoneAccessRules = accessRuleOperations('zone', '/zones/{zone_id}')
export const accountAccessRules = accessRuleOperations('account', '/accounts/{account_id}')
export const userAccessRules = accessRuleOperations('user', '/user')
