// Traces of every rule of the catalogue over the API: the matching sample is found by the rule in both
// products, the passing one in neither. All rules are enabled and only log, so that no rule hides a later one.
import { decodeUtf8 } from '@zonereeve/expr'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '@zonereeve/platform'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { MANAGED_RULES, MANAGED_RULESET_ID, OWASP_RULESET_ID, type ManagedRule } from '@zonereeve/firewall'
import {
  bodyOfSample,
  factsOfSample,
  type RequestSample,
} from '@zonereeve/firewall/managed-rules/request-sample.cases.ts'
import { samplesOf } from '@zonereeve/firewall/managed-rules/catalogue/samples.cases.ts'

interface Trace {
  readonly new: { readonly steps: readonly { readonly rule_id: string; readonly outcome: string }[] }
  readonly old: { readonly matches: readonly { readonly rule_id: string }[] }
}

const execute = (id: string, overrides: object) => ({
  action: 'execute',
  expression: 'true',
  action_parameters: { id, overrides },
})
const ENTRY_POINT = {
  rules: [
    execute(MANAGED_RULESET_ID, { action: 'log', enabled: true }),
    execute(OWASP_RULESET_ID, { enabled: true }),
  ],
}
const TELLING = { deny: 'simulate', anomaly: 'on', allow: 'off' } as const
/** Rules that cannot be traced, since no zone gets such requests: those without a host of the zone, and HTTP/0.9. */
const NOT_ASKABLE = new Set(['1900901', '1900902', '1901003'])

describe('traces of the samples of the catalogue', () => {
  let app: TestApp
  let zone: string
  beforeAll(async () => {
    app = await startTestApp()
    zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
    for (const { legacy } of MANAGED_RULES)
      if (legacy !== null && legacy.defaultMode !== TELLING[legacy.kind])
        await app.wafPackages.editRule(zone, legacy.packageId, legacy.id, TELLING[legacy.kind], SYSTEM)
    await app.must(
      'PUT',
      `/zones/${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`,
      ENTRY_POINT,
    )
  })
  afterAll(() => app.close())

  /** Which of the rule's two versions matched the request. */
  async function found({ id, legacy }: ManagedRule, sample: RequestSample) {
    const body = { ...asked(sample), steps: 'matched' }
    const trace = await app.must<Trace>('POST', `/zonereeve/zones/${zone}/firewall/trace`, body)
    return {
      new: trace.new.steps.some((step) => step.rule_id === id && step.outcome === 'matched'),
      old: trace.old.matches.some((match) => match.rule_id === legacy?.id),
    }
  }

  const named = MANAGED_RULES.map((rule) => [rule.legacy?.id ?? rule.id, rule] as const).filter(
    ([id]) => !NOT_ASKABLE.has(id),
  )
  test('all but three rules are traced', () => {
    expect(named).toHaveLength(MANAGED_RULES.length - NOT_ASKABLE.size)
  })

  test.each(named)('%s', async (_, rule) => {
    const { legacy } = rule
    const samples = samplesOf(rule)
    const isAllow = legacy?.kind === 'allow'
    const turn = (mode: 'on' | 'off') =>
      app.wafPackages.editRule(zone, legacy?.packageId ?? '', legacy?.id ?? '', mode, SYSTEM)
    if (isAllow) await turn('on')
    expect(await found(rule, samples.matching)).toEqual({ new: !isAllow, old: legacy !== null })
    expect(await found(rule, samples.passing)).toEqual({ new: false, old: false })
    if (isAllow) await turn('off')
  })
})

/** The sample as the body of a trace: for a host of the zone. */
function asked(sample: RequestSample): object {
  const facts = factsOfSample(sample)
  const headers: Record<string, string> = {}
  for (const [name, value] of facts.headers) headers[decodeUtf8(name)] = decodeUtf8(value)
  return {
    method: facts.method,
    // Clients encode spaces; the samples keep them readable.
    url: `https://${decodeUtf8(facts.host)}${decodeUtf8(facts.target).replaceAll(' ', '%20')}`,
    http_version: facts.version,
    headers,
    body_base64: Buffer.from(bodyOfSample(sample)).toString('base64'),
    ...(sample.ip === undefined ? {} : { ip: sample.ip }),
  }
}
