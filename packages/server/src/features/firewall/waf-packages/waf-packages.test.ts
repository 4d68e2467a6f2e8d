// The legacy managed rules over HTTP: packages, groups and rules, their settings, and errors.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Send } from '../../../testing/scenarios.ts'
import { allow, makeToken } from '../../../testing/test-tokens.ts'
import { LEGACY_GROUPS, MANAGED_RULES, PACKAGE_IDS } from '@zonereeve/firewall'
import { effectiveModeOf, rulesOf } from './waf-packages.rules.ts'

const { cloudflare, owasp, user } = PACKAGE_IDS
const NOWHERE = 'f'.repeat(32)
const root = '/zones/{zone}/firewall/waf/packages'
const get = (rest = ''): Send => ({ method: 'GET', path: `${root}${rest}` })
const patch = (rest: string, body: unknown): Send => ({ method: 'PATCH', path: `${root}${rest}`, body })

const NO_CHOICES = { packages: new Map(), groups: new Map(), rules: new Map() }
const all = [...rulesOf(cloudflare, NO_CHOICES), ...rulesOf(owasp, NO_CHOICES)]
const ruleWith = (expected: (rule: (typeof all)[number]) => boolean) =>
  all.find(expected) ?? expect.fail('the catalogue has no such rule')
const deny = ruleWith(({ kind, defaultMode }) => kind === 'deny' && defaultMode === 'block')
const anomaly = ruleWith(({ kind, defaultMode }) => kind === 'anomaly' && defaultMode === 'on')
const group = LEGACY_GROUPS.find(({ id }) => id === deny.groupId) ?? expect.fail('the rule has no group')
const at = (rule: typeof deny) => `/${rule.packageId}/rules/${rule.id}`
const groupAt = `/${group.packageId}/groups/${group.id}`

test('each legacy ID is one rule, in a group of its package', () => {
  const legacy = MANAGED_RULES.flatMap((rule) => rule.legacy ?? [])
  expect(legacy.length).toBeGreaterThan(0)
  expect(new Set(legacy.map(({ id }) => id)).size).toBe(legacy.length)
  for (const { groupId, packageId } of legacy)
    expect(LEGACY_GROUPS.find(({ id }) => id === groupId)?.packageId).toBe(packageId)
})

const PAID = ['pro', 'business', 'enterprise']

scenarios('/zones/:id/firewall/waf/packages', [
  ...PAID.map((plan) => ({
    name: `the packages of a new zone of plan ${plan}`,
    plan,
    send: get(),
    expect: {
      status: 200,
      info: { page: 1, per_page: 50, total_count: 3 },
      result: [
        { id: cloudflare, detection_mode: 'traditional', status: 'active' },
        { id: owasp, detection_mode: 'anomaly', sensitivity: 'high', action_mode: 'challenge' },
        { id: user, detection_mode: 'traditional', description: null },
      ],
    },
  })),
  { name: 'none on plan free', plan: 'free', send: get(), expect: { status: 200, result: [] } },
  ...['', '/groups', '/rules'].map((rest) => ({
    name: `nothing to find on plan free: ${rest}`,
    plan: 'free',
    send: get(`/${cloudflare}${rest}`),
    expect: { status: 404, codes: [1002] },
  })),
  {
    name: 'nothing to change on plan free',
    plan: 'free',
    send: patch(`/${owasp}`, { sensitivity: 'low' }),
    expect: { status: 404, codes: [1002] },
  },
  {
    name: 'by name, in any case',
    send: get('?name=CLOUDFLARE'),
    expect: { status: 200, result: [{ id: cloudflare }] },
  },
  {
    name: 'by name in descending order, one page',
    send: get('?order=name&direction=desc&per_page=1'),
    expect: { status: 200, result: [{ id: user }], info: { total_pages: 3 } },
  },
  {
    name: 'one of them',
    send: get(`/${owasp}`),
    expect: { status: 200, result: { id: owasp, sensitivity: 'high', action_mode: 'challenge' } },
  },
  {
    name: 'sensitivity and action',
    send: patch(`/${owasp}`, { sensitivity: 'medium', action_mode: 'block' }),
    expect: { status: 200, changes: 1, result: { sensitivity: 'medium', action_mode: 'block' } },
  },
  {
    name: 'setting one of the two keeps the other',
    before: [patch(`/${owasp}`, { sensitivity: 'off' })],
    send: patch(`/${owasp}`, { action_mode: 'simulate' }),
    expect: { status: 200, changes: 1, result: { sensitivity: 'off', action_mode: 'simulate' } },
  },
  {
    name: 'the current value: no change',
    send: patch(`/${owasp}`, { sensitivity: 'high', action_mode: 'challenge' }),
    expect: { status: 200, result: { sensitivity: 'high' } },
  },
  { name: 'nothing to change', send: patch(`/${owasp}`, {}), expect: { status: 200, result: { id: owasp } } },
  ...[cloudflare, user].map((id) => ({
    name: `a package without scores: ${id}`,
    send: patch(`/${id}`, { sensitivity: 'low' }),
    expect: {
      status: 400,
      codes: [1027],
      text: 'Only anomaly WAF packages can have their package attributes updated',
    },
  })),
  ...[{ sensitivity: 'default' }, { action_mode: 'log' }, { sensitivity: null }].map((body) => ({
    name: `not a package setting: ${JSON.stringify(body)}`,
    send: patch(`/${owasp}`, body),
    expect: { status: 400, codes: [6008], pointers: [`/${Object.keys(body).join()}`] },
  })),
  ...['', '/groups', `/groups/${group.id}`, '/rules', `/rules/${deny.id}`].flatMap((rest) => [
    {
      name: `an unknown package: ${rest}`,
      send: get(`/${NOWHERE}${rest}`),
      expect: { status: 404, codes: [1002] },
    },
    {
      name: `a package with an invalid ID: ${rest}`,
      send: get(`/first${rest}`),
      expect: { status: 400, codes: [7003] },
    },
  ]),
  {
    name: 'an unknown zone',
    send: { method: 'GET', path: `/zones/${NOWHERE}/firewall/waf/packages` },
    expect: { status: 404, codes: [1001] },
  },
])

