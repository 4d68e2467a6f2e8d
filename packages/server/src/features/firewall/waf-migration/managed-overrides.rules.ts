// Converts a zone's settings of the legacy managed rules to overrides of the new rulesets: only what differs.
import {
  MANAGED_RULES,
  OWASP_SCORE_RULE_ID,
  PACKAGE_IDS,
  type LegacyActionMode,
  type LegacyRuleMode,
  type LegacySensitivity,
  type ManagedRule,
} from '@zonereeve/firewall'
import type { LegacyFirewall, LegacyRule } from './legacy-firewall.ts'

export interface RuleOverride {
  readonly id: string
  readonly action: Exclude<ManagedRule['action'], 'score'>
  readonly enabled: boolean
}

/** Paranoia level and threshold for each sensitivity. A zone that never set one has `high`. */
export const SENSITIVITY_LEVELS: Readonly<
  Record<Exclude<LegacySensitivity, 'off'>, { readonly level: number; readonly threshold: number }>
> = {
  high: { level: 2, threshold: 40 },
  medium: { level: 1, threshold: 25 },
  low: { level: 1, threshold: 40 },
}

const MAX_LEVEL = 4

export const NEW_ACTIONS: Readonly<Record<LegacyActionMode, RuleOverride['action']>> = {
  simulate: 'log',
  block: 'block',
  challenge: 'managed_challenge',
}

const NEW_RULES: ReadonlyMap<string, ManagedRule> = new Map(
  MANAGED_RULES.flatMap((rule) => (rule.legacy?.kind === 'deny' ? [[rule.legacy.id, rule] as const] : [])),
)

/** Overrides for rules of the package CloudFlare that differ from the new rules, sorted by their new IDs. */
export function managedOverrides({ packages }: LegacyFirewall): RuleOverride[] {
  return rulesIn(packages, PACKAGE_IDS.cloudflare)
    .flatMap(overrideOf)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function overrideOf({ id, effectiveMode }: LegacyRule): RuleOverride[] {
  const rule = NEW_RULES.get(id)
  if (rule === undefined || rule.action === 'score') return []
  const action = isActionMode(effectiveMode) ? NEW_ACTIONS[effectiveMode] : undefined
  // A disabled rule keeps its action.
  const desired = { action: action ?? rule.action, enabled: action !== undefined }
  const isDefault = desired.enabled === rule.enabled && (!desired.enabled || desired.action === rule.action)
  return isDefault ? [] : [{ id: rule.id, ...desired }]
}

const isActionMode = (mode: LegacyRuleMode): mode is LegacyActionMode => Object.hasOwn(NEW_ACTIONS, mode)

/** `action_parameters.overrides` of the new OWASP ruleset; null if the legacy package is off. */
export function owaspOverrides({ managed: { packages } }: LegacyFirewall) {
  if (packages.sensitivity === 'off') return null
  const { level, threshold } = SENSITIVITY_LEVELS[packages.sensitivity]
  const stricter = Array.from({ length: MAX_LEVEL - level }, (_, index) => level + index + 1)
  return {
    categories: stricter.map((each) => ({ category: `paranoia-level-${each}`, enabled: false })),
    rules: [
      { id: OWASP_SCORE_RULE_ID, action: NEW_ACTIONS[packages.actionMode], score_threshold: threshold },
    ],
  }
}

export interface LeftOut {
  /** Enabled rules that let requests pass: the new rulesets have no such rules. */
  readonly allowRules: readonly string[]
  /** Changed groups and rules of the OWASP package. */
  readonly owasp: readonly string[]
}

/** Settings without a counterpart in the new rulesets. */
export function leftOut({ packages }: LegacyFirewall): LeftOut {
  const owasp = packages.filter(({ id }) => id === PACKAGE_IDS.owasp).flatMap(({ groups }) => groups)
  return {
    allowRules: rulesIn(packages, PACKAGE_IDS.cloudflare)
      .filter(({ kind, effectiveMode }) => kind === 'allow' && effectiveMode === 'on')
      .map(({ id }) => id),
    owasp: [
      ...owasp.filter(({ mode }) => mode === 'off').map(({ id }) => id),
      ...owasp
        .flatMap(({ rules }) => rules)
        .filter(({ mode, defaultMode }) => mode !== defaultMode)
        .map(({ id }) => id),
    ],
  }
}

const rulesIn = (packages: LegacyFirewall['packages'], id: string): readonly LegacyRule[] =>
  packages.filter((one) => one.id === id).flatMap(({ groups }) => groups.flatMap(({ rules }) => rules))
