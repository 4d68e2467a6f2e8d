// The decision of the legacy WAF about a request: one configuration and one request in, one decision out.
//
// The traditional package comes first. Its rules are evaluated one by one, and the first that blocks or challenges
// decides. Allow rules are evaluated before the others, and end the package if one matches. Then the anomaly package
// adds up the scores of its rules and compares the sum with a threshold.
import { asciiLower } from '@zonereeve/expr'
import { MANAGED_RULES } from '../managed-rules/catalogue/registry.ts'
import { detect, detectAlwaysOn } from '../managed-rules/detection.ts'
import type { InspectedRequest } from '../managed-rules/inspected-request.ts'
import type {
  LegacyConfiguration,
  LegacyOverride,
  LegacyOverrideAction,
  LegacySensitivity,
} from './legacy-configuration.ts'
import { overridesFor } from './legacy-override-urls.ts'
import { LEGACY_ALWAYS_ON } from './legacy-packages.ts'
import type { Detected, LegacyRule, ManagedRule } from '../managed-rules/managed-rule.ts'

/** The rule ID that is logged when the sum of the anomaly package reaches the threshold. */
export const LEGACY_SCORE_RULE_ID = '981176'

export type LegacyAction = 'simulate' | 'challenge' | 'block'

export interface LegacyMatch {
  readonly rule: ManagedRule
  /** The effect of this match; `score` adds to the sum, `allow` ends the traditional package. */
  readonly effect: LegacyAction | 'score' | 'allow'
  /** Null for rules that decide alone. */
  readonly score: number | null
  readonly detected: Detected
}

export interface LegacyDecision {
  readonly action: LegacyAction | 'pass'
  /** The rule that decided, or `981176` for the sum; null if the request passes without a match. */
  readonly ruleId: string | null
  /** In the order of evaluation. */
  readonly matches: readonly LegacyMatch[]
  /** The sum of the anomaly package; 0 if it was not evaluated. */
  readonly total: number
  /** Null if the anomaly package is off or was not evaluated. */
  readonly threshold: number | null
  /** IDs of the overrides that apply to the URL, highest precedence first. */
  readonly overrideIds: readonly string[]
}

type Threshold = { readonly page: number; readonly ajax: number }

/** Requests sent by scripts contain more markup and code than others. */
export const LEGACY_THRESHOLDS: Readonly<Record<Exclude<LegacySensitivity, 'off'>, Threshold>> = {
  high: { page: 25, ajax: 65 },
  medium: { page: 40, ajax: 80 },
  low: { page: 60, ajax: 120 },
}

export function decideLegacy(configuration: LegacyConfiguration, request: InspectedRequest): LegacyDecision {
  const overrides = overridesFor(configuration.overrides, request)
  const overrideIds = overrides.map(({ id }) => id)
  const modes = effectiveModes(configuration, overrides)
  const traditional = askTraditional(modes, configuration.wafOn, request)
  const anomaly =
    traditional.decidedBy === null && configuration.wafOn
      ? askAnomaly(configuration, modes, request)
      : NOT_ASKED
  const matches = [...traditional.matches, ...anomaly.matches]
  const { total, threshold } = anomaly
  const { action, ruleId } = actionTaken(traditional.decidedBy, anomaly.action, matches)
  return { action, ruleId, matches, total, threshold, overrideIds }
}

type ActionTaken = Pick<LegacyDecision, 'action' | 'ruleId'>
const PASSED: ActionTaken = { action: 'pass', ruleId: null }

function actionTaken(
  decidedBy: LegacyMatch | null,
  bySum: LegacyAction | null,
  matches: readonly LegacyMatch[],
): ActionTaken {
  if (decidedBy !== null) return takenBy(decidedBy)
  if (bySum !== null) return { action: bySum, ruleId: LEGACY_SCORE_RULE_ID }
  const simulated = matches.find(({ effect }) => effect === 'simulate')
  return simulated === undefined ? PASSED : takenBy(simulated)
}

const takenBy = ({ rule, effect }: LegacyMatch): ActionTaken => ({
  action: effect === 'score' || effect === 'allow' ? 'pass' : effect,
  ruleId: rule.legacy?.id ?? null,
})

/** The actions of matching rules; null if they are not evaluated. */
interface EffectiveModes {
  readonly deny: (rule: LegacyRule) => LegacyAction | null
  readonly isOn: (rule: LegacyRule) => boolean
  /** The action of the anomaly package after `rewrite_action`; null if that turns it off. */
  readonly anomaly: LegacyAction | null
}

