// Rules of overrides: what one must name, and which of its names stand for nothing.
import type { Issue, Notice } from '../../platform/domain-error.ts'
import { LEGACY_GROUPS, MANAGED_RULES, type LegacyOverrideAction } from '../managed-rules/index.ts'

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

export const USUAL_PRIORITY = 1
/** In a zone, at most. */
export const MAX_OVERRIDES = 1_000

const GROUP_ID = /^[0-9a-f]{32}$/
const RULE_ID = /^[0-9A-Za-z]{1,32}$/

/** Something must be overridden, and every key must be an identifier. */
export function overrideIssues({ groups, rules }: WafOverrideContent): Issue[] {
  if (Object.keys(groups).length + Object.keys(rules).length === 0)
    return [{ reason: 'waf_override.empty', pointer: '/rules' }]
  const wrong = (member: string, ids: readonly string[], shape: RegExp): Issue[] =>
    ids
      .filter((id) => !shape.test(id))
      .map((id) => ({
        reason: 'waf_override.key',
        pointer: `/${member}/${escapePointer(id)}`,
        values: { id },
      }))
  return [...wrong('groups', Object.keys(groups), GROUP_ID), ...wrong('rules', Object.keys(rules), RULE_ID)]
}

/** Names of groups and rules that the catalogue does not have: kept, without effect. */
export function overrideNotices({ groups, rules }: WafOverrideContent): Notice[] {
  const groupIds = new Set(LEGACY_GROUPS.map(({ id }) => id))
  const ruleIds = new Set(MANAGED_RULES.map(({ legacy }) => legacy?.id))
  const missing = [
    ...Object.keys(groups).filter((id) => !groupIds.has(id)),
    ...Object.keys(rules).filter((id) => !ruleIds.has(id)),
  ]
  return missing.map((id) => ({ notice: 'waf_override.not_in_catalogue', values: { id } }))
}

/** RFC 6901 §3. */
const escapePointer = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1')
