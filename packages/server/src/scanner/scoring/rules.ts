// Shapes of hostile scripts that people who looked at many of them know. A proof decides alone; a sign decides with another one of the
// same kind, or where the model agrees: what one honest script does for a reason of its own, is no reason to condemn all that do it.
import type { Evidence, Finding, Head, Rule } from './evidence.ts'
import { HARVEST_RULES } from './harvest-rules.ts'
import { LURE_RULES } from './lure-rules.ts'
import { MALWARE_RULES } from './malware-rules.ts'
import { MINER_RULES } from './miner-rules.ts'

const RULES: readonly Rule[] = [...MINER_RULES, ...HARVEST_RULES, ...MALWARE_RULES, ...LURE_RULES]

/** A rule with what it found. */
export interface Match extends Finding {
  readonly rule: Rule
}

/** What the rules find. */
export function matchRules(evidence: Evidence): readonly Match[] {
  return RULES.flatMap((rule) => {
    const found = rule.find(evidence)
    return found === null ? [] : [{ rule, ...found }]
  })
}

/** With a score of the model below it, a single sign decides. */
const AGREES_BELOW = 20

/** Whether matches decide that a script does a kind of harm. `modelScore`: 1 (certainly) to 99 (certainly not), of that kind. */
export function decides(matches: readonly Match[], head: Head, modelScore: number): boolean {
  const own = matches.filter(({ rule }) => rule.head === head)
  if (own.some(({ strength }) => strength === 'proof') || own.length > 1) return true
  return own.length === 1 && modelScore < AGREES_BELOW
}
