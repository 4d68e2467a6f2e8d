// Compiles what a request will need of heavy patterns, one rule after another, so that others need not wait for all of it.
import { requestContext } from '@zonereeve/expr'
import type { InspectedRequest } from '../managed-rules/index.ts'
import type { Firewall } from './evaluate-request.ts'

/** Asks heavy rules about the request beforehand: their patterns are compiled when they are first needed, and kept. */
export async function warmUp({ entryPoints, custom }: Firewall, { facts }: InspectedRequest): Promise<void> {
  const rulesets = [...entryPoints.account.values(), ...entryPoints.zone.values(), ...custom.values()]
  for (const { rules, scheme } of rulesets) {
    const heavy = rules.filter(({ isHeavy }) => isHeavy)
    if (heavy.length === 0) continue
    const context = requestContext(scheme, facts)
    for (const rule of heavy) {
      rule.matches(context)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
