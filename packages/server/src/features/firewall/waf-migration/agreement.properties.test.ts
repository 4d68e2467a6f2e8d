// For any legacy firewall of a zone: the write succeeds exactly when the check reports no obstacles. For any
// order of requests: a zone that has completed the migration stays so.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'

const ENTRY = 'rulesets/phases/http_request_firewall_managed/entrypoint'

interface Rule {
  readonly expression: string
  readonly paused: boolean
}

interface Setup {
  readonly plan: string
  readonly phase: string
  readonly wafOn: boolean
  readonly sensitivity: string
  readonly rules: readonly Rule[]
  readonly pages: readonly { readonly url: string; readonly waf: string }[]
  readonly hasOverride: boolean
}

const expression = fc.constantFrom(
  'ssl',
  `http.host matches "(?u)${'\\pL'.repeat(30)}"`,
  'http.host matches "^a"',
  'ip.src in {192.0.2.0/24}',
  `not http.request.uri.path in {"/a" "/b"} and http.host matches "(?u)${'\\pL'.repeat(30)}"`,
  `http.host eq "${'a'.repeat(4_090)}"`,
  'cf.threat_score gt 10',
  'http.request.body.raw contains "x"',
  'cf.bot_management.score lt 30',
)
const setup: fc.Arbitrary<Setup> = fc.record({
  plan: fc.constantFrom('pro', 'business', 'enterprise', 'free'),
  phase: fc.constantFrom('', '?phase_two=1', '?phase_two=0'),
  wafOn: fc.boolean(),
  sensitivity: fc.constantFrom('high', 'medium', 'off'),
  rules: fc.uniqueArray(fc.record({ expression, paused: fc.boolean() }), {
    maxLength: 3,
    selector: (rule) => rule.expression,
  }),
  pages: fc.array(
    fc.record({ url: fc.constantFrom('*/*', 'www.a.example/*'), waf: fc.constantFrom('on', 'off') }),
    { maxLength: 2 },
  ),
  hasOverride: fc.constantFrom(false, false, false, true),
})

