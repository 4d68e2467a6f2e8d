// Decisions over the API: the effective action while a zone migrates from the legacy rules to the new ones, and
// the recorded events.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { createFirewalls } from '../rulesets/index.ts'
import { createConfigurations } from './configurations.service.ts'
import { LEGACY_ALWAYS_ON, MANAGED_RULES, type ManagedRule } from '@zonereeve/firewall'
import { samplesOf } from '@zonereeve/firewall/managed-rules/catalogue/samples.cases.ts'

function isPlain(rule: ManagedRule): boolean {
  const { legacy, action } = rule
  const { matching } = samplesOf(rule)
  return (
    legacy?.kind === 'deny' &&
    action === 'block' &&
    legacy.defaultMode === 'block' &&
    !LEGACY_ALWAYS_ON.has(legacy.id) &&
    Object.keys(matching).every((member) => member === 'target')
  )
}

const attackRule = MANAGED_RULES.find(isPlain) ?? expect.fail('no rule')
const ATTACK = samplesOf(attackRule).matching.target ?? '/'
const CUSTOM = 'http_request_firewall_custom'

interface Decision {
  readonly ray_id: string
  readonly migration_state: string
  readonly action: string
  readonly ended_by: object | null
  readonly response: object | null
  readonly recorded: boolean
}

interface Event {
  readonly ray_id: string
  readonly action: string
  readonly path: string
}

