// Errors during the migration from the legacy managed rules, and endpoints that are gone after it, whatever the
// request.
import { scenarios, type Scenario, type Send } from '../../../testing/scenarios.ts'

const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee'
const BODY = { rules: [{ action: 'execute', expression: 'true', action_parameters: { id: MANAGED } }] }
const ENTRY = 'rulesets/phases/http_request_firewall_managed/entrypoint'
const put = (query: string): Send => ({ method: 'PUT', path: `/zones/{zone}/${ENTRY}?${query}`, body: BODY })
const get = (path: string): Send => ({ method: 'GET', path: `/zones/{zone}/${path}` })
const bypass = (expression: string, description = ''): Send => ({
  method: 'POST',
  path: '/zones/{zone}/firewall/rules',
  body: [{ action: 'bypass', products: ['waf'], description, filter: { expression } }],
})
const deploy: Send = { method: 'POST', path: '/zonereeve/zones/{zone}/waf_migration/deploy' }

const queries: Scenario[] = [
  ['waf_migration=pending&waf_migration=validation&phase_two=1', '/waf_migration'],
  ['waf_migration=pending&waf_migration=pending&phase_two=1', '/waf_migration'],
  ['waf_migration=pending&phase_two=0&phase_two=1', '/phase_two'],
].map(([query = '', pointer = '']) => ({
  name: `${query} is rejected by name`,
  send: put(query),
  expect: { status: 400, codes: [6008], pointers: [pointer] },
}))

scenarios('parameters of the migration', [
  ...queries,
  {
    name: 'phase_two sent twice to a check',
    send: get('waf_migration/check?phase_two=1&phase_two=0'),
    expect: { status: 400, codes: [6008], pointers: ['/phase_two'] },
  },
  {
    name: 'phase_two without waf_migration',
    send: put('phase_two=1'),
    expect: { status: 400, codes: [19680], pointers: ['/phase_two'] },
  },
  {
    name: 'phase_two for an account',
    send: { method: 'PUT', path: `/accounts/{account}/${ENTRY}?phase_two=1`, body: BODY },
    expect: { status: 400, codes: [19680], pointers: ['/phase_two'] },
  },
])

const expecting = (state: string): Send => ({ ...deploy, path: `${deploy.path}?expected_state=${state}` })

scenarios('a step whose outcome depends on the plan', [
  {
    name: 'is rejected where it would be permanent and the caller expects a validation',
    plan: 'pro',
    send: expecting('validation'),
    expect: { status: 400, codes: [20350], text: /plan pro .* done, not to validation/ },
  },
  {
    name: 'is rejected where the caller expects it to be permanent and it is not',
    plan: 'enterprise',
    send: expecting('done'),
    expect: { status: 400, codes: [20350] },
  },
  {
    name: 'succeeds with the outcome that the caller expects',
    plan: 'enterprise',
    send: expecting('validation'),
    expect: { status: 200, result: { migration_state: 'validation' }, changes: 1 },
  },
  {
    name: 'has no other outcomes',
    send: expecting('start'),
    expect: { status: 400, codes: [6008], pointers: ['/expected_state'] },
  },
])

/** Filters may have larger patterns than rules. */
const LARGE = `http.host matches "(?u)${'\\pL'.repeat(30)}"`
const large = bypass(LARGE, 'our offices')

scenarios('a firewall rule with a large pattern', [
  {
    name: 'is reported by the check',
    before: [large],
    send: get('waf_migration/check?phase_two=1'),
    expect: {
      status: 200,
      result: { compatible: false, migration_state: 'start' },
      messages: [20127],
      text: /our offices/,
    },
  },
  {
    name: 'prevents the configuration from being built',
    before: [large],
    send: get('waf_migration/config?phase_two=1'),
    expect: { status: 400, codes: [20127], pointers: ['/rules/0/expression'] },
  },
  {
    name: 'keeps the zone from being deployed',
    before: [large],
    send: deploy,
    expect: { status: 400, codes: [20127], pointers: ['/rules/0/expression'] },
  },
  {
    name: 'for another product is not an obstacle',
    before: [{ ...large, body: [{ action: 'block', filter: { expression: LARGE } }] }],
    send: get('waf_migration/check?phase_two=1'),
    expect: { status: 200, result: { compatible: true } },
  },
])

const waf = '/zones/{zone}/firewall/waf'
const GONE: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['GET', `${waf}/packages/x`],
  ['PATCH', `${waf}/packages/x`, '{"sensitivity":'],
  ['PATCH', `${waf}/packages/c504870194831cd12c3fc0284f294abb`, { sensitivity: 'extreme' }],
  ['GET', `${waf}/packages/x/groups/y`],
  ['PATCH', `${waf}/packages/x/groups/y`, []],
  ['GET', `${waf}/packages/x/rules/!`],
  ['PATCH', `${waf}/packages/x/rules/!`, { mode: 5 }],
  ['GET', `${waf}/packages?per_page=0`],
  ['POST', `${waf}/overrides`, { urls: 5 }],
  ['PUT', `${waf}/overrides/x`, '['],
  ['DELETE', `${waf}/overrides/x`],
]

scenarios('gone after the migration, before IDs or bodies are validated', [
  ...GONE.map(([method, path, body]): Scenario => ({
    name: `${method} ${path} ${JSON.stringify(body) ?? ''}`,
    before: [put('waf_migration=pending&phase_two=1')],
    send: { method, path, ...(body === undefined ? {} : { body }) },
    expect: { status: 410, codes: [19550] },
  })),
  {
    name: 'a malformed id before the migration',
    send: { method: 'GET', path: `${waf}/packages/x` },
    expect: { status: 400, codes: [7003] },
  },
  {
    name: 'a malformed zone ID is an unknown zone, whatever follows it',
    before: [put('waf_migration=pending&phase_two=1')],
    send: { method: 'GET', path: '/zones/x/firewall/waf/packages/x' },
    expect: { status: 400, codes: [7003] },
  },
  {
    name: 'without a credential nothing is revealed about the zone',
    before: [put('waf_migration=pending&phase_two=1')],
    send: { method: 'GET', path: `${waf}/packages/x`, token: null },
    expect: { status: 400, codes: [9106] },
  },
])