scenarios('groups', [
  {
    name: 'all of a package',
    send: get(`/${cloudflare}/groups?per_page=100`),
    expect: {
      status: 200,
      info: { total_count: LEGACY_GROUPS.filter(({ packageId }) => packageId === cloudflare).length },
    },
  },
  { name: 'of a package without any', send: get(`/${user}/groups`), expect: { status: 200, result: [] } },
  {
    name: 'one of them',
    send: get(groupAt),
    expect: {
      status: 200,
      result: {
        id: group.id,
        name: group.name,
        modified_rules_count: 0,
        package_id: group.packageId,
        mode: 'on',
        allowed_modes: ['on', 'off'],
      },
    },
  },
  {
    name: 'off',
    send: patch(groupAt, { mode: 'off' }),
    expect: { status: 200, changes: 1, result: { id: group.id, mode: 'off' } },
  },
  {
    name: 'on again',
    before: [patch(groupAt, { mode: 'off' })],
    send: patch(groupAt, { mode: 'on' }),
    expect: { status: 200, changes: 1, result: { mode: 'on' } },
  },
  {
    name: 'already on',
    send: patch(groupAt, { mode: 'on' }),
    expect: { status: 400, codes: [1019], text: 'WAF Group is already on' },
  },
  {
    name: 'already off',
    before: [patch(groupAt, { mode: 'off' })],
    send: patch(groupAt, { mode: 'off' }),
    expect: { status: 400, codes: [1020], text: 'WAF Group is already off' },
  },
  ...[{}, { mode: 'default' }, { mode: true }].map((body) => ({
    name: `no mode: ${JSON.stringify(body)}`,
    send: patch(groupAt, body),
    expect: { status: 400, codes: [6008], pointers: ['/mode'] },
  })),
  {
    name: 'counts changed rules',
    before: [patch(at(deny), { mode: 'simulate' })],
    send: get(groupAt),
    expect: { status: 200, result: { modified_rules_count: 1 } },
  },
  {
    name: 'does not count rules that were reset',
    before: [patch(at(deny), { mode: 'simulate' }), patch(at(deny), { mode: 'default' })],
    send: get(groupAt),
    expect: { status: 200, result: { modified_rules_count: 0 } },
  },
  {
    name: 'by mode',
    before: [patch(groupAt, { mode: 'off' })],
    send: get(`/${group.packageId}/groups?mode=off`),
    expect: { status: 200, result: [{ id: group.id }] },
  },
  {
    name: 'by name and a condition that does not hold: all must match',
    send: get(`/${group.packageId}/groups?name=${encodeURIComponent(group.name.toUpperCase())}&mode=off`),
    expect: { status: 200, result: [] },
  },
  {
    name: 'by name or a condition that does not hold: any match suffices',
    send: get(`/${group.packageId}/groups?name=${encodeURIComponent(group.name)}&mode=off&match=any`),
    expect: { status: 200, result: [{ id: group.id }] },
  },
  {
    name: 'of another package',
    send: get(`/${group.packageId}/groups?package_id=${NOWHERE}`),
    expect: { status: 200, result: [] },
  },
  {
    name: 'with more rules than any group has',
    send: get(`/${group.packageId}/groups?rules_count=100000`),
    expect: { status: 200, result: [] },
  },
  {
    name: 'a group of another package',
    send: get(`/${user}/groups/${group.id}`),
    expect: { status: 404, codes: [1003] },
  },
  {
    name: 'an unknown group',
    send: patch(`/${cloudflare}/groups/${NOWHERE}`, { mode: 'off' }),
    expect: { status: 404, codes: [1003] },
  },
  ...['order=name', 'direction=up', 'mode=default', 'match=some', 'rules_count=many', 'page=0'].map(
    (sent) => ({
      name: `list: ${sent}`,
      send: get(`/${cloudflare}/groups?${sent}`),
      expect: { status: 400, codes: [6008], pointers: [`/${sent.split('=')[0]}`] },
    }),
  ),
])

