// Rules of a zone about who may use it: user-agent rules, and zone lockdown.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import {
  closedObject,
  Deleted,
  givenName,
  ignoredMembers,
  namedObject,
  objectId,
  oneOf,
  page,
  perPage,
  timestamp,
} from './primitives.ts'
import { storedText } from './filters.ts'

export const ZONE_ACCESS_PER_PAGE = 20
/** URLs and addresses of one lockdown. */
const MAX_LOCKDOWN_ENTRIES = 250

const reading = { on: 'zone', anyOf: ['Firewall Services Read', 'Firewall Services Write'] } as const
const writing = { on: 'zone', anyOf: ['Firewall Services Write'] } as const
const paused = Type.Optional(Type.Boolean({ default: false, description: 'True: the rule has no effect.' }))
const description = storedText(1_000)
const search = (what: string) => Type.Optional(Type.String({ maxLength: 1_000, description: what }))
const pages = { page, per_page: perPage(1, 1_000, ZONE_ACCESS_PER_PAGE) }

const userAgentMode = oneOf(['block', 'challenge', 'js_challenge', 'managed_challenge'])
const UserAgent = closedObject({
  target: oneOf(['ua']),
  value: givenName(1_024, {
    description: 'The whole header User-Agent.',
    examples: ['BadBot/1.0.2 (+http://bad.example)'],
  }),
})

export const WireUserAgentRule = namedObject('UserAgentRule', {
  id: objectId('the rule'),
  description: Type.String(),
  mode: userAgentMode,
  configuration: Type.Object({ target: oneOf(['ua']), value: Type.String() }),
  paused: Type.Boolean(),
})
export type WireUserAgentRule = Static<typeof WireUserAgentRule>

const UserAgentDraft = closedObject({
  configuration: UserAgent,
  mode: userAgentMode,
  description: Type.Optional(description),
  paused,
  ...ignoredMembers('id'),
})

const uaSection = {
  tag: 'User-agent rules',
  params: { zone_id: objectId('the zone'), ua_rule_id: objectId('the rule') },
}

export const uaRules = operations('ua_rules', uaSection, {
  list: {
    route: 'GET /zones/{zone_id}/firewall/ua_rules',
    summary: 'List user-agent rules',
    permission: reading,
    query: Type.Object({
      description: search('Text in the description, case-insensitive.'),
      description_search: search('The same.'),
      user_agent: search('Text in the user agent, case-insensitive.'),
      ua_search: search('The same.'),
      paused: Type.Optional(Type.Boolean()),
      ...pages,
    }),
    result: WireUserAgentRule,
    list: true,
  },
  create: {
    route: 'POST /zones/{zone_id}/firewall/ua_rules',
    summary: 'Create a user-agent rule',
    permission: writing,
    body: UserAgentDraft,
    result: WireUserAgentRule,
  },
  get: {
    route: 'GET /zones/{zone_id}/firewall/ua_rules/{ua_rule_id}',
    summary: 'Get a user-agent rule',
    permission: reading,
    result: WireUserAgentRule,
  },
  update: {
    route: 'PUT /zones/{zone_id}/firewall/ua_rules/{ua_rule_id}',
    summary: 'Replace a user-agent rule',
    permission: writing,
    body: UserAgentDraft,
    result: WireUserAgentRule,
  },
  delete: {
    route: 'DELETE /zones/{zone_id}/firewall/ua_rules/{ua_rule_id}',
    summary: 'Delete a user-agent rule',
    permission: writing,
    result: Deleted,
  },
})

const addressTarget = oneOf(['ip', 'ip_range'])
const Address = closedObject({
  target: addressTarget,
  value: Type.String({ maxLength: 50, examples: ['198.51.100.4'] }),
})
const url = Type.String({
  minLength: 1,
  maxLength: 1_024,
  description: 'Host and path, with `*` for any characters. Without a path it is the whole host.',
  examples: ['shop.example.com/admin*'],
})
const priority = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description: 'Lower numbers are evaluated first; rules without a number come last.',
})

export const WireLockdown = namedObject('Lockdown', {
  id: objectId('the rule'),
  created_on: timestamp('When it was created.'),
  modified_on: timestamp('When it was last changed.'),
  paused: Type.Boolean(),
  description: Type.String(),
  urls: Type.Array(Type.String()),
  configurations: Type.Array(Type.Object({ target: addressTarget, value: Type.String() })),
  priority: Type.Optional(priority),
})
export type WireLockdown = Static<typeof WireLockdown>

const LockdownDraft = closedObject({
  urls: Type.Array(url, { minItems: 1, maxItems: MAX_LOCKDOWN_ENTRIES }),
  configurations: Type.Array(Address, { minItems: 1, maxItems: MAX_LOCKDOWN_ENTRIES }),
  description: Type.Optional(description),
  paused,
  priority: Type.Optional(priority),
  ...ignoredMembers('id', 'created_on', 'modified_on'),
})

const lockdownSection = {
  tag: 'Zone lockdown',
  params: { zone_id: objectId('the zone'), lock_downs_id: objectId('the rule') },
}

export const lockdowns = operations('lockdowns', lockdownSection, {
  list: {
    route: 'GET /zones/{zone_id}/firewall/lockdowns',
    summary: 'List lockdown rules',
    permission: reading,
    query: Type.Object({
      description: search('Text in the description, case-insensitive.'),
      description_search: search('The same.'),
      ip: search('Exactly this address.'),
      ip_search: search('The same.'),
      ip_range_search: search('Exactly this network.'),
      uri_search: search('Text in a URL, case-insensitive.'),
      priority: Type.Optional(Type.Integer()),
      ...pages,
    }),
    result: WireLockdown,
    list: true,
  },
  create: {
    route: 'POST /zones/{zone_id}/firewall/lockdowns',
    summary: 'Create a lockdown rule',
    permission: writing,
    body: LockdownDraft,
    result: WireLockdown,
  },
  get: {
    route: 'GET /zones/{zone_id}/firewall/lockdowns/{lock_downs_id}',
    summary: 'Get a lockdown rule',
    permission: reading,
    result: WireLockdown,
  },
  update: {
    route: 'PUT /zones/{zone_id}/firewall/lockdowns/{lock_downs_id}',
    summary: 'Replace a lockdown rule',
    permission: writing,
    body: LockdownDraft,
    result: WireLockdown,
  },
  delete: {
    route: 'DELETE /zones/{zone_id}/firewall/lockdowns/{lock_downs_id}',
    summary: 'Delete a lockdown rule',
    permission: writing,
    result: Deleted,
  },
})