function effectiveModes(
  { groupModes, ruleModes, packages }: LegacyConfiguration,
  overrides: readonly LegacyOverride[],
): EffectiveModes {
  const strongest = <T>(pick: (override: LegacyOverride) => T | undefined): T | undefined =>
    overrides.length === 0 ? undefined : overrides.map(pick).find((value) => value !== undefined)
  const groupOverride = (id: string) => strongest(({ groups }) => groups.get(id))
  const ruleOverride = (id: string) => strongest(({ rules }) => rules.get(id))
  const rewriteAction = (action: LegacyOverrideAction) =>
    strongest(({ rewriteAction }) => rewriteAction.get(action))

  /** A group that is off turns off its rules, whatever their modes. */
  const isGroupOn = ({ groupId }: LegacyRule): boolean => {
    const override = groupOverride(groupId)
    return override === undefined ? groupModes.get(groupId) !== 'off' : override !== 'disable'
  }
  const deny = (rule: LegacyRule): LegacyAction | null => {
    if (!isGroupOn(rule)) return null
    const ofGroup = groupOverride(rule.groupId)
    const chosen =
      ruleOverride(rule.id) ??
      (ofGroup === undefined || ofGroup === 'default' ? ruleModes.get(rule.id) : ofGroup) ??
      'default'
    const fallback = actionOf(rule.defaultMode)
    const configured = chosen === 'default' ? fallback : actionOf(chosen)
    if (configured === null) return null
    const replaced =
      (chosen === 'default' ? rewriteAction('default') : undefined) ?? rewriteAction(configured)
    return replaced === undefined ? configured : replaced === 'default' ? fallback : actionOf(replaced)
  }
  const isOn = (rule: LegacyRule): boolean => {
    if (!isGroupOn(rule)) return false
    const override = ruleOverride(rule.id)
    if (override !== undefined && override !== 'default') return override !== 'disable'
    return (override === undefined ? (ruleModes.get(rule.id) ?? rule.defaultMode) : rule.defaultMode) === 'on'
  }
  const replaced = rewriteAction(packages.actionMode)
  const anomaly = replaced === undefined || replaced === 'default' ? packages.actionMode : actionOf(replaced)
  return { deny, isOn, anomaly }
}

const actionOf = (mode: string): LegacyAction | null =>
  mode === 'simulate' || mode === 'challenge' || mode === 'block' ? mode : null

interface TraditionalFindings {
  readonly matches: readonly LegacyMatch[]
  readonly decidedBy: LegacyMatch | null
}

const rulesOf = (kind: LegacyRule['kind']): readonly (readonly [ManagedRule, LegacyRule])[] =>
  MANAGED_RULES.flatMap((rule) => (rule.legacy?.kind === kind ? [[rule, rule.legacy] as const] : []))

type ListedRules = ReturnType<typeof rulesOf>
let ruleLists: Readonly<Record<LegacyRule['kind'] | 'alwaysOn', ListedRules>> | undefined
const listsOfRules = () => (ruleLists ??= readLists())

function readLists(): NonNullable<typeof ruleLists> {
  const deny = rulesOf('deny')
  const alwaysOn = deny.filter(([, { id }]) => LEGACY_ALWAYS_ON.has(id))
  return { deny, alwaysOn, allow: rulesOf('allow'), anomaly: rulesOf('anomaly') }
}

function askTraditional(
  modes: EffectiveModes,
  wafOn: boolean,
  request: InspectedRequest,
): TraditionalFindings {
  const { allow, deny, alwaysOn } = listsOfRules()
  for (const [rule, legacy] of wafOn ? allow : []) {
    const detected = modes.isOn(legacy) ? detect(rule, request) : null
    if (detected !== null)
      return { matches: [{ rule, effect: 'allow', score: null, detected }], decidedBy: null }
  }
  const matches: LegacyMatch[] = []
  for (const [rule, legacy] of wafOn ? deny : alwaysOn) {
    const effect = modes.deny(legacy)
    const detected = effect === null ? null : (wafOn ? detect : detectAlwaysOn)(rule, request)
    if (effect === null || detected === null) continue
    const match: LegacyMatch = { rule, effect, score: null, detected }
    matches.push(match)
    if (effect !== 'simulate') return { matches, decidedBy: match }
  }
  return { matches, decidedBy: null }
}

interface AnomalyFindings {
  readonly matches: readonly LegacyMatch[]
  readonly total: number
  readonly threshold: number | null
  /** Null if the sum does not reach the threshold. */
  readonly action: LegacyAction | null
}

const NOT_ASKED: AnomalyFindings = { matches: [], total: 0, threshold: null, action: null }

function askAnomaly(
  { packages }: LegacyConfiguration,
  modes: EffectiveModes,
  request: InspectedRequest,
): AnomalyFindings {
  if (packages.sensitivity === 'off') return NOT_ASKED
  const { page, ajax } = LEGACY_THRESHOLDS[packages.sensitivity]
  const threshold = isAjax(request) ? ajax : page
  const matches: LegacyMatch[] = []
  for (const [rule, legacy] of listsOfRules().anomaly) {
    const detected = modes.isOn(legacy) ? detect(rule, request) : null
    if (detected !== null) matches.push({ rule, effect: 'score', score: rule.score, detected })
  }
  // A rule without a score adds none.
  const total = matches.reduce((sum, { score }) => sum + (score ?? 0), 0)
  return { matches, total, threshold, action: total >= threshold ? modes.anomaly : null }
}

const isAjax = (request: InspectedRequest): boolean =>
  request
    .stringsOf('header:x-requested-with')
    .some(({ text }) => asciiLower(text.trim()) === 'xmlhttprequest')