describe('a decision', () => {
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
    const { id } = await app.must('POST', '/zones', {
      name,
      plan: { legacy_id: plan },
      account: { id: app.accountId },
    })
    names.set(id, name)
    return id
  }
  const own = (zone: string, operation: string) => `/zonereeve/zones/${zone}/${operation}`
  const urlOf = (zone: string, target: string) => `https://www.${names.get(zone)}${target}`
  const decide = (zone: string, target: string, rest: object = {}) =>
    app.must<Decision>('POST', own(zone, 'firewall/decide'), { url: urlOf(zone, target), ...rest })
  const events = (zone: string) => app.must<Event[]>('GET', own(zone, 'security/events'))
  const putRules = (zone: string, phase: string, ...rules: object[]) =>
    app.must('PUT', `/zones/${zone}/rulesets/phases/${phase}/entrypoint`, { rules })

  test('about a request that nothing matches lets it go on, and leaves no event and no change set', async () => {
    const zone = await newZone()
    const before = await app.changeCount()
    expect(await decide(zone, '/about')).toEqual({
      ray_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      migration_state: 'start',
      action: 'allow',
      ended_by: null,
      response: null,
      skipped_products: [],
      recorded: false,
    })
    expect(await events(zone)).toEqual([])
    expect(await app.changeCount()).toBe(before)
  })

  test('follows the zone from the legacy rules to the new ones, as the trace does', async () => {
    const zone = await newZone()
    const { legacy, id } = attackRule
    const both = async () => {
      const decided = await decide(zone, ATTACK)
      const { effective } = await app.must<{ effective: object }>('POST', own(zone, 'firewall/trace'), {
        url: urlOf(zone, ATTACK),
      })
      expect(effective).toMatchObject({ action: decided.action })
      return decided
    }
    expect(await both()).toMatchObject({
      migration_state: 'start',
      action: 'block',
      ended_by: { product: 'old', rule_id: legacy?.id },
      response: { status_code: 403 },
      recorded: true,
    })
    await app.must('POST', own(zone, 'waf_migration/deploy'))
    expect(await both()).toMatchObject({
      migration_state: 'validation',
      ended_by: { product: 'new', rule_id: id, level: 'zone' },
    })
    await app.must('POST', own(zone, 'waf_migration/turn_off_previous'))
    expect(await both()).toMatchObject({ migration_state: 'done', ended_by: { product: 'new', rule_id: id } })
    const [done, validation, start, ...more] = await events(zone)
    expect(more).toEqual([])
    expect([done, validation]).toEqual([
      expect.objectContaining({ source: 'firewallManaged', rule_id: id, expression: null }),
      expect.objectContaining({ source: 'firewallManaged', rule_id: id }),
    ])
    expect(start).toMatchObject({
      source: 'waf',
      rule_id: legacy?.id,
      ruleset_id: null,
      level: null,
      phase: null,
    })
  })

  test.each(['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:C000:207'])(
    'knows the client of an IPv4 rule as %s',
    async (ip) => {
      const zone = await newZone()
      await putRules(zone, CUSTOM, { action: 'block', expression: 'ip.src in {192.0.2.0/29}' })
      expect(await decide(zone, '/', { ip })).toMatchObject({ action: 'block' })
      expect(await decide(zone, '/', { ip: '192.0.2.9' })).toMatchObject({ action: 'allow' })
      expect(await events(zone)).toEqual([expect.objectContaining({ ip: '192.0.2.7' })])
    },
  )

  test.each([
    ['https://www', ':8443', 8443],
    ['https://www', '', 443],
    ['http://www', '', 80],
  ])('knows the port of %s%s: %i', async (start, end, port) => {
    const zone = await newZone()
    const url = `${start}.${names.get(zone)}${end}/`
    const decided = async (expected: number) => {
      await putRules(zone, CUSTOM, { action: 'block', expression: `cf.edge.server_port eq ${expected}` })
      return (await app.must<Decision>('POST', own(zone, 'firewall/decide'), { url })).action
    }
    expect([await decided(port), await decided(port + 1)]).toEqual(['block', 'allow'])
  })

  test('leaves out the response of a rule whose action is overridden', async () => {
    const zone = await newZone()
    const response = { status_code: 418, content_type: 'text/plain', content: 'no' }
    const custom = await app.must('POST', `/zones/${zone}/rulesets`, {
      name: 'teapots',
      kind: 'custom',
      phase: CUSTOM,
      rules: [{ action: 'block', expression: 'true', action_parameters: { response } }],
    })
    const execute = (overrides?: object) =>
      putRules(zone, CUSTOM, {
        action: 'execute',
        expression: 'true',
        action_parameters: { id: custom.id, ...(overrides === undefined ? {} : { overrides }) },
      })
    await execute()
    expect((await decide(zone, '/')).response).toEqual(response)
    await execute({ action: 'managed_challenge' })
    expect(await decide(zone, '/')).toMatchObject({ action: 'managed_challenge' })
    expect((await decide(zone, '/')).response).toEqual({ status_code: 403 })
  })

  test('reflects a change of the zone at once, and fails for a deleted zone', async () => {
    const zone = await newZone()
    expect((await decide(zone, '/x')).action).toBe('allow')
    await putRules(zone, CUSTOM, { action: 'block', expression: 'http.request.uri.path eq "/x"' })
    expect((await decide(zone, '/x')).action).toBe('block')
    await putRules(zone, CUSTOM)
    expect((await decide(zone, '/x')).action).toBe('allow')
    await app.must('PATCH', `/zones/${zone}/settings/waf`, { value: 'off' })
    expect((await decide(zone, ATTACK)).action).toBe('allow')
    await app.must('DELETE', `/zones/${zone}`)
    const gone = await app.call({
      method: 'POST',
      path: own(zone, 'firewall/decide'),
      body: { url: urlOf(zone, '/x') },
    })
    expect(gone.status).toBe(404)
  })

  test('reflects a change of the account at once, and reveals only the IDs of its rules', async () => {
    const account = await app.must('POST', '/accounts', { name: 'of decisions', type: 'enterprise' })
    const zone = await app.must('POST', '/zones', { name: 'owned.example', account: { id: account.id } })
    names.set(zone.id, 'owned.example')
    expect((await decide(zone.id, '/x')).action).toBe('allow')
    const entry = `/accounts/${account.id}/rulesets/phases/${CUSTOM}/entrypoint`
    const rule = { action: 'block', expression: 'http.request.uri.path eq "/x"', description: 'inner' }
    await app.must('PUT', entry, { rules: [rule] })
    const decided = await decide(zone.id, '/x')
    expect(decided).toMatchObject({ action: 'block', ended_by: { level: 'account', phase: CUSTOM } })
    const found = await events(zone.id)
    expect(found).toMatchObject([{ level: 'account', description: null, expression: null }])
    expect(JSON.stringify([decided, found])).not.toContain('inner')
    await app.must('PUT', entry, { rules: [] })
    expect((await decide(zone.id, '/x')).action).toBe('allow')
  })

  test('uses the same compiled configuration until something changes', async () => {
    const zone = await newZone()
    await putRules(zone, CUSTOM, { action: 'block', expression: 'http.request.uri.path eq "/x"' })
    const configurations = createConfigurations({
      storage: app.storage,
      firewalls: createFirewalls({ storage: app.storage }),
    })
    const first = await configurations.of(zone)
    await decide(zone, '/x')
    expect(await configurations.of(zone)).toBe(first)
    expect(first.deciding.conditionOf('ssl')).toBe(first.deciding.conditionOf('ssl'))
    await app.must('PATCH', `/zones/${zone}/settings/waf`, { value: 'off' })
    // As the event hub does.
    configurations.forget(zone)
    const second = await configurations.of(zone)
    expect(second).not.toBe(first)
    expect(second.legacy.wafOn).toBe(false)
    // Unchanged rulesets are not compiled again.
    const [before, after] = [first, second].map(({ deciding }) => deciding.firewall.entryPoints.zone)
    expect(after?.get(CUSTOM)).toBe(before?.get(CUSTOM))
    expect(after?.get(CUSTOM)).toBeDefined()
  })

  test('returns the response of the rule, and stores the parts of the request that events have', async () => {
    const zone = await newZone()
    const expression = 'http.request.uri.path eq "/private" and http.request.uri.query contains "token"'
    const response = { status_code: 451, content_type: 'text/plain', content: 'no' }
    await putRules(zone, CUSTOM, {
      action: 'block',
      expression,
      description: 'Nobody',
      action_parameters: { response },
    })
    const decided = await decide(zone, '/private?token=secret', {
      method: 'POST',
      ip: '2001:DB8::0001',
      headers: { cookie: 'session=secret', authorization: 'Bearer secret', 'user-agent': 'secret' },
      body: 'secret',
    })
    expect(decided).toMatchObject({
      action: 'block',
      response,
      ended_by: { description: 'Nobody', phase: CUSTOM },
    })
    const found = await events(zone)
    expect(found).toEqual([
      {
        ray_id: decided.ray_id,
        occurred_at: expect.stringMatching(/^2026-01-05T10:20:30\.\d{6}Z$/),
        action: 'block',
        source: 'firewallCustom',
        level: 'zone',
        phase: CUSTOM,
        ruleset_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        rule_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        description: 'Nobody',
        expression,
        matched_field: null,
        uninspected_field: null,
        origin_status: null,
        logged_fields: null,
        method: 'POST',
        host: `www.${names.get(zone)}`,
        path: '/private',
        ip: '2001:db8::1',
      },
    ])
    expect(JSON.stringify(found)).not.toContain('secret')
  })

  test('the match of a managed rule is stored by its field only, without names of parameters', async () => {
    const zone = await newZone()
    const attack = encodeURIComponent("1' or 1=1--")
    expect(await decide(zone, `/item?hidden=${attack}`)).toMatchObject({ action: 'block', recorded: true })
    const found = await events(zone)
    expect(found).toMatchObject([{ source: 'waf', path: '/item', matched_field: 'http.request.uri.args' }])
    expect(JSON.stringify(found)).not.toContain('hidden')
  })

  test('a part of the request that was not inspected is named', async () => {
    const zone = await newZone()
    const attack = `/item?hidden=${encodeURIComponent("1' or 1=1--")}`
    const send = (bytes: number) => decide(zone, attack, { method: 'POST', body: 'a'.repeat(bytes) })
    await send(128 * 1024)
    await send(128 * 1024 + 1)
    const [cut, whole] = await events(zone)
    expect(cut).toMatchObject({ source: 'waf', uninspected_field: 'http.request.body.raw' })
    expect(whole).toMatchObject({ source: 'waf', uninspected_field: null })
  })

  test('logged requests create events: log before skip, and skip if its logging is enabled', async () => {
    const zone = await newZone()
    const skip = (path: string, enabled: boolean) => ({
      action: 'skip',
      expression: `http.request.uri.path eq "${path}"`,
      action_parameters: { products: ['bic'] },
      logging: { enabled },
    })
    await putRules(zone, CUSTOM, skip('/a', true), skip('/b', true), skip('/c', false), {
      action: 'log',
      expression: 'http.request.uri.path eq "/a"',
    })
    const decided = []
    for (const path of ['/a', '/b', '/c']) decided.push((await decide(zone, path)).action)
    expect(decided).toEqual(['log', 'allow', 'allow'])
    expect((await events(zone)).map(({ action, path }) => [path, action])).toEqual([
      ['/b', 'skip'],
      ['/a', 'log'],
    ])
  })

  test('a redirect creates an event with its own source, and its query is not stored', async () => {
    const zone = await newZone()
    await putRules(zone, 'http_request_dynamic_redirect', {
      action: 'redirect',
      expression: 'http.request.uri.path eq "/old"',
      action_parameters: {
        from_value: { target_url: { value: 'https://www.example.com/new' }, preserve_query_string: true },
      },
    })
    expect(await decide(zone, '/old?q=1')).toMatchObject({
      action: 'redirect',
      response: { status_code: 301, location: 'https://www.example.com/new?q=1' },
    })
    expect(await events(zone)).toMatchObject([{ source: 'dynamicRedirect', path: '/old' }])
  })

  test('a rate limit is not enforced, and the response says so', async () => {
    const zone = await newZone()
    await putRules(zone, 'http_ratelimit', {
      action: 'block',
      expression: 'true',
      ratelimit: { characteristics: ['ip.src', 'cf.colo.id'], period: 60, requests_per_period: 1 },
    })
    const path = own(zone, 'firewall/decide')
    for (const _ of ['first', 'second']) {
      const { json } = await app.call<Decision>({ method: 'POST', path, body: { url: urlOf(zone, '/') } })
      expect(json.result.action).toBe('allow')
      expect(json.messages.map(({ code }) => code)).toEqual([19597])
    }
    expect(await events(zone)).toEqual([])
  })

  test('a dry run decides and records nothing', async () => {
    const zone = await newZone()
    const path = `${own(zone, 'firewall/decide')}?dry_run=true`
    const { json } = await app.call<Decision>({ method: 'POST', path, body: { url: urlOf(zone, ATTACK) } })
    expect(json.result.action).toBe('block')
    expect(await events(zone)).toEqual([])
  })

  test('all errors of the request are reported, and nothing is recorded', async () => {
    const zone = await newZone()
    const path = own(zone, 'firewall/decide')
    const send = async (body: object) => {
      const { status, json } = await app.call({ method: 'POST', path, body })
      return [status, json.errors.map(({ source }) => source?.pointer)]
    }
    const url = urlOf(zone, '/')
    expect(await send({ url: 'https://other.example/', ip: 'x' })).toEqual([400, ['/url', '/ip']])
    for (const port of [':99999', ':65536', ':0'])
      expect(await send({ url: urlOf(zone, `${port}/`) })).toEqual([400, ['/url']])
    expect(await send({ url, planned: true })).toEqual([400, ['/planned']])
    expect(await send({ url, steps: 'all' })).toEqual([400, ['/steps']])
    expect(await send({})).toEqual([400, ['/url']])
    expect(await events(zone)).toEqual([])
  })

  test('ray IDs of concurrent decisions are unique', async () => {
    const zone = await newZone()
    const decided = await Promise.all(Array.from({ length: 40 }, () => decide(zone, ATTACK)))
    const rays = new Set(decided.map(({ ray_id: ray }) => ray))
    expect(rays.size).toBe(40)
    expect(new Set((await events(zone)).map(({ ray_id: ray }) => ray))).toEqual(rays)
  })
})
