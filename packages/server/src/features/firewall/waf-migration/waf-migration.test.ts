// The migration over the API: each step from each state on each plan, its effects, and its errors.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Scenario, type Send } from '../../../testing/scenarios.ts'
import { PACKAGE_IDS } from '@zonereeve/firewall'
import { MIGRATION_REQUESTS, MIGRATION_STATES, NEXT, nextState } from './migration-states.rules.ts'

const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee'
const PLANS = ['free', 'pro', 'business', 'enterprise'] as const
const ENTRY_POINT = '/zones/{zone}/rulesets/phases/http_request_firewall_managed/entrypoint'
const BODY = { rules: [{ action: 'execute', expression: 'true', action_parameters: { id: MANAGED } }] }
const OFF_BODY = { rules: BODY.rules.map((rule) => ({ ...rule, enabled: false })) }

const put = (value: string, body: unknown = BODY, more = '&phase_two=1'): Send => ({
  method: 'PUT',
  path: `${ENTRY_POINT}?waf_migration=${value}${more}`,
  body,
})
const deploy: Send = { method: 'POST', path: '/zonereeve/zones/{zone}/waf_migration/deploy' }
const turnOff: Send = { method: 'POST', path: '/zonereeve/zones/{zone}/waf_migration/turn_off_previous' }
const status: Send = { method: 'GET', path: '/zones/{zone}/waf_migration/status' }
const wafOff: Send = { method: 'PATCH', path: '/zones/{zone}/settings/waf', body: { value: 'off' } }
const override: Send = {
  method: 'POST',
  path: '/zones/{zone}/firewall/waf/overrides',
  body: { urls: ['example.com/*'], rules: { '100005': 'disable' } },
}
const plan = (id: string): Send => ({
  method: 'PATCH',
  path: '/zones/{zone}',
  body: { plan: { legacy_id: id } },
})
const plainPut = (body: unknown): Send => ({ method: 'PUT', path: ENTRY_POINT, body })
const done = [put('pending')]
const at = (state: string, old: string, fresh: string) => ({
  migration_state: state,
  old_waf: old,
  new_waf: fresh,
})
const get = (path: string): Send => ({ method: 'GET', path: `/zones/{zone}/${path}` })

const moved = (id: string) => ({
  status: 200,
  changes: 1,
  events: ['zone changed'],
  result: { plan: { legacy_id: id } },
})
const remaining = (code: number) => ({ status: 400, codes: [code], pointers: ['/plan'] })

scenarios('plans of zones that have both versions of the managed rules', [
  ...['free', 'pro', 'business'].map((id): Scenario => ({
    name: `validation prevents a change to plan ${id}`,
    before: [put('validation')],
    send: plan(id),
    expect: remaining(19840),
  })),
  {
    name: 'validation with all managed rules disabled does, too',
    before: [put('validation'), put('validation', OFF_BODY)],
    send: plan('pro'),
    expect: remaining(19840),
  },
  {
    name: 'validation does not prevent other changes with the current plan',
    before: [put('validation')],
    send: {
      method: 'PATCH',
      path: '/zones/{zone}',
      body: { paused: true, plan: { legacy_id: 'enterprise' } },
    },
    expect: { status: 200, changes: 1, events: ['zone changed'], result: { paused: true } },
  },
  {
    name: 'the plan can change after validation has ended',
    before: [put('validation'), turnOff],
    send: plan('pro'),
    expect: moved('pro'),
  },
  {
    name: 'managed rules enabled before the migration prevent a change to plan pro',
    before: [plainPut(BODY)],
    send: plan('pro'),
    expect: remaining(19841),
  },
  {
    name: 'disabled ones do not',
    before: [plainPut(OFF_BODY)],
    send: plan('pro'),
    expect: moved('pro'),
  },
  {
    name: 'on plan free only the new rules exist',
    before: [plainPut(BODY)],
    send: plan('free'),
    expect: moved('free'),
  },
  {
    name: 'a free zone with managed rules cannot get the legacy ones beside them',
    plan: 'free',
    before: [plainPut(BODY)],
    send: plan('business'),
    expect: remaining(19841),
  },
  {
    name: 'but it can on enterprise',
    plan: 'free',
    before: [plainPut(BODY)],
    send: plan('enterprise'),
    expect: moved('enterprise'),
  },
  {
    name: 'after the migration every plan is allowed',
    before: done,
    send: plan('business'),
    expect: moved('business'),
  },
])

