// Compiles the heavy patterns that a request will need, one rule after another, so that other work can run in
// between.
import { requestContext } from '@zonereeve/expr'
import type { InspectedRequest } from '../managed-rules/inspected-request.ts'
import type { Firewall } from './evaluate-request.ts'
import { yieldNow } from '@zonereeve/cooperate'

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
