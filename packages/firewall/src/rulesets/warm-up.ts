// What is prepared before a request is decided, in small steps, so that other work can run in between.
import { requestContext } from '@zonereeve/expr'
import { runAtOnce, yieldNow } from '@zonereeve/cooperate'
import { allowBackgroundCompilation } from '../managed-rules/background-compilation.ts'
import { warmUpDetection } from '../managed-rules/detection.ts'
import type { InspectedRequest } from '../managed-rules/inspected-request.ts'
import { MANAGED_RULESET_ID, OWASP_RULESET_ID } from '../managed-rules/managed-rulesets.ts'
import { warmUpRequests } from '../managed-rules/warm-up-requests.ts'
import { compileRuleset } from './compiled-ruleset.ts'
import { evaluateRequest, type Firewall } from './evaluate-request.ts'
import type { Rule } from './ruleset.ts'

let decided: Promise<void> | undefined

/**
 * Prepares the managed rules, and decides a few ordinary requests: then the first real one takes no longer than later
 * ones. Once per process; an imported rule set that comes later is prepared before it is used.
 */
export async function warmUpDecisions(): Promise<void> {
  try {
    await warmUpDetection()
    await (decided ??= decideOrdinaryRequests())
  } catch {
    // What cannot be evaluated fails the request that needs it, and is logged there.
    decided = undefined
  }
  allowBackgroundCompilation()
}

async function decideOrdinaryRequests(): Promise<void> {
  const firewall = executingManagedRulesets()
  for (const request of warmUpRequests()) {
    await yieldNow()
    evaluateRequest(firewall, request, { isSkippedAfter: () => true })
  }
}

/** A zone that executes both managed rulesets with default settings, and has no other rules. */
export function executingManagedRulesets(): Firewall {
  const phase = 'http_request_firewall_managed'
  const execute = (id: string): Rule => ({
    id,
    version: 1,
    ref: id,
    lastUpdated: '',
    regexBytes: 0,
    definition: { action: 'execute', parameters: { id }, expression: 'true', enabled: true },
  })
  const entryPoint = compileRuleset({
    id: 'warm-up',
    owner: { level: 'zone', id: 'warm-up' },
    kind: 'zone',
    phase,
    name: 'warm-up',
    description: '',
    version: 1,
    lastUpdated: '',
    rules: [execute(MANAGED_RULESET_ID), execute(OWASP_RULESET_ID)],
  })
  return {
    entryPoints: { account: new Map(), zone: new Map([[phase, runAtOnce(entryPoint)]]) },
    custom: new Map(),
  }
}

/** Evaluates heavy rules for the request in advance: their patterns are compiled on first use and then kept. */
export async function warmUp({ entryPoints, custom }: Firewall, { facts }: InspectedRequest): Promise<void> {
  const rulesets = [...entryPoints.account.values(), ...entryPoints.zone.values(), ...custom.values()]
  for (const { rules, scheme } of rulesets) {
    const heavy = rules.filter(({ isHeavy }) => isHeavy)
    if (heavy.length === 0) continue
    const context = requestContext(scheme, facts)
    for (const rule of heavy) {
      rule.matches(context)
      await yieldNow()
    }
  }
}
