// What a zone has set of the previous managed rules, as overrides of the new rulesets: only what differs from them.
import {
  MANAGED_RULES,
  OWASP_SCORE_RULE_ID,
  PACKAGE_IDS,
  type LegacyActionMode,
  type LegacyRuleMode,
  type LegacySensitivity,
  type ManagedRule,
} from '../managed-rules/index.ts'
import type { PreviousFirewall, PreviousRule } from './previous-firewall.ts'

export interface RuleOverride {
  readonly id: string
  readonly action: Exclude<ManagedRule['action'], 'score'>
  readonly enabled: boolean
}

/** Paranoia level and threshold that a sensitivity comes to. A zone that never set one has `high`. */
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

/** Rules of the package CloudFlare that do not come out as the new ones are, sorted by their new ids. */
export function managedOverrides({ packages }: PreviousFirewall): RuleOverride[] {
  return rulesIn(packages, PACKAGE_IDS.cloudflare)
    .flatMap(overrideOf)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function overrideOf({ id, effectiveMode }: PreviousRule): RuleOverride[] {
  const rule = NEW_RULES.get(id)
  if (rule === undefined || rule.action === 'score') return []
  const action = isActionMode(effectiveMode) ? NEW_ACTIONS[effectiveMode] : undefined
  // A rule that is switched off keeps the action that it has.
  const wanted = { action: action ?? rule.action, enabled: action !== undefined }
  const isUsual = wanted.enabled === rule.enabled && (!wanted.enabled || wanted.action === rule.action)
  return isUsual ? [] : [{ id: rule.id, ...wanted }]
}

const isActionMode = (mode: LegacyRuleMode): mode is LegacyActionMode => Object.hasOwn(NEW_ACTIONS, mode)

/** `action_parameters.overrides` of the new OWASP ruleset; null where the previous package is off. */
export function owaspOverrides({ managed: { packages } }: PreviousFirewall) {
  if (packages.sensitivity === 'off') return null
  const { level, threshold } = SENSITIVITY_LEVELS[packages.sensitivity]
  const stricter = Array.from({ length: MAX_LEVEL - level }, (_, index) => level + index + 1)
  return {
    categories: stricter.map((each) => ({ category: `paranoia-level-${each}`, enabled: false })),
    rules: [
      {
        id: OWASP_SCORE_RULE_ID,
        action: NEW_ACTIONS[packages.actionMode],
        score_threshold: threshold,
      },
    ],
  }
}

export interface LeftOut {
  /** Rules that let requests pass and are on: the new rulesets have none such. */
  readonly allowRules: readonly string[]
  /** Groups and rules of the OWASP package that were changed. */
  readonly owasp: readonly string[]
}

/** What has no counterpart. */
export function leftOut({ packages }: PreviousFirewall): LeftOut {
  const owasp = packages.find(({ id }) => id === PACKAGE_IDS.owasp)?.groups ?? []
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

const rulesIn = (packages: PreviousFirewall['packages'], id: string): readonly PreviousRule[] =>
  packages.filter((one) => one.id === id).flatMap(({ groups }) => groups.flatMap(({ rules }) => rules))
