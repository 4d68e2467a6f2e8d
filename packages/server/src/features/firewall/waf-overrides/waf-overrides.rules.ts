// Checks of overrides: required content, and IDs that do not exist.
import { escapePointer, type Issue, type Notice } from '@zonereeve/platform'
import { LEGACY_GROUPS, MANAGED_RULES, type LegacyOverrideAction } from '@zonereeve/firewall'

type Actions = Readonly<Record<string, LegacyOverrideAction>>

export interface WafOverrideContent {
  readonly description: string | null
  readonly urls: readonly string[]
  /** Lower is stronger. */
  readonly priority: number
  readonly groups: Actions
  readonly rules: Actions
  readonly rewriteAction: Partial<Readonly<Record<LegacyOverrideAction, LegacyOverrideAction>>>
  readonly paused: boolean
}

export const DEFAULT_PRIORITY = 1
/** Maximum overrides per zone. */
export const MAX_OVERRIDES = 1_000

const GROUP_ID = /^[0-9a-f]{32}$/
const RULE_ID = /^[0-9A-Za-z]{1,32}$/

/** An override must not be empty, and each key must be an ID. */
export function overrideIssues({ groups, rules }: WafOverrideContent): Issue[] {
  if (Object.keys(groups).length + Object.keys(rules).length === 0)
    return [{ reason: 'waf_override.empty', pointer: '/rules' }]
  const invalidIds = (member: string, ids: readonly string[], shape: RegExp): Issue[] =>
    ids
      .filter((id) => !shape.test(id))
      .map((id) => ({
        reason: 'waf_override.key',
        pointer: `/${member}/${escapePointer(id)}`,
        values: { id },
      }))
  return [
    ...invalidIds('groups', Object.keys(groups), GROUP_ID),
    ...invalidIds('rules', Object.keys(rules), RULE_ID),
  ]
}

/** Unknown IDs of groups and rules: stored, but without effect. */
export function overrideNotices({ groups, rules }: WafOverrideContent): Notice[] {
  const groupIds = new Set(LEGACY_GROUPS.map(({ id }) => id))
  const ruleIds = new Set(MANAGED_RULES.map(({ legacy }) => legacy?.id))
  const missing = [
    ...Object.keys(groups).filter((id) => !groupIds.has(id)),
    ...Object.keys(rules).filter((id) => !ruleIds.has(id)),
  ]
  return missing.map((id) => ({ notice: 'waf_override.not_in_catalogue', values: { id } }))
}