describe('the states of a migration', () => {
  test('lead from the first to the last, and no further', () => {
    const reached = new Set(['start', ...MIGRATION_STATES.flatMap((state) => Object.values(NEXT[state]))])
    expect([...reached].toSorted()).toEqual([...MIGRATION_STATES].toSorted())
    expect(NEXT.done).toEqual({})
    for (const state of MIGRATION_STATES)
      for (const next of Object.values(NEXT[state]))
        expect(MIGRATION_STATES.indexOf(next)).toBeGreaterThanOrEqual(MIGRATION_STATES.indexOf(state))
  })

  test('each request from each state on each plan', () => {
    const table = PLANS.map((plan) =>
      MIGRATION_STATES.map((state) =>
        MIGRATION_REQUESTS.map((request) => {
          const next = nextState(state, request, plan)
          return typeof next === 'string' ? next : next.reason
        }),
      ),
    )
    const never = ['waf.plan', 'waf.plan', 'waf.plan']
    const over = ['waf_migration.done', 'waf_migration.done', 'waf_migration.done']
    const paid = [
      ['waf_migration.validation_plan', 'done', 'waf_migration.not_validating'],
      ['waf_migration.validation_plan', 'done', 'done'],
      over,
    ]
    const enterprise = [
      ['validation', 'done', 'waf_migration.not_validating'],
      ['validation', 'done', 'done'],
      over,
    ]
    expect(table).toEqual([[never, never, never], paid, paid, enterprise])
  })
})