describe('the check and the write', () => {
  let app: TestApp
  let zones = 0
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  /** Sets up what the server accepts; what it rejects cannot be part of a configuration. */
  async function zoneWith({ plan, wafOn, sensitivity, rules, pages, hasOverride }: Setup): Promise<string> {
    zones += 1
    const name = `z${zones}.example`
    const { id } = await app.must('POST', '/zones', { name, plan: { legacy_id: plan } })
    const send = (method: string, path: string, body: unknown) =>
      app.call({ method, path: `/zones/${id}/${path}`, body })
    await send('PATCH', 'firewall/waf/packages/c504870194831cd12c3fc0284f294abb', { sensitivity })
    for (const { expression: text, paused } of rules)
      await send('POST', 'firewall/rules', [
        { action: 'bypass', products: ['waf'], paused, filter: { expression: text } },
      ])
    for (const { url, waf } of pages)
      await send('POST', 'pagerules', {
        targets: [{ target: 'url', constraint: { operator: 'matches', value: url } }],
        actions: [{ id: 'waf', value: waf }],
        status: 'active',
      })
    if (hasOverride)
      await send('POST', 'firewall/waf/overrides', { urls: [`${name}/*`], rules: { '100005': 'disable' } })
    if (!wafOn) await send('PATCH', 'settings/waf', { value: 'off' })
    return id
  }

  const stateOf = async (zone: string) =>
    (await app.must<{ migration_state: string }>('GET', `/zones/${zone}/waf_migration/status`))
      .migration_state

  test('agree', async () => {
    const seen = { able: 0, unable: 0 }
    await fc.assert(
      fc.asyncProperty(setup, async (given) => {
        const zone = await zoneWith(given)
        const { phase } = given
        const before = await app.changeCount()
        const path = `/zones/${zone}/waf_migration`
        const check = await app.call<{ compatible: boolean }>({
          method: 'GET',
          path: `${path}/check${phase}`,
        })
        expect(check.status).toBe(200)
        const isAble = check.json.result.compatible
        expect(check.json.messages.length === 0).toBe(isAble)
        const config = await app.call({ method: 'GET', path: `${path}/config${phase}` })
        // The configuration is returned for zones with overrides, too, together with the obstacles.
        if (isAble) expect(config.status).toBe(200)
        const fallback = await app.call({ method: 'GET', path: `${path}/config?phase_two=1` })
        // If there is no configuration to send, the server is requested to build and deploy one itself.
        const write = await app.call(
          fallback.status === 200
            ? {
                method: 'PUT',
                path: `/zones/${zone}/${ENTRY}?waf_migration=pending${phase.replace('?', '&')}`,
                body: fallback.json.result,
              }
            : { method: 'POST', path: `/zonereeve${path}/deploy` },
        )
        const moved = write.status === 200
        expect([moved, write.json.errors, given]).toEqual([isAble, moved ? [] : write.json.errors, given])
        expect((await app.changeCount()) - before).toBe(moved ? 1 : 0)
        seen[moved ? 'able' : 'unable'] += 1
      }),
      { numRuns: 60 },
    )
    expect(Math.min(seen.able, seen.unable)).toBeGreaterThan(0)
  })

  const EXECUTE = {
    action: 'execute',
    expression: 'true',
    action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' },
  }
  const STEPS: readonly (readonly [method: string, path: string, body?: unknown])[] = [
    ['PUT', `zones/ZONE/${ENTRY}?waf_migration=validation&phase_two=1`, { rules: [EXECUTE] }],
    ['PUT', `zones/ZONE/${ENTRY}?waf_migration=pending&phase_two=1`, { rules: [EXECUTE] }],
    ['PUT', `zones/ZONE/${ENTRY}?waf_migration=pending&phase_two=1`, { rules: [] }],
    ['PUT', `zones/ZONE/${ENTRY}`, { rules: [] }],
    ['POST', 'zonereeve/zones/ZONE/waf_migration/deploy', {}],
    ['POST', 'zonereeve/zones/ZONE/waf_migration/turn_off_previous', {}],
    ['PATCH', 'zones/ZONE/settings/waf', { value: 'on' }],
    ['PATCH', 'zones/ZONE', { plan: { legacy_id: 'pro' } }],
    ['POST', 'zones/ZONE/firewall/waf/overrides', { urls: ['a.example/*'], rules: { '100005': 'disable' } }],
    ['PATCH', 'zones/ZONE/firewall/waf/packages/c504870194831cd12c3fc0284f294abb', { sensitivity: 'low' }],
    ['POST', 'zonereeve/zones/ZONE/history/1/undo', {}],
  ]
  const ORDER = ['start', 'validation', 'done']

  test('for any requests, a zone never goes back, and after the last step the legacy rules are gone', async () => {
    const reached = new Set<string>(['start'])
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { maxLength: 10 }), async (steps) => {
        zones += 1
        const plan = { legacy_id: 'enterprise' }
        const { id } = await app.must('POST', '/zones', { name: `z${zones}.example`, plan })
        let state = await stateOf(id)
        for (const [method, path, body] of steps) {
          await app.call({ method, path: `/${path.replace('ZONE', id)}`, body })
          const next = await stateOf(id)
          expect(ORDER.indexOf(next)).toBeGreaterThanOrEqual(ORDER.indexOf(state))
          state = next
          reached.add(state)
        }
        if (state !== 'done') return
        const gone = await app.call({ method: 'GET', path: `/zones/${id}/firewall/waf/packages` })
        const waf = await app.must<{ value: string }>('GET', `/zones/${id}/settings/waf`)
        expect([gone.status, waf.value]).toEqual([410, 'off'])
      }),
      // At least one zone stays in validation, and one completes the migration.
      { numRuns: 30, examples: [[STEPS.slice(0, 1)], [STEPS.slice(1, 2)]] },
    )
    expect([...reached].toSorted()).toEqual(ORDER.toSorted())
  })
})