scenarios('rules', [
  {
    name: 'one that blocks',
    send: get(at(deny)),
    expect: {
      status: 200,
      result: {
        id: deny.id,
        priority: deny.priority,
        group: { id: group.id, name: group.name },
        package_id: deny.packageId,
        allowed_modes: ['default', 'disable', 'simulate', 'block', 'challenge'],
        mode: 'default',
        default_mode: 'block',
      },
    },
  },
  {
    name: 'one that adds to a score has no default mode',
    send: get(at(anomaly)),
    expect: {
      status: 200,
      result: { id: anomaly.id, mode: 'on', allowed_modes: ['on', 'off'] },
      text: /"mode":"on"\}/,
    },
  },
  ...['disable', 'simulate', 'block', 'challenge'].map((mode) => ({
    name: `mode ${mode}`,
    send: patch(at(deny), { mode }),
    expect: { status: 200, changes: 1, result: { id: deny.id, mode, default_mode: 'block' } },
  })),
  {
    name: 'the default again',
    before: [patch(at(deny), { mode: 'block' })],
    send: patch(at(deny), { mode: 'default' }),
    expect: { status: 200, changes: 1, result: { mode: 'default' } },
  },
  {
    name: 'the same action again is not a change',
    before: [patch(at(deny), { mode: 'simulate' })],
    send: patch(at(deny), { mode: 'simulate' }),
    expect: { status: 200, result: { mode: 'simulate' } },
  },
  {
    name: 'already disabled',
    before: [patch(at(deny), { mode: 'disable' })],
    send: patch(at(deny), { mode: 'disable' }),
    expect: { status: 400, codes: [1009], text: 'WAF Rule is already disabled' },
  },
  {
    name: 'off',
    send: patch(at(anomaly), { mode: 'off' }),
    expect: { status: 200, changes: 1, result: { mode: 'off' } },
  },
  {
    name: 'already on',
    send: patch(at(anomaly), { mode: 'on' }),
    expect: { status: 400, codes: [1008], text: 'WAF Rule is already enabled' },
  },
  {
    name: 'already off',
    before: [patch(at(anomaly), { mode: 'off' })],
    send: patch(at(anomaly), { mode: 'off' }),
    expect: { status: 400, codes: [1009] },
  },
  {
    name: 'a mode of the other kind of rule',
    send: patch(at(deny), { mode: 'on' }),
    expect: {
      status: 400,
      codes: [19556],
      pointers: ['/mode'],
      text: 'default, disable, simulate, block, challenge',
    },
  },
  {
    name: 'and the other way round',
    send: patch(at(anomaly), { mode: 'block' }),
    expect: { status: 400, codes: [19556], pointers: ['/mode'], text: 'must be one of on, off' },
  },
  ...[{}, { mode: 'log' }, { mode: null }].map((body) => ({
    name: `no mode: ${JSON.stringify(body)}`,
    send: patch(at(deny), body),
    expect: { status: 400, codes: [6008], pointers: ['/mode'] },
  })),
  ...(
    [
      ['DIS', 'disable'],
      ['SIM', 'simulate'],
      ['CHL', 'challenge'],
    ] as const
  ).map(([name, mode]) => ({
    name: `by mode ${name}, of one group`,
    before: [patch(at(deny), { mode })],
    send: get(`/${deny.packageId}/rules?mode=${name}&description=${encodeURIComponent(deny.description)}`),
    expect: { status: 200, result: [{ id: deny.id }] },
  })),
  {
    name: 'by mode BLK: the resolved default counts',
    send: get(`/${deny.packageId}/rules?mode=BLK&description=${encodeURIComponent(deny.description)}`),
    expect: { status: 200, result: [{ id: deny.id, mode: 'default' }] },
  },
  {
    name: 'rules that are off count as disabled',
    before: [patch(at(anomaly), { mode: 'off' })],
    send: get(`/${anomaly.packageId}/rules?mode=DIS&description=${encodeURIComponent(anomaly.description)}`),
    expect: { status: 200, result: [{ id: anomaly.id }] },
  },
  {
    name: 'of an unknown group',
    send: get(`/${deny.packageId}/rules?group_id=${NOWHERE}`),
    expect: { status: 200, result: [] },
  },
  {
    name: 'by a priority that no rule has, or by description',
    send: get(
      `/${deny.packageId}/rules?match=any&priority=none&description=${encodeURIComponent(deny.description.toUpperCase())}`,
    ),
    expect: { status: 200, result: [{ id: deny.id }] },
  },
  {
    name: 'a rule of another package',
    send: get(`/${owasp}/rules/${deny.id}`),
    expect: { status: 404, codes: [1004] },
  },
  {
    name: 'an unknown rule',
    send: patch(`/${cloudflare}/rules/999999`, { mode: 'block' }),
    expect: { status: 404, codes: [1004] },
  },
  {
    name: 'a rule with an invalid ID',
    send: get(`/${cloudflare}/rules/no-rule`),
    expect: { status: 400, codes: [7003] },
  },
  ...['mode=block', 'order=id', 'per_page=0', 'match=none'].map((sent) => ({
    name: `list: ${sent}`,
    send: get(`/${cloudflare}/rules?${sent}`),
    expect: { status: 400, codes: [6008], pointers: [`/${sent.split('=')[0]}`] },
  })),
])