const ROWS: readonly Scenario[] = [
  {
    name: 'a new zone can be migrated',
    plan: 'pro',
    send: get('waf_migration/check?phase_two=1'),
    expect: { status: 200, result: { compatible: true, migration_state: 'start' } },
  },
  {
    name: 'a free zone has nothing to migrate',
    plan: 'free',
    send: get('waf_migration/check?phase_two=1'),
    expect: { status: 200, result: { compatible: false, migration_state: 'done' }, messages: [19593] },
  },
  {
    name: 'a free zone has no configuration to migrate',
    plan: 'free',
    send: get('waf_migration/config?phase_two=1'),
    expect: { status: 403, codes: [19551] },
  },
  {
    name: 'status before',
    plan: 'pro',
    send: status,
    expect: { status: 200, result: at('start', 'enabled', 'disabled') },
  },
  {
    name: 'status of a free zone',
    plan: 'free',
    send: status,
    expect: { status: 200, result: at('done', 'disabled', 'disabled') },
  },
  {
    name: 'an unknown phase is rejected',
    send: get('waf_migration/check?phase_two=maybe'),
    expect: { status: 400, codes: [6008], pointers: ['/phase_two'] },
  },
  {
    name: 'an unknown zone',
    send: { method: 'GET', path: `/zones/${'f'.repeat(32)}/waf_migration/status` },
    expect: { status: 404, codes: [1001] },
  },
  {
    name: 'validation on enterprise',
    send: put('validation'),
    expect: { status: 200, changes: 1, result: { version: '1' } },
  },
  { name: 'validation by its number', send: put('2'), expect: { status: 200, changes: 1 } },
  {
    name: 'status in validation',
    before: [put('validation')],
    send: status,
    expect: { status: 200, result: at('validation', 'enabled', 'enabled') },
  },
  {
    name: 'validation again, with other rules',
    before: [put('validation')],
    send: put('validation', OFF_BODY),
    expect: { status: 200, changes: 1, result: { version: '2' } },
  },
  {
    name: 'validation again, with the same rules, changes nothing',
    before: [put('validation')],
    send: put('validation', {}),
    expect: { status: 200, changes: 0, result: { version: '1' } },
  },
  {
    name: 'validation on pro',
    plan: 'pro',
    send: put('validation'),
    expect: { status: 403, codes: [19580] },
  },
  { name: 'pending on pro', plan: 'pro', send: put('pending'), expect: { status: 200, changes: 1 } },
  { name: 'pending by its number', plan: 'business', send: put('1'), expect: { status: 200, changes: 1 } },
  { name: 'pending on free', plan: 'free', send: put('pending'), expect: { status: 403, codes: [19551] } },
  {
    name: 'pending after validation, with the existing rules',
    before: [put('validation')],
    send: put('pending', {}),
    expect: { status: 200, changes: 1, result: { version: '1' } },
  },
  {
    name: 'pending without enabled rules',
    plan: 'pro',
    send: put('pending', OFF_BODY),
    expect: { status: 400, codes: [19589], pointers: ['/rules'] },
  },
  {
    name: 'pending without a body of rules',
    plan: 'pro',
    send: put('pending', {}),
    expect: { status: 400, codes: [19589] },
  },
  {
    name: 'a zone without active legacy rules may stay without managed rules',
    plan: 'pro',
    before: [wafOff],
    send: put('pending', OFF_BODY),
    expect: { status: 200, changes: 1 },
  },
  {
    name: 'an error in the rules changes nothing',
    plan: 'pro',
    send: put('pending', {
      rules: [{ action: 'execute', expression: 'tru', action_parameters: { id: '0' } }],
    }),
    expect: { status: 400, codes: [20127] },
  },
  {
    name: 'a dry run is rejected like the write',
    plan: 'pro',
    send: put('validation', BODY, '&phase_two=1&dry_run=true'),
    expect: { status: 403, codes: [19580] },
  },
  {
    name: 'another value',
    send: put('done'),
    expect: { status: 400, codes: [6008], pointers: ['/waf_migration'] },
  },
  {
    name: 'another phase',
    send: {
      ...put('pending'),
      path: '/zones/{zone}/rulesets/phases/http_ratelimit/entrypoint?waf_migration=1',
    },
    expect: { status: 400, codes: [19538], pointers: ['/waf_migration'] },
  },
  {
    name: 'an account has nothing to migrate',
    send: {
      ...put('pending'),
      path: '/accounts/{account}/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=1',
    },
    expect: { status: 400, codes: [19538], pointers: ['/waf_migration'] },
  },
  {
    name: 'phase one accepts only zones near the default configuration',
    send: put('pending', BODY, ''),
    expect: { status: 400, codes: [19584] },
  },
  {
    name: 'with an override, in validation',
    before: [put('validation'), override],
    send: put('pending'),
    expect: { status: 400, codes: [19583] },
  },
  ...['validation', 'pending'].map((request): Scenario => ({
    name: `${request} after the last step`,
    before: done,
    send: put(request),
    expect: { status: 400, codes: [19582] },
  })),
  {
    name: 'check after the last step',
    before: done,
    send: get('waf_migration/check?phase_two=1'),
    expect: { status: 200, result: { compatible: false, migration_state: 'done' }, messages: [19582] },
  },
  {
    name: 'config after the last step',
    before: done,
    send: get('waf_migration/config'),
    expect: { status: 400, codes: [19582] },
  },
  {
    name: 'status after the last step',
    before: done,
    send: status,
    expect: { status: 200, result: at('done', 'disabled', 'enabled') },
  },
  {
    name: 'the entry point has no restrictions after the last step',
    plan: 'pro',
    before: done,
    send: { method: 'PUT', path: ENTRY_POINT, body: OFF_BODY },
    expect: { status: 200, changes: 1 },
  },
  {
    name: 'deploy on pro',
    plan: 'pro',
    send: deploy,
    expect: { status: 200, changes: 1, result: at('done', 'disabled', 'enabled') },
  },
  {
    name: 'deploy on pro, with a firewall rule that only larger plans may write as a ruleset',
    plan: 'pro',
    before: [
      {
        method: 'POST',
        path: '/zones/{zone}/firewall/rules',
        body: [{ action: 'bypass', products: ['waf'], filter: { expression: 'http.host matches "^a"' } }],
      },
    ],
    send: deploy,
    expect: { status: 200, changes: 1, result: at('done', 'disabled', 'enabled') },
  },
  {
    name: 'deploy on enterprise',
    send: deploy,
    expect: { status: 200, changes: 1, result: at('validation', 'enabled', 'enabled') },
  },
  { name: 'deploy on free', plan: 'free', send: deploy, expect: { status: 403, codes: [19551] } },
  { name: 'deploy twice', before: [deploy], send: deploy, expect: { status: 400, codes: [19590] } },
  {
    name: 'deploy after the last step',
    plan: 'pro',
    before: [deploy],
    send: deploy,
    expect: { status: 400, codes: [19582] },
  },
  {
    name: 'deploy with an override',
    before: [override],
    send: deploy,
    expect: { status: 400, codes: [19583] },
  },
  {
    name: 'turn off after deploy',
    before: [deploy],
    send: turnOff,
    expect: { status: 200, changes: 1, result: at('done', 'disabled', 'enabled') },
  },
  { name: 'turn off before validation', send: turnOff, expect: { status: 400, codes: [19581] } },
  {
    name: 'turn off without enabled rules',
    before: [put('validation', OFF_BODY)],
    send: turnOff,
    expect: { status: 400, codes: [19589] },
  },
  {
    name: 'a firewall rule without effect is accepted with a notice',
    before: done,
    send: {
      method: 'POST',
      path: '/zones/{zone}/firewall/rules',
      body: [{ action: 'bypass', products: ['waf'], filter: { expression: 'ssl' } }],
    },
    expect: { status: 200, changes: 1, messages: [19595] },
  },
  {
    name: 'a firewall rule for another product keeps its effect',
    before: done,
    send: {
      method: 'POST',
      path: '/zones/{zone}/firewall/rules',
      body: [{ action: 'bypass', products: ['hot'], filter: { expression: 'ssl' } }],
    },
    expect: { status: 200, changes: 1 },
  },
  ...[{ id: 'waf', value: 'off' }, { id: 'disable_security' }].map((action): Scenario => ({
    name: `a page rule with ${action.id} is accepted with a notice that it has no effect`,
    before: done,
    send: {
      method: 'POST',
      path: '/zones/{zone}/pagerules',
      body: {
        targets: [{ target: 'url', constraint: { operator: 'matches', value: 'example.com/*' } }],
        actions: [action],
      },
    },
    expect: { status: 200, changes: 1, messages: [19596] },
  })),
  ...(
    [
      ['GET', 'packages'],
      ['GET', `packages/${PACKAGE_IDS.owasp}`],
      ['PATCH', `packages/${PACKAGE_IDS.owasp}`, { sensitivity: 'off' }],
      ['GET', `packages/${PACKAGE_IDS.cloudflare}/groups`],
      ['GET', `packages/${PACKAGE_IDS.cloudflare}/rules/100005`],
      ['PATCH', `packages/${PACKAGE_IDS.cloudflare}/rules/100005`, { mode: 'disable' }],
      ['GET', 'overrides'],
      ['POST', 'overrides', override.body],
      ['DELETE', `overrides/${'0'.repeat(32)}`],
    ] as const
  ).map(([method, rest, body]): Scenario => ({
    name: `gone after the last step: ${method} ${rest}`,
    before: done,
    send: { method, path: `/zones/{zone}/firewall/waf/${rest}`, ...(body === undefined ? {} : { body }) },
    expect: { status: 410, codes: [19550] },
  })),
]
scenarios('the migration of a zone', ROWS)

