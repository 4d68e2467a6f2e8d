// Traces over the API: the rulesets rule by rule, the legacy rules, and the effective action.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { createConfigurations } from '../firewall-decisions/index.ts'
import { createFirewalls } from '../rulesets/index.ts'
import { createBothTraces } from './firewall-trace.service.ts'
import { LEGACY_ALWAYS_ON, MANAGED_RULES, type ManagedRule } from '@zonereeve/firewall'
import { samplesOf } from '@zonereeve/firewall/managed-rules/catalogue/samples.cases.ts'

const PHASE = 'http_request_firewall_managed'

interface Trace {
  readonly migration_state: string
  readonly effective: { readonly action: string; readonly by: string | null; readonly rule_id: string | null }
  readonly new: { readonly action: string }
  readonly old: {
    readonly inactive: string | null
    readonly action: string
    readonly rule_id: string | null
  }
}

function isPlain(rule: ManagedRule): boolean {
  const { legacy, action } = rule
  const { matching } = samplesOf(rule)
  return (
    legacy?.kind === 'deny' &&
    action === 'block' &&
    legacy.defaultMode === 'block' &&
    !LEGACY_ALWAYS_ON.has(legacy.id) &&
    matching.body === undefined &&
    matching.octets === undefined &&
    matching.method === undefined &&
    matching.headers === undefined
  )
}

const attackRule = MANAGED_RULES.find(isPlain) ?? expect.fail('no rule')
const attack = { url: `https://www.example.com${samplesOf(attackRule).matching.target ?? '/'}` }
const harmless = { url: 'https://www.example.com/about' }
const skip = (parameters: object, expression = 'true') => ({
  action: 'skip',
  expression,
  action_parameters: parameters,
})

