// The legacy managed rules of a zone: the catalogue, with the zone's changes.
import type { Issue } from '@zonereeve/platform'
import {
  LEGACY_GROUPS,
  LEGACY_PACKAGES,
  MANAGED_RULES,
  type LegacyActionMode,
  type LegacyGroup,
  type LegacyPackage,
  type LegacyRule,
  type LegacyRuleMode,
  type LegacySensitivity,
} from '@zonereeve/firewall'

export interface ScoreSettings {
  readonly sensitivity: LegacySensitivity
  readonly actionMode: LegacyActionMode
}

/** Default settings of a package with scores. */
export const DEFAULT_SCORE_SETTINGS: ScoreSettings = { sensitivity: 'high', actionMode: 'challenge' }

export type GroupMode = 'on' | 'off'
const DEFAULT_GROUP_MODE: GroupMode = 'on'

/** Changes to the catalogue, by ID. */
export interface WafChoices {
  readonly packages: ReadonlyMap<string, ScoreSettings>
  readonly groups: ReadonlyMap<string, GroupMode>
  readonly rules: ReadonlyMap<string, LegacyRuleMode>
}

export interface WafPackage extends LegacyPackage {
  /** null for packages without scores. */
  readonly score: ScoreSettings | null
}

export interface WafGroup extends LegacyGroup {
  readonly mode: GroupMode
  readonly ruleCount: number
  readonly modifiedRuleCount: number
}

export interface WafRule extends LegacyRule {
  readonly description: string
  readonly groupName: string
  readonly mode: LegacyRuleMode
  readonly allowedModes: readonly LegacyRuleMode[]
}

const DENY_MODES: readonly LegacyRuleMode[] = ['default', 'disable', 'simulate', 'block', 'challenge']
const SWITCH_MODES: readonly LegacyRuleMode[] = ['on', 'off']

export function packagesOf(choices: WafChoices): WafPackage[] {
  return LEGACY_PACKAGES.map((known) => ({
    ...known,
    score:
      known.detectionMode === 'anomaly' ? (choices.packages.get(known.id) ?? DEFAULT_SCORE_SETTINGS) : null,
  }))
}

export function groupsOf(packageId: string, choices: WafChoices): WafGroup[] {
  const rules = rulesOf(packageId, choices)
  return LEGACY_GROUPS.filter((group) => group.packageId === packageId).map((group) => {
    const own = rules.filter(({ groupId }) => groupId === group.id)
    return {
      ...group,
      mode: choices.groups.get(group.id) ?? DEFAULT_GROUP_MODE,
      ruleCount: own.length,
      modifiedRuleCount: own.filter((rule) => rule.mode !== defaultModeOf(rule)).length,
    }
  })
}

const GROUP_NAMES = new Map(LEGACY_GROUPS.map(({ id, name }) => [id, name]))

function groupNameOf(groupId: string): string {
  const name = GROUP_NAMES.get(groupId)
  if (name === undefined) throw new Error(`a legacy rule is in the group ${groupId}, which does not exist`)
  return name
}

export function rulesOf(packageId: string, choices: WafChoices): WafRule[] {
  return MANAGED_RULES.flatMap(({ legacy, description }) =>
    legacy?.packageId === packageId
      ? [
          {
            ...legacy,
            description,
            groupName: groupNameOf(legacy.groupId),
            mode: choices.rules.get(legacy.id) ?? defaultModeOf(legacy),
            allowedModes: legacy.kind === 'deny' ? DENY_MODES : SWITCH_MODES,
          },
        ]
      : [],
  )
}

/** The mode of a rule that the zone has not changed. */
export const defaultModeOf = (rule: LegacyRule): LegacyRuleMode =>
  rule.kind === 'deny' ? 'default' : rule.defaultMode

/** The effective mode of a rule: `default` is resolved; `disable` or `off` in a group that is off. */
export function effectiveModeOf(rule: WafRule, groupMode: GroupMode): Exclude<LegacyRuleMode, 'default'> {
  if (groupMode === 'off') return rule.kind === 'deny' ? 'disable' : 'off'
  return rule.mode === 'default' ? rule.defaultMode : rule.mode
}

/** Setting a group to its current mode is an error: clients of the live API rely on it. */
export function groupModeIssues(group: WafGroup, desired: GroupMode): Issue[] {
  if (group.mode !== desired) return []
  return [{ reason: desired === 'on' ? 'waf_group.already_on' : 'waf_group.already_off', pointer: '/mode' }]
}

/** A mode that the rule does not allow, or already has. Setting the same action again is not an error. */
export function ruleModeIssues(rule: WafRule, desired: LegacyRuleMode): Issue[] {
  if (!rule.allowedModes.includes(desired)) {
    const values = { id: rule.id, modes: rule.allowedModes.join(', ') }
    return [{ reason: 'waf_rule.mode', pointer: '/mode', values }]
  }
  if (rule.mode !== desired) return []
  if (desired === 'on') return [{ reason: 'waf_rule.already_enabled', pointer: '/mode' }]
  const isOff = desired === 'off' || desired === 'disable'
  return isOff ? [{ reason: 'waf_rule.already_disabled', pointer: '/mode' }] : []
}

export type Match = 'any' | 'all'

/** Undefined conditions are ignored; without conditions, everything passes. */
export function passes(conditions: readonly (boolean | undefined)[], match: Match): boolean {
  const given = conditions.filter((condition) => condition !== undefined)
  if (given.length === 0) return true
  return match === 'any' ? given.includes(true) : !given.includes(false)
}

/** Mode filters of lists, as the live API abbreviates them. */
export const MODE_NAMES = {
  DIS: ['disable', 'off'],
  CHL: ['challenge'],
  BLK: ['block'],
  SIM: ['simulate'],
} as const satisfies Readonly<Record<string, readonly LegacyRuleMode[]>>

/** Sorts by `key`, numbers in strings by their value; equal items stay in the order of the catalogue. */
export function sortBy<T>(items: readonly T[], key: (item: T) => string | number, descending: boolean): T[] {
  const sign = descending ? -1 : 1
  return items.toSorted((a, b) => sign * compareKeys(key(a), key(b)))
}

const compareKeys = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a).localeCompare(String(b), 'en', { numeric: true })