describe('the last step', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())
  const newZone = async (name: string, plan = 'pro') =>
    (await app.must('POST', '/zones', { name, plan: { legacy_id: plan } })).id
  const entryPoint = (zone: string) => put('pending').path.replace('{zone}', zone)

  test('is one change set: the entry point, the state and the setting', async () => {
    const zone = await newZone('one.example')
    await app.must('PUT', entryPoint(zone), BODY)
    const last = (await app.changeLog(zone)).at(-1)
    expect(last?.ops.map(({ kind }) => kind)).toEqual([
      'ruleset.create',
      'ruleset.rule_create',
      'waf_migration.update',
      'zone_setting.update',
    ])
    expect(last?.serial).toBeNull()
    const setting = await app.must<object>('GET', `/zones/${zone}/settings/waf`)
    expect(setting).toMatchObject({ value: 'off', editable: false })
  })

  test('stores a snapshot of the legacy firewall', async () => {
    const zone = await newZone('snapshot.example')
    const snapshot = `/zonereeve/zones/${zone}/waf_migration/snapshot`
    expect((await app.call({ method: 'GET', path: snapshot })).json.errors[0]?.code).toBe(19591)
    await app.must('PATCH', `/zones/${zone}/firewall/waf/packages/${PACKAGE_IDS.owasp}`, {
      sensitivity: 'low',
    })
    await app.must('POST', `/zones/${zone}/firewall/rules`, [
      { action: 'bypass', products: ['waf'], filter: { expression: 'ssl' } },
    ])
    await app.must('PUT', entryPoint(zone), BODY)
    const remaining = await app.must<object>('GET', snapshot)
    expect(remaining).toMatchObject({
      zone_id: zone,
      waf: 'on',
      packages: [
        { id: PACKAGE_IDS.cloudflare },
        { id: PACKAGE_IDS.owasp, sensitivity: 'low', action_mode: 'challenge' },
        { id: PACKAGE_IDS.user, groups: [] },
      ],
      firewall_rules: [{ action: 'bypass', products: ['waf'], filter: { expression: 'ssl' } }],
      page_rules: [],
    })
  })

  test.each([
    ['the entry point', (zone: string) => ['PUT', `${entryPoint(zone)}&dry_run=true`, BODY] as const],
    ['deploy', (zone: string) => ['POST', `${deploy.path.replace('{zone}', zone)}?dry_run=true`] as const],
  ])('can be tried in a dry run: %s', async (name, sendTo) => {
    const zone = await newZone(`dry-${name.replaceAll(' ', '-')}.example`)
    const before = await app.changeCount()
    const [method, path, body] = sendTo(zone)
    const answer = await app.call({ method, path, body })
    expect([answer.status, answer.json.messages.map(({ code }) => code)]).toEqual([200, [19030]])
    expect(await app.changeCount()).toBe(before)
    const after = await app.must('GET', status.path.replace('{zone}', zone))
    expect(after).toEqual(at('start', 'enabled', 'disabled'))
  })

  test('happens once, however many clients request it at the same time', async () => {
    const zone = await newZone('many.example', 'enterprise')
    const before = await app.changeCount()
    const asked = Array.from({ length: 24 }, (_, index) =>
      app.call({
        method: 'PUT',
        path: entryPoint(zone),
        body: { ...BODY, description: `of client ${index}` },
      }),
    )
    const statuses = (await Promise.all(asked)).map((answer) => answer.status).toSorted()
    expect(statuses).toEqual([200, ...Array.from({ length: 23 }, () => 400)])
    expect((await app.changeCount()) - before).toBe(1)
    const states = await app.storage.all(
      query.selectFrom('waf_migrations').selectAll().where('zone_id', '=', zone),
    )
    expect(states).toEqual([{ zone_id: zone, state: 'done' }])
  })

  test('leaves nothing behind when the zone is deleted', async () => {
    const zone = await newZone('gone.example')
    await app.must('PUT', entryPoint(zone), BODY)
    await app.must('DELETE', `/zones/${zone}`)
    for (const table of ['waf_migrations', 'waf_migration_snapshots'] as const)
      expect(await app.storage.all(query.selectFrom(table).selectAll().where('zone_id', '=', zone))).toEqual(
        [],
      )
  })
})
