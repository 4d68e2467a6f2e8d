import { expect, test } from 'vitest'
import { changedRule, type RuleDraft, type WireRule } from './rulesets.ts'

const RULE: WireRule = {
  id: 'a'.repeat(32),
  version: '3',
  last_updated: '2026-01-05T10:20:30Z',
  ref: 'login',
  enabled: true,
  action: 'block',
  description: 'Logins',
  expression: 'true',
  action_parameters: { response: { status_code: 429 } },
  ratelimit: { characteristics: ['ip.src'], period: 60, requests_per_period: 5 },
  logging: { enabled: true },
  exposed_credential_check: { username_expression: 'http.host', password_expression: 'http.cookie' },
  categories: ['login'],
}
const {
  id: _id,
  version: _version,
  last_updated: _updated,
  categories: _categories,
  action_parameters,
  logging,
  ...MEMBERS
} = RULE
/** What belongs to its action. */
const OF_ACTION = { action_parameters, logging }
const draft: RuleDraft = { description: 'Sign-ins', action: 'block', expression: 'false' }
const redirect = { from_value: { target_url: { value: '/new' } } }
const ratelimit = { characteristics: ['http.host'], period: 10, requests_per_period: 1 }

test.each([
  ['on and off', { enabled: false }, { ...MEMBERS, enabled: false, ...OF_ACTION }],
  ['other words', draft, { ...MEMBERS, ...draft, ...OF_ACTION }],
  ['another limit', { ...draft, ratelimit }, { ...MEMBERS, ...draft, ratelimit, ...OF_ACTION }],
  ['other parameters', { actionParameters: redirect }, { ...MEMBERS, logging, action_parameters: redirect }],
  ['parameters that are not known', { actionParameters: undefined }, { ...MEMBERS, ...OF_ACTION }],
  ['another action, which has others', { ...draft, action: 'log' }, { ...MEMBERS, ...draft, action: 'log' }],
] satisfies [string, Parameters<typeof changedRule>[1], object][])(
  'a change of a rule: %s',
  (_name, change, expected) => expect(changedRule(RULE, change)).toEqual(expected),
)
