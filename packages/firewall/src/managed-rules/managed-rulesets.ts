// The new managed rulesets as the rulesets API shows them. IDs are the published ones.
import { MANAGED_RULES } from './catalogue/registry.ts'
import type { ManagedRule } from './managed-rule.ts'

export const MANAGED_RULESET_ID = 'efb7b8c949ac4650a09736fc376e9aee'
export const OWASP_RULESET_ID = '4814384a9e5d4991b9815dcfc25d2f1f'
/** The rule of the OWASP ruleset that compares the sum of the scores with its threshold. */
export const OWASP_SCORE_RULE_ID = '6179ae15870a4bb7b2d480d4843b323c'

/** A rule as listed in its ruleset: a managed rule, or the rule that evaluates the score. */
export interface ManagedRulesetRule {
  readonly id: string
  readonly ref: string
  readonly version: string
  readonly description: string
  readonly categories: readonly string[]
  readonly action: ManagedRule['action']
  readonly enabled: boolean
  /** What a match adds to the score; null outside the OWASP ruleset and for the rule that evaluates the score. */
  readonly score: number | null
  /** For the rule that evaluates the score: the minimum sum for its action. */
  readonly scoreThreshold: number | null
  /** The rule to pass to `detect`; null for the rule that evaluates the score. */
  readonly rule: ManagedRule | null
}

export interface ManagedRuleset {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly kind: 'managed'
  readonly phase: 'http_request_firewall_managed'
  readonly version: string
  readonly lastUpdated: string
  readonly rules: readonly ManagedRulesetRule[]
}

/** Increase it with every release that changes the managed rules. */
const VERSION = '1'
const LAST_UPDATED = '2026-01-05T00:00:00.000000Z'

export const SCORE_RULE: ManagedRulesetRule = {
  id: OWASP_SCORE_RULE_ID,
  ref: 'ad0beb2fce9f149e565ee78d6e659d47',
  version: VERSION,
  description: '949110: Inbound Anomaly Score Exceeded',
  categories: [],
  action: 'block',
  enabled: true,
  score: null,
  scoreThreshold: 40,
  rule: null,
}

const toListedRule = (rule: ManagedRule): ManagedRulesetRule => ({
  id: rule.id,
  ref: rule.ref,
  version: VERSION,
  description: rule.description,
  categories: rule.categories,
  action: rule.action,
  enabled: rule.enabled,
  score: rule.score,
  scoreThreshold: null,
  rule,
})

/** Allow rules exist only in the legacy product. */
const rulesOf = (ruleset: ManagedRule['ruleset']): readonly ManagedRulesetRule[] =>
  MANAGED_RULES.filter((rule) => rule.ruleset === ruleset && rule.legacy?.kind !== 'allow').map(toListedRule)

export const MANAGED_RULESETS: readonly ManagedRuleset[] = [
  {
    id: MANAGED_RULESET_ID,
    name: 'Cloudflare Managed Ruleset',
    description: 'Rules against attacks on known applications and frameworks.',
    kind: 'managed',
    phase: 'http_request_firewall_managed',
    version: VERSION,
    lastUpdated: LAST_UPDATED,
    rules: rulesOf('managed'),
  },
  {
    id: OWASP_RULESET_ID,
    name: 'Cloudflare OWASP Core Ruleset',
    description: 'Signs of attack in any application, summed up to a score.',
    kind: 'managed',
    phase: 'http_request_firewall_managed',
    version: VERSION,
    lastUpdated: LAST_UPDATED,
    rules: [...rulesOf('owasp'), SCORE_RULE],
  },
]
