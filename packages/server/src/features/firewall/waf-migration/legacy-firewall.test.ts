// The complete legacy firewall of a zone in one value.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { DEFAULT_LEGACY_CONFIGURATION, MANAGED_RULES, PACKAGE_IDS } from '@zonereeve/firewall'

const deny = MANAGED_RULES.find(({ legacy }) => legacy?.kind === 'deny')?.legacy ?? expect.fail('no rule')

describe('the legacy firewall of a zone', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())
  const newZone = async (name: string, plan = 'pro') =>
    (await app.must('POST', '/zones', { name, plan: { legacy_id: plan } })).id

  test('of a new paid zone', async () => {
    const id = await newZone('new.example')
    const before = await app.changeCount()
    const found = await app.legacyFirewall.read(id)
    expect(found).toMatchObject({
      zone: { id, plan: 'pro' },
      isMigrated: false,
      wafOn: true,
      overrides: [],
      bypassRules: [],
      pageRules: [],
      managed: DEFAULT_LEGACY_CONFIGURATION,
    })
    expect(found.packages.map((one) => [one.id, one.score])).toEqual([
      [PACKAGE_IDS.cloudflare, null],
      [PACKAGE_IDS.owasp, { sensitivity: 'high', actionMode: 'challenge' }],
      [PACKAGE_IDS.user, null],
    ])
    const rules = found.packages.flatMap(({ groups }) => groups.flatMap((group) => group.rules))
    expect(rules).toHaveLength(MANAGED_RULES.filter(({ legacy }) => legacy !== null).length)
    expect(rules.every(({ effectiveMode, defaultMode }) => effectiveMode === defaultMode)).toBe(true)
    expect(await app.changeCount()).toBe(before)
  })

  test('with every setting changed', async () => {
    const id = await newZone('set.example')
    const at = (rest: string) => `/zones/${id}/${rest}`
    const owasp = at(`firewall/waf/packages/${PACKAGE_IDS.owasp}`)
    await app.must('PATCH', at('settings/waf'), { value: 'off' })
    await app.must('PATCH', owasp, { sensitivity: 'low', action_mode: 'simulate' })
    await app.must('PATCH', at(`firewall/waf/packages/${deny.packageId}/groups/${deny.groupId}`), {
      mode: 'off',
    })
    await app.must('PATCH', at(`firewall/waf/packages/${deny.packageId}/rules/${deny.id}`), {
      mode: 'challenge',
    })
    await app.must('POST', at('firewall/waf/overrides'), {
      urls: ['set.example/*'],
      rules: { [deny.id]: 'disable' },
      rewrite_action: { block: 'simulate' },
    })
    await app.must('POST', at('firewall/rules'), [
      { action: 'block', filter: { expression: 'ssl' } },
      { action: 'bypass', products: ['waf'], filter: { expression: 'not ssl' } },
      {
        action: 'bypass',
        products: ['hot'],
        priority: 3,
        filter: { expression: 'http.host eq "a.example"' },
      },
    ])
    for (const [url, priority] of [
      ['low', 1],
      ['high', 2],
    ] as const)
      await app.must('POST', at('pagerules'), {
        targets: [{ target: 'url', constraint: { operator: 'matches', value: `set.example/${url}` } }],
        actions: [{ id: 'waf', value: 'off' }],
        priority,
      })
    const found = await app.legacyFirewall.read(id)
    expect(found.wafOn).toBe(false)
    const group = found.packages.flatMap(({ groups }) => groups).find((one) => one.id === deny.groupId)
    expect(group).toMatchObject({ mode: 'off', modifiedRuleCount: 1 })
    expect(group?.rules.find((rule) => rule.id === deny.id)).toMatchObject({
      mode: 'challenge',
      effectiveMode: 'disable',
    })
    expect(found.bypassRules.map(({ rule, filter }) => [rule.products, filter.expression])).toEqual([
      [['hot'], 'http.host eq "a.example"'],
      [['waf'], 'not ssl'],
    ])
    expect(found.pageRules.map(({ priority }) => priority)).toEqual([2, 1])
    expect(found.managed).toEqual({
      wafOn: false,
      packages: { sensitivity: 'low', actionMode: 'simulate' },
      groupModes: new Map([[deny.groupId, 'off']]),
      ruleModes: new Map([[deny.id, 'challenge']]),
      overrides: [
        {
          id: found.overrides[0]?.id,
          urls: ['set.example/*'],
          priority: 1,
          isPaused: false,
          groups: new Map(),
          rules: new Map([[deny.id, 'disable']]),
          rewriteAction: new Map([['block', 'simulate']]),
        },
      ],
    })
  })

  test('plan free never had it; a zone that has migrated says so', async () => {
    const free = await newZone('free.example', 'free')
    expect(await app.legacyFirewall.read(free)).toMatchObject({ wafOn: false, packages: [] })
    const done = await newZone('done.example')
    await app.storage.write((tx) =>
      tx.run(query.insertInto('waf_migrations').values({ zone_id: done, state: 'done' })),
    )
    expect(await app.legacyFirewall.read(done)).toMatchObject({ isMigrated: true })
    await app.must('DELETE', `/zones/${done}`)
    expect(await app.storage.all(query.selectFrom('waf_migrations').selectAll())).toEqual([])
  })

  test('an unknown zone', async () => {
    await expect(app.legacyFirewall.read('f'.repeat(32))).rejects.toThrow('zone.unknown')
  })
})
