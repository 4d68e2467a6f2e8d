// Every rule of the catalogue, by traces over the API: its matching request is found by the rule in both products, its
// passing one in neither. All rules are on and only tell, so that none keeps a later one from being asked.
import { decodeUtf8 } from '@zonereeve/expr'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../platform/actor.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import {
  bodyOfSample,
  factsOfSample,
  MANAGED_RULES,
  MANAGED_RULESET_ID,
  OWASP_RULESET_ID,
  type ManagedRule,
  type RequestSample,
} from '../managed-rules/index.ts'

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
/** What a trace cannot be asked about, since no zone gets it: requests for no host of the zone, and of HTTP/0.9. */
const NOT_ASKABLE = new Set(['1900901', '1900902', '1901003'])

describe('a trace finds what a rule is for', () => {
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

  /** Which of the rule's two forms matched the request. */
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
  test('all but three rules are asked about', () => {
    expect(named).toHaveLength(MANAGED_RULES.length - NOT_ASKABLE.size)
  })

  test.each(named)('%s', async (_, rule) => {
    const { legacy, samples } = rule
    const isAllow = legacy?.kind === 'allow'
    const turn = (mode: 'on' | 'off') =>
      app.wafPackages.editRule(zone, legacy?.packageId ?? '', legacy?.id ?? '', mode, SYSTEM)
    if (isAllow) await turn('on')
    expect(await found(rule, samples.matching)).toEqual({ new: !isAllow, old: legacy !== null })
    expect(await found(rule, samples.passing)).toEqual({ new: false, old: false })
    if (isAllow) await turn('off')
  })
})

/** The sample as a trace is asked for it: for a host of the zone. */
function asked(sample: RequestSample): object {
  const facts = factsOfSample(sample)
  const headers: Record<string, string> = {}
  for (const [name, value] of facts.headers) headers[decodeUtf8(name)] = decodeUtf8(value)
  return {
    method: facts.method,
    // Clients write spaces so; the samples keep them readable.
    url: `https://${decodeUtf8(facts.host)}${decodeUtf8(facts.target).replaceAll(' ', '%20')}`,
    http_version: facts.version,
    headers,
    body_base64: Buffer.from(bodyOfSample(sample)).toString('base64'),
    ...(sample.ip === undefined ? {} : { ip: sample.ip }),
  }
}