describe('what a rule does', () => {
  test.each([
    ['default', 'on', 'block'],
    ['simulate', 'on', 'simulate'],
    ['default', 'off', 'disable'],
    ['block', 'off', 'disable'],
  ] as const)('mode %s in a group that is %s: %s', (mode, groupMode, effective) => {
    expect(effectiveModeOf({ ...deny, mode }, groupMode)).toBe(effective)
  })
  test('of rules that are on or off', () => {
    expect(effectiveModeOf(anomaly, 'on')).toBe('on')
    expect(effectiveModeOf(anomaly, 'off')).toBe('off')
  })
})

describe('beyond the tables', () => {
  let app: TestApp
  let zone: string
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    zone = (await app.must('POST', '/zones', { name: `z${crypto.randomUUID()}.example` })).id
  })
  const waf = (rest = '') => `/zones/${zone}/firewall/waf/packages${rest}`
  const rowCount = async () =>
    (await app.storage.all(query.selectFrom('waf_choices').selectAll().where('zone_id', '=', zone))).length

  test('members are in the order of the live API', async () => {
    const { text } = await app.call({ method: 'GET', path: waf(`/${owasp}`) })
    expect(text).toMatch(
      /^\{"result":\{"id":"[0-9a-f]{32}","name":"[^"]+","description":"[^"]+","zone_id":"[0-9a-f]{32}","detection_mode":"anomaly","status":"active","sensitivity":"high","action_mode":"challenge"\},"success"/,
    )
    const shown = await app.must<object>('GET', waf(groupAt))
    expect(Object.keys(shown).join()).toBe(
      'id,name,description,rules_count,modified_rules_count,package_id,mode,allowed_modes',
    )
    expect(Object.keys(await app.must<object>('GET', waf(at(deny)))).join()).toBe(
      'id,description,priority,group,package_id,allowed_modes,mode,default_mode',
    )
  })

  test('only differences from the catalogue are stored', async () => {
    await app.must('PATCH', waf(at(deny)), { mode: 'challenge' })
    await app.must('PATCH', waf(groupAt), { mode: 'off' })
    await app.must('PATCH', waf(`/${owasp}`), { sensitivity: 'low' })
    expect(await rowCount()).toBe(3)
    await app.must('PATCH', waf(at(deny)), { mode: 'default' })
    await app.must('PATCH', waf(groupAt), { mode: 'on' })
    await app.must('PATCH', waf(`/${owasp}`), { sensitivity: 'high' })
    expect(await rowCount()).toBe(0)
  })

  test('lists are sorted as requested, and pages contain each rule once', async () => {
    interface Shown {
      readonly id: string
      readonly priority: string
      readonly rules_count: number
    }
    const rules = await app.must<Shown[]>(
      'GET',
      waf(`/${cloudflare}/rules?order=priority&direction=desc&per_page=1000`),
    )
    const priorities = rules.map(({ priority }) => Number(priority))
    expect(priorities).toEqual(priorities.toSorted((a, b) => b - a))
    const seen = new Set<string>()
    for (let page = 1; seen.size < rules.length; page++) {
      const items = await app.must<Shown[]>('GET', waf(`/${cloudflare}/rules?per_page=7&page=${page}`))
      expect(items.length).toBeGreaterThan(0)
      for (const { id } of items) seen.add(id)
    }
    const groups = await app.must<Shown[]>('GET', waf(`/${cloudflare}/groups?order=rules_count&per_page=100`))
    const counts = groups.map((shown) => shown.rules_count)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(rules.length)
  })

  test('other zones are unaffected; choices are deleted with the zone, and no serial increases', async () => {
    await app.must('PATCH', waf(groupAt), { mode: 'off' })
    await app.must('PATCH', waf(at(deny)), { mode: 'block' })
    const other = (await app.must('POST', '/zones', { name: `o${crypto.randomUUID()}.example` })).id
    expect(await app.must<object>('GET', `/zones/${other}/firewall/waf/packages${groupAt}`)).toMatchObject({
      mode: 'on',
    })
    await app.must('DELETE', `/zones/${zone}`)
    const log = await app.changeLog(zone)
    expect(log.map(({ serial, ops }) => [serial === null, ops.map(({ kind }) => kind)]).slice(1)).toEqual([
      [true, ['waf_group.update']],
      [true, ['waf_rule.update']],
      [false, ['zone.delete', 'waf_group.update', 'waf_rule.update']],
    ])
    expect(await rowCount()).toBe(0)
  })

  test('a dry run shows the change and stores nothing', async () => {
    const answer = await app.call({
      method: 'PATCH',
      path: waf(`${at(deny)}?dry_run=true`),
      body: { mode: 'block' },
    })
    expect(answer.json).toMatchObject({
      result: { mode: 'block' },
      changes: [
        {
          serial: null,
          ops: [{ kind: 'waf_rule.update', before: { value: 'default' }, after: { value: 'block' } }],
        },
      ],
    })
    expect(await rowCount()).toBe(0)
  })

  test('once the zone has migrated, everything is gone permanently', async () => {
    await app.storage.write((tx) =>
      tx.run(query.insertInto('waf_migrations').values({ zone_id: zone, state: 'done' })),
    )
    const before = await app.changeCount()
    const calls: readonly (readonly [string, string, unknown?])[] = [
      ['GET', ''],
      ['GET', `/${owasp}`],
      ['PATCH', `/${owasp}`, { sensitivity: 'low' }],
      ['GET', `/${owasp}/groups`],
      ['GET', groupAt],
      ['PATCH', groupAt, { mode: 'off' }],
      ['GET', `/${owasp}/rules`],
      ['GET', at(deny)],
      ['PATCH', at(deny), { mode: 'block' }],
    ]
    for (const [method, rest, body] of calls) {
      const { status, json } = await app.call({ method, path: waf(rest), body })
      expect([method, rest, status, json.errors[0]?.code]).toEqual([method, rest, 410, 19550])
    }
    expect(await app.changeCount()).toBe(before)
  })

  test.each(['start', 'validation', 'pending'])('not yet in state %s', async (state) => {
    await app.storage.write((tx) =>
      tx.run(query.insertInto('waf_migrations').values({ zone_id: zone, state })),
    )
    expect((await app.call({ method: 'GET', path: waf() })).status).toBe(200)
  })

  test.each([
    ['GET', 'Firewall Services Read', 200],
    ['GET', 'Zone Settings Read', 403],
    ['PATCH', 'Firewall Services Write', 200],
    ['PATCH', 'Firewall Services Read', 403],
  ] as const)('%s with %s: %i', async (method, group, status) => {
    const token = await makeToken(app, [allow([group], `account.zone.${zone}`)])
    const body = method === 'PATCH' ? { body: { sensitivity: 'low' } } : {}
    expect((await app.call({ method, path: waf(`/${owasp}`), token, ...body })).status).toBe(status)
  })
})
