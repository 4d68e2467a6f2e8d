// The new managed rulesets as the rulesets API shows them. IDs are the published ones.
import { coreRuleSet, type CoreRuleSet } from '../core-rule-set/core-rule-set.ts'
import { MANAGED_RULES } from './catalogue/registry.ts'
import { FLOOD_RULE, type FloodLimits } from './flood-rule.ts'
import type { ManagedRule } from './managed-rule.ts'
import { ORDINARY_RATES } from './ordinary-rates.ts'

export const MANAGED_RULESET_ID = 'efb7b8c949ac4650a09736fc376e9aee'
export const OWASP_RULESET_ID = '4814384a9e5d4991b9815dcfc25d2f1f'
export const HTTP_DDOS_RULESET_ID = '4d21379b4f9f4bb088e0729962c8b3cf'
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
  /** The rule to pass to `detect`; null for the rules that evaluate the score or a rate. */
  readonly rule: ManagedRule | null
  /** For rules that stop floods: the rates by sensitivity. */
  readonly limits?: FloodLimits
  /** For rules that decide alone: how many ordinary strings they stop. */
  readonly ordinaryStrings?: OrdinaryStrings
}

export interface OrdinaryStrings {
  readonly stopped: number
  readonly tried: number
}

export interface ManagedRuleset {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly kind: 'managed'
  readonly phase: 'http_request_firewall_managed' | 'ddos_l7'
  readonly version: string
  readonly lastUpdated: string
  readonly rules: readonly ManagedRulesetRule[]
}

/** The vendor's other managed rulesets, by ID: what is said to a rule that executes one. */
export const RULESETS_NOT_OFFERED: ReadonlyMap<string, string> = new Map([
  [
    'c2e184081120413c86c3ab7e14069605',
    'Exposed Credentials Check is not offered; use cf.waf.credential_check fields or exposed_credential_check in a custom rule',
  ],
  [
    '77454fe2d30c4220b5701f6fdfb893ba',
    'the Free Managed Ruleset is not offered; execute the Managed Ruleset instead',
  ],
  [
    'e22d83c647c64a3eae91b71b499d988e',
    'Sensitive Data Detection is not offered: edges do not inspect responses',
  ],
  [
    '70339d97bdb34195bbf054b1ebe81f76',
    'the Normalization Ruleset is not offered; set the normalization of URLs with PUT /zones/ZONE_ID/url_normalization',
  ],
])

/** Increase it with every release that changes the managed rules. */
const VERSION = '1'
const LAST_UPDATED = '2026-01-05T00:00:00.000000Z'

const SCORE_RULE: ManagedRulesetRule = {
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
  ...(rule.score === null && rule.action !== 'log' && { ordinaryStrings: ordinaryStringsOf(rule) }),
})

/** Rules that are not listed stop none. */
const ordinaryStringsOf = ({ id }: ManagedRule): OrdinaryStrings => ({
  stopped: ORDINARY_RATES.stoppedBy[id] ?? 0, // not listed
  tried: ORDINARY_RATES.tried,
})

const FLOODS: ManagedRuleset = {
  id: HTTP_DDOS_RULESET_ID,
  name: 'HTTP DDoS Attack Protection',
  description:
    'Stops clients that send more requests than any person or ordinary program does. Edges count them.',
  kind: 'managed',
  phase: 'ddos_l7',
  version: VERSION,
  lastUpdated: LAST_UPDATED,
  rules: [{ ...FLOOD_RULE, version: VERSION, score: null, scoreThreshold: null, rule: null }],
}

/** Allow rules exist only in the legacy product. */
const rulesOf = (ruleset: ManagedRule['ruleset']): readonly ManagedRulesetRule[] =>
  MANAGED_RULES.filter((rule) => rule.ruleset === ruleset && rule.legacy?.kind !== 'allow').map(toListedRule)

const MANAGED: ManagedRuleset = {
  id: MANAGED_RULESET_ID,
  name: 'Cloudflare Managed Ruleset',
  description: 'Rules against attacks on known applications and frameworks.',
  kind: 'managed',
  phase: 'http_request_firewall_managed',
  version: VERSION,
  lastUpdated: LAST_UPDATED,
  rules: rulesOf('managed'),
}

/** Stands in for the Core Rule Set until that is imported. */
const OWASP_LIKE: ManagedRuleset = {
  id: OWASP_RULESET_ID,
  name: 'Zonereeve OWASP-like Ruleset',
  description:
    'Signs of attack in any application, summed up to a score. These rules are not the OWASP Core Rule Set; import that with zonereeve crs import.',
  kind: 'managed',
  phase: 'http_request_firewall_managed',
  version: VERSION,
  lastUpdated: LAST_UPDATED,
  rules: [...rulesOf('owasp'), SCORE_RULE],
}

/** The rulesets with the rules of this program alone. */
export const BUILT_IN_RULESETS: readonly ManagedRuleset[] = [MANAGED, OWASP_LIKE, FLOODS]

let imported: { readonly from: CoreRuleSet; readonly rulesets: readonly ManagedRuleset[] } | undefined

/** The rulesets in use: the second one is the Core Rule Set if it was imported. */
export function managedRulesets(): readonly ManagedRuleset[] {
  const core = coreRuleSet()
  if (core === undefined) return BUILT_IN_RULESETS
  if (imported?.from !== core) imported = { from: core, rulesets: [MANAGED, owaspRuleset(core), FLOODS] }
  return imported.rulesets
}

function owaspRuleset({ version, rules }: CoreRuleSet): ManagedRuleset {
  const listed = numberOfVersion(version)
  return {
    ...OWASP_LIKE,
    name: 'Cloudflare OWASP Core Ruleset',
    description: `OWASP Core Rule Set ${version}, imported. Its own default is a score threshold of 5.`,
    version: listed,
    rules: [...rules.map(toListedRule), SCORE_RULE].map((rule) => ({ ...rule, version: listed })),
  }
}

/** The API's versions are whole numbers: 3.3.4 is 30304. */
function numberOfVersion(version: string): string {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map((part) => Number.parseInt(part, 10))
  const number = major * 10_000 + minor * 100 + patch
  return Number.isNaN(number) || number < 1 ? VERSION : String(number)
}
