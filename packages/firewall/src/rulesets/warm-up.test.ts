// Heavy patterns do not block other work.
import { runAtOnce } from '@zonereeve/cooperate'
import { describe, expect, test, vi } from 'vitest'
import { evaluateRequest } from './evaluate-request.ts'
import { firewallOf, requestFor, rulesetOf, type ShortRuleset } from './firewall.cases.ts'
import { compileRuleset } from './compiled-ruleset.ts'
import { warmUp } from './warm-up.ts'

const heavy: ShortRuleset = {
  id: 'zone',
  level: 'zone',
  phase: 'http_request_firewall_custom',
  rules: ['a', 'b', 'c'].map((id) => ({
    id,
    action: 'log',
    expression: `http.request.uri.path matches "(?u)^/${id}\\\\pL"`,
  })),
}

describe('heavy rules', () => {
  test('are those with large automatons', () => {
    const ruleset = rulesetOf(heavy)
    const sized = {
      ...ruleset,
      rules: ruleset.rules.map((rule, index) => ({ ...rule, regexBytes: index * 16_384 })),
    }
    expect(runAtOnce(compileRuleset(sized)).rules.map(({ isHeavy }) => isHeavy)).toEqual([false, false, true])
  })

  test('are compiled with turns of the event loop in between, and decide as before', async () => {
    const ruleset = rulesetOf(heavy)
    const rules = ruleset.rules.map((rule) => ({ ...rule, regexBytes: 100_000 }))
    const large = runAtOnce(compileRuleset({ ...ruleset, rules }))
    const firewall = {
      ...firewallOf([]),
      entryPoints: { account: new Map(), zone: new Map([[large.phase, large] as const]) },
    }
    const request = requestFor('/bé')
    let turns = 0
    let isDone = false
    const count = (): void => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await warmUp(firewall, request)
    isDone = true
    expect(turns).toBeGreaterThanOrEqual(heavy.rules.length)
    expect(evaluateRequest(firewall, request).steps).toEqual(
      evaluateRequest(firewallOf([heavy]), request).steps,
    )
  })
})

test('a failure while warming up fails nothing else, and the next one starts again', async () => {
  const requests = vi.fn<() => readonly []>(() => [])
  requests.mockImplementationOnce(() => {
    throw new Error('a list cannot be read')
  })
  // The state is that of the process: other tests must not have warmed it up.
  vi.resetModules()
  vi.doMock('../managed-rules/warm-up-requests.ts', () => ({ warmUpRequests: requests }))
  try {
    const { warmUpDecisions } = await import('./warm-up.ts')
    await expect(warmUpDecisions()).resolves.toBeUndefined()
    expect(requests).toHaveBeenCalledTimes(1)
    await warmUpDecisions()
    await warmUpDecisions()
    expect(requests).toHaveBeenCalledTimes(2)
  } finally {
    vi.doUnmock('../managed-rules/warm-up-requests.ts')
    vi.resetModules()
  }
})
