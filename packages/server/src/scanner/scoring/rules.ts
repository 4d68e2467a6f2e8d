// Shapes of hostile scripts that people who looked at many of them know. A proof decides alone; a sign decides with another one of the
// same kind, or where the model agrees: what one honest script does for a reason of its own, is no reason to condemn all that do it.
import type { Evidence, Finding, Head, Rule } from './evidence.ts'
import { HARVEST_RULES } from './harvest-rules.ts'
import { LURE_RULES } from './lure-rules.ts'
import { MALWARE_RULES } from './malware-rules.ts'
import { MINER_RULES } from './miner-rules.ts'
import { WALLET_RULES } from './wallet-rules.ts'

const RULES: readonly Rule[] = [
  ...MINER_RULES,
  ...HARVEST_RULES,
  ...MALWARE_RULES,
  ...LURE_RULES,
  ...WALLET_RULES,
]

/** A rule with what it found. */
export interface Match extends Finding {
  readonly rule: Rule
}

/** What the rules find. Of a recorder, which takes fields for what it is, that alone is no more than a sign. */
export function matchRules(evidence: Evidence, isRecorder = false): readonly Match[] {
  return RULES.flatMap((rule) => {
    const found = rule.find(evidence)
    if (found === null) return []
    const strength = isRecorder && rule.id === 'fields-harvested' ? 'sign' : found.strength
    return [{ rule, found: found.found, strength }]
  })
}

/** With a score of the model below it, a single sign decides. */
const AGREES_BELOW = 20

/**
 * Whether matches decide that a script does a kind of harm; over a recorder, proofs alone do.
 * `modelScore`: 1 (certainly) to 99 (certainly not), of that kind.
 */
export function decides(
  matches: readonly Match[],
  head: Head,
  modelScore: number,
  isRecorder = false,
): boolean {
  const own = matches.filter(({ rule }) => rule.head === head)
  if (own.some(({ strength }) => strength === 'proof')) return true
  if (isRecorder) return false
  return own.length > 1 || (own.length === 1 && modelScore < AGREES_BELOW)
}
