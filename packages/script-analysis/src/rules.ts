// Known patterns of hostile scripts. A conclusive finding decides alone; a suggestive one decides together with
// another one of the same class, or if the model agrees, because a harmless script may have its own reason for a
// single one.
import type { Evidence, Finding, ScriptClass, Rule } from './evidence.ts'
import { SKIMMING_RULES } from './skimming-rules.ts'
import { PHISHING_RULES } from './phishing-rules.ts'
import { MALWARE_RULES } from './malware-rules.ts'
import { THEFT_RULES } from './theft-rules.ts'
import { MINER_RULES } from './miner-rules.ts'
import { WALLET_RULES } from './wallet-rules.ts'

const RULES: readonly Rule[] = [
  ...MINER_RULES,
  ...SKIMMING_RULES,
  ...MALWARE_RULES,
  ...THEFT_RULES,
  ...PHISHING_RULES,
  ...WALLET_RULES,
]

/** A rule with its finding. */
export interface Match extends Finding {
  readonly rule: Rule
}

/**
 * The findings of all rules. For a session recorder, which records fields by design, that alone is only suggestive.
 */
export function matchRules(evidence: Evidence, isRecorder = false): readonly Match[] {
  return RULES.flatMap((rule) => {
    const found = rule.find(evidence)
    if (found === null) return []
    const strength = isRecorder && rule.id === 'fields-harvested' ? 'sign' : found.strength
    return [{ rule, found: found.found, strength }]
  })
}

const CLASSES: readonly ScriptClass[] = ['magecart', 'cryptomining', 'malware']
const MANY_FINDINGS = 4

/** Names of the features of rules, in the order of ruleValues. */
export const RULE_NAMES: readonly string[] = [
  ...RULES.map(({ id }) => `rule ${id}`),
  ...CLASSES.map((head) => `findings of ${head}`),
  'findings',
]

const valueOf = (match: Match | undefined): number =>
  match === undefined ? 0 : match.strength === 'proof' ? 1 : 0.5

/**
 * For each rule 1 for a conclusive finding, a half for a suggestive one, otherwise 0. For each class its strongest
 * finding, because single rules are rare. Then how many there are.
 */
export function ruleValues(matches: readonly Match[]): readonly number[] {
  const strongest = (head: ScriptClass): number =>
    Math.max(0, ...matches.filter(({ rule }) => rule.head === head).map(valueOf))
  return [
    ...RULES.map((rule) => valueOf(matches.find((one) => one.rule === rule))),
    ...CLASSES.map(strongest),
    Math.min(1, matches.length / MANY_FINDINGS),
  ]
}

/** If the model's score is below this, a single suggestive finding decides. */
export const AGREES_BELOW = 20

/**
 * Whether findings decide that a script does a class of harm; for a recorder only conclusive ones do. `modelScore`: 1
 * (certainly) to 99 (certainly not), of that class.
 */
export function decides(
  matches: readonly Match[],
  scriptClass: ScriptClass,
  modelScore: number,
  isRecorder = false,
): boolean {
  const own = matches.filter(({ rule }) => rule.head === scriptClass)
  if (own.some(({ strength }) => strength === 'proof')) return true
  if (isRecorder) return false
  return own.length > 1 || (own.length === 1 && modelScore < AGREES_BELOW)
}