describe('a trace', () => {
  let app: TestApp
  let zones = 0
  const names = new Map<string, string>()
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  const newZone = async (plan = 'enterprise') => {
    zones += 1
    const name = `z${zones}.example`
    const { id } = await app.must('POST', '/zones', { name, plan: { legacy_id: plan } })
    names.set(id, name)
    return id
  }
  const trace = (zone: string, { url, ...rest }: { readonly url: string }) =>
    app.must<Trace>('POST', `/zonereeve/zones/${zone}/firewall/trace`, {
      url: url.replace('www.example.com', names.get(zone) ?? ''),
      ...rest,
    })

  test('of a harmless request reports no match, and changes nothing', async () => {
    const zone = await newZone()
    const before = await app.changeCount()
    expect(await trace(zone, harmless)).toMatchObject({
      migration_state: 'start',
      effective: { action: 'allow', by: null, rule_id: null },
      new: { action: 'allow', steps: [] },
      old: { inactive: null, action: 'pass', rule_id: null },
    })
    expect(await app.changeCount()).toBe(before)
  })

  test('of an attack follows the zone from the legacy rules to the new ones', async () => {
    const zone = await newZone()
    const { legacy, id } = attackRule
    expect(await trace(zone, attack)).toMatchObject({
      effective: { action: 'block', by: 'old', rule_id: legacy?.id },
      new: { action: 'allow' },
    })
    await app.must('POST', `/zonereeve/zones/${zone}/waf_migration/deploy`)
    expect(await trace(zone, attack)).toMatchObject({
      migration_state: 'validation',
      effective: { action: 'block', by: 'new', rule_id: id },
      old: { action: 'block', rule_id: legacy?.id, inactive: null },
    })
    await app.must('POST', `/zonereeve/zones/${zone}/waf_migration/turn_off_previous`)
    expect(await trace(zone, attack)).toMatchObject({
      migration_state: 'done',
      effective: { action: 'block', by: 'new', rule_id: id },
      old: { action: 'pass', rule_id: null, inactive: 'migrated' },
    })
  })

  test('of many requests lists those that both versions decide differently, and changes nothing', async () => {
    const zone = await newZone()
    const name = names.get(zone) ?? expect.fail('no name')
    const before = await app.changeCount()
    const requests = [harmless, attack, { url: 'https://elsewhere.example/' }, { ...harmless, ip: 'x' }].map(
      (request) => ({ ...request, url: request.url.replace('www.example.com', name) }),
    )
    const compare = (body: object) =>
      app.call({ method: 'POST', path: `/zonereeve/zones/${zone}/firewall/compare`, body })
    const rejected = [
      {
        index: 2,
        problems: [`The request to trace is invalid: the host of url must be ${name} or a name below it`],
      },
      { index: 3, problems: ['The request to trace is invalid: ip must be an IP address'] },
    ]
    // As migrated, both block it; without the new rules only the legacy ones do.
    expect((await compare({ requests, planned: true })).json.result).toEqual({
      compared: 2,
      differences: [],
      rejected,
    })
    expect((await compare({ requests })).json.result).toEqual({
      compared: 2,
      differences: [
        {
          index: 1,
          old: { action: 'block', rule_id: attackRule.legacy?.id, description: attackRule.description },
          new: { action: 'allow', rule_id: null, description: null },
        },
      ],
      rejected,
    })
    for (const refused of [[], Array.from({ length: 201 }, () => harmless)])
      expect((await compare({ requests: refused })).status).toBe(400)
    expect(await app.changeCount()).toBe(before)
  })

  test.each(Array.from({ length: 12 }, (_, before) => [before]))(
    'reads one snapshot: the rules move to the new product before read %i of the configuration',
    async (before) => {
      const zone = await newZone('pro')
      let reads = 0
      const moving = <Result>(read: () => Promise<Result>): Promise<Result> =>
        reads++ === before
          ? app.must('POST', `/zonereeve/zones/${zone}/waf_migration/deploy`).then(read)
          : read()
      const storage: Storage = {
        ...app.storage,
        all: (query) => moving(() => app.storage.all(query)),
        first: (query) => moving(() => app.storage.first(query)),
      }
      const configurations = createConfigurations({ storage, firewalls: createFirewalls({ storage }) })
      const { trace: traceBoth } = createBothTraces({ clock: app.clock, configurations })
      const described = {
        url: attack.url.replace('www.example.com', names.get(zone) ?? ''),
        method: 'GET',
        version: 'HTTP/1.1',
        headers: {},
        body: undefined,
        bodyBase64: undefined,
        ip: '192.0.2.1',
      }
      const { current, previous, effective } = await traceBoth(zone, described, true, false)
      expect(reads).toBeGreaterThan(before)
      const isMoved = current.action === 'block'
      expect(previous.inactive).toEqual(isMoved ? { reason: 'migrated' } : null)
      expect(effective).toMatchObject({ action: 'block', by: isMoved ? 'new' : 'old' })
    },
  )

  test('can use the rules that the migration would deploy, and changes nothing', async () => {
    const zone = await newZone('pro')
    const before = await app.changeCount()
    const planned = { ...attack, planned: true }
    expect(await trace(zone, planned)).toMatchObject({
      migration_state: 'start',
      effective: { action: 'block', by: 'new', rule_id: attackRule.id },
      new: { action: 'block' },
      old: { action: 'block', rule_id: attackRule.legacy?.id },
    })
    expect(await app.changeCount()).toBe(before)
  })

  test('why the legacy rules do not act', async () => {
    const inactive = async (plan: string, ...given: [method: string, path: string, body: unknown][]) => {
      const zone = await newZone(plan)
      for (const [method, path, body] of given) await app.must(method, `/zones/${zone}/${path}`, body)
      const { old, effective } = await trace(zone, attack)
      return [old.inactive, effective.action]
    }
    const pageRule = (value: string, url = '*/*') => ({
      targets: [{ target: 'url', constraint: { operator: 'matches', value: url } }],
      actions: [{ id: 'waf', value }],
      status: 'active',
    })
    const bypass = { action: 'bypass', products: ['waf'], filter: { expression: 'ssl' } }
    expect(await inactive('free')).toEqual(['plan', 'allow'])
    expect(await inactive('pro', ['PATCH', 'settings/waf', { value: 'off' }])).toEqual(['setting', 'allow'])
    expect(await inactive('pro', ['POST', 'pagerules', pageRule('off')])).toEqual(['page_rule', 'allow'])
    expect(await inactive('pro', ['POST', 'pagerules', pageRule('off', 'other.example.com/*')])).toEqual([
      null,
      'block',
    ])
    const on = ['POST', 'pagerules', pageRule('on')] as [string, string, unknown]
    expect(await inactive('pro', ['PATCH', 'settings/waf', { value: 'off' }], on)).toEqual([null, 'block'])
    expect(await inactive('pro', ['POST', 'firewall/rules', [bypass]])).toEqual(['firewall_rule', 'allow'])
    expect(await inactive('pro', ['POST', 'firewall/rules', [{ ...bypass, paused: true }]])).toEqual([
      null,
      'block',
    ])
    const entry = `rulesets/phases/${PHASE}/entrypoint`
    expect(await inactive('pro', ['PUT', entry, { rules: [skip({ products: ['waf'] })] }])).toEqual([
      'skip_rule',
      'allow',
    ])
  })
})
