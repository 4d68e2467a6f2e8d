// What the previous product does with a request: one configuration and one request in, one decision out.
//
// The traditional package comes first. Its rules are asked one by one, and the first that blocks or challenges decides.
// Rules that let pass are asked before the others, and end the package where one matches. Then the anomaly package adds
// up the scores of its rules and compares the sum with a threshold.
import { asciiLower } from '@zonereeve/expr'
import { MANAGED_RULES } from './catalogue/registry.ts'
import { detect } from './detection.ts'
import type { InspectedRequest } from './inspected-request.ts'
import type {
  LegacyConfiguration,
  LegacyOverride,
  LegacyOverrideAction,
  LegacySensitivity,
} from './legacy-configuration.ts'
import { overridesFor } from './legacy-override-urls.rules.ts'
import type { Detected, LegacyRule, ManagedRule } from './managed-rule.ts'

/** The rule under which the anomaly package is logged when the sum reaches the threshold. */
export const LEGACY_SCORE_RULE_ID = '981176'

/** These are asked even where the zone setting is off, unless they are switched off themselves. */
export const LEGACY_ALWAYS_ON: ReadonlySet<string> = new Set(['WP0025B', '100043A', '100030'])

export type LegacyAction = 'simulate' | 'challenge' | 'block'

export interface LegacyMatch {
  readonly rule: ManagedRule
  /** What the match does by itself; `score` adds to the sum, `allow` ends the traditional package. */
  readonly effect: LegacyAction | 'score' | 'allow'
  /** Null for rules that decide alone. */
  readonly score: number | null
  readonly detected: Detected
}

export interface LegacyDecision {
  readonly action: LegacyAction | 'pass'
  /** The rule that decided, or `981176` for the sum; null where the request passes unseen. */
  readonly ruleId: string | null
  /** In the order of evaluation. */
  readonly matches: readonly LegacyMatch[]
  /** The sum of the anomaly package; 0 where it was not asked. */
  readonly total: number
  /** Null where the anomaly package is off or was not asked. */
  readonly threshold: number | null
  /** Ids of the overrides that hold for the URL, the strongest first. */
  readonly overrideIds: readonly string[]
}

type Threshold = { readonly page: number; readonly ajax: number }

/** Requests that scripts of a page send carry more markup and code than others. */
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
  const found = { matches, total, threshold, overrideIds }
  if (traditional.decidedBy !== null) return { ...found, ...decision(traditional.decidedBy) }
  if (anomaly.action !== null) return { ...found, action: anomaly.action, ruleId: LEGACY_SCORE_RULE_ID }
  const simulated = matches.find(({ effect }) => effect === 'simulate')
  return simulated === undefined
    ? { ...found, action: 'pass', ruleId: null }
    : { ...found, ...decision(simulated) }
}

const decision = ({ rule, effect }: LegacyMatch): Pick<LegacyDecision, 'action' | 'ruleId'> => ({
  action: effect === 'score' || effect === 'allow' ? 'pass' : effect,
  ruleId: rule.legacy?.id ?? null,
})

/** What is done when a rule matches; null where it is not asked at all. */
interface EffectiveModes {
  readonly deny: (rule: LegacyRule) => LegacyAction | null
  readonly isOn: (rule: LegacyRule) => boolean
  /** The action of the anomaly package after `rewrite_action`; null where that switches it off. */
  readonly anomaly: LegacyAction | null
}

function effectiveModes(
  { groupModes, ruleModes, packages }: LegacyConfiguration,
  overrides: readonly LegacyOverride[],
): EffectiveModes {
  const strongest = <T>(pick: (override: LegacyOverride) => T | undefined): T | undefined =>
    overrides.map(pick).find((value) => value !== undefined)
  const groupOverride = (id: string) => strongest(({ groups }) => groups.get(id))
  const ruleOverride = (id: string) => strongest(({ rules }) => rules.get(id))
  const rewritten = (action: LegacyOverrideAction) =>
    strongest(({ rewriteAction }) => rewriteAction.get(action))

  /** A group that is off switches off its rules, whatever they say. */
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
    const usual = actionOf(rule.defaultMode)
    const configured = chosen === 'default' ? usual : actionOf(chosen)
    if (configured === null) return null
    const replaced = (chosen === 'default' ? rewritten('default') : undefined) ?? rewritten(configured)
    return replaced === undefined ? configured : replaced === 'default' ? usual : actionOf(replaced)
  }
  const isOn = (rule: LegacyRule): boolean => {
    if (!isGroupOn(rule)) return false
    const override = ruleOverride(rule.id)
    if (override !== undefined && override !== 'default') return override !== 'disable'
    return (override === undefined ? (ruleModes.get(rule.id) ?? rule.defaultMode) : rule.defaultMode) === 'on'
  }
  const replaced = rewritten(packages.actionMode)
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

let ruleLists: Readonly<Record<LegacyRule['kind'], ReturnType<typeof rulesOf>>> | undefined
const listsOfRules = () =>
  (ruleLists ??= { deny: rulesOf('deny'), allow: rulesOf('allow'), anomaly: rulesOf('anomaly') })

function askTraditional(
  modes: EffectiveModes,
  wafOn: boolean,
  request: InspectedRequest,
): TraditionalFindings {
  const { allow, deny } = listsOfRules()
  for (const [rule, legacy] of wafOn ? allow : []) {
    const detected = modes.isOn(legacy) ? detect(rule, request) : null
    if (detected !== null)
      return { matches: [{ rule, effect: 'allow', score: null, detected }], decidedBy: null }
  }
  const matches: LegacyMatch[] = []
  for (const [rule, legacy] of deny) {
    const effect = wafOn || LEGACY_ALWAYS_ON.has(legacy.id) ? modes.deny(legacy) : null
    const detected = effect === null ? null : detect(rule, request)
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
  /** Null where the sum does not reach the threshold. */
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
  const total = matches.reduce((sum, { score }) => sum + (score ?? 0), 0)
  return { matches, total, threshold, action: total >= threshold ? modes.anomaly : null }
}

const isAjax = (request: InspectedRequest): boolean =>
  request.textsOf('header:x-requested-with').some(({ text }) => asciiLower(text.trim()) === 'xmlhttprequest')
