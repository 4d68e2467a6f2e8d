// Compiles what a request will need of heavy patterns, one after another, so that others need not wait for all of them.
import { requestContext } from '@zonereeve/expr'
import { warmUpDetection, type InspectedRequest } from '../managed-rules/index.ts'
import type { Firewall } from './evaluate-request.ts'

export type WarmUp = (firewall: Firewall, request: InspectedRequest) => Promise<void>

/** To be called before an evaluation that others should not notice. Managed rules are made ready once. */
export function createWarmUp(): WarmUp {
  let managed: Promise<void> | undefined
  return async ({ entryPoints, custom }, { facts }) => {
    const rulesets = [...entryPoints.account.values(), ...entryPoints.zone.values(), ...custom.values()]
    for (const { rules, scheme } of rulesets) {
      if (rules.some(({ execution }) => execution?.managed !== undefined))
        await (managed ??= warmUpDetection())
      const heavy = rules.filter(({ isHeavy }) => isHeavy)
      if (heavy.length === 0) continue
      const context = requestContext(scheme, facts)
      // Their patterns are compiled when they are first needed, and kept.
      for (const rule of heavy) {
        rule.matches(context)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
  }
}
