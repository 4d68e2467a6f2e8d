// What each legacy setting becomes, read from the rules that would be deployed.
import type { WireWafPackage } from '@zonereeve/contract'
import type { ConfigRule } from '../../api/migration.ts'
import { migrationStrings as text } from '../../strings/migration.ts'

/** Ids of the vendor's rulesets, which its clients know too. */
const MANAGED_RULESET = 'efb7b8c949ac4650a09736fc376e9aee'
const OWASP_RULESET = '4814384a9e5d4991b9815dcfc25d2f1f'

export interface MappingRow {
  readonly now: string
  readonly after: string
  readonly count: number
}

/** Of a rule that executes a ruleset; undefined for others. */
export function rulesetName({ action_parameters: { id } }: ConfigRule): string | undefined {
  if (id === MANAGED_RULESET) return text.managedName
  return id === OWASP_RULESET ? text.owaspName : undefined
}

interface Overrides {
  readonly rules?: readonly { readonly action?: string; readonly score_threshold?: number }[]
  readonly categories?: readonly { readonly category: string; readonly enabled: boolean }[]
}

type OwaspPackage = Pick<WireWafPackage, 'sensitivity' | 'action_mode'>

/** In the order of the product: packages first, then exceptions. */
export function mappingOf(rules: readonly ConfigRule[], owasp: OwaspPackage | undefined): MappingRow[] {
  const skips = rules.filter(({ action }) => action === 'skip')
  const rows = rules.flatMap((rule) => executionRow(rule, owasp))
  const isOwaspOff = !rules.some(({ action_parameters: { id } }) => id === OWASP_RULESET)
  return [
    ...rows,
    ...(isOwaspOff ? [{ now: text.owaspOff, after: text.noRule, count: 0 }] : []),
    ...(skips.length === 0
      ? []
      : [{ now: text.exceptions, after: text.skips(skips.length), count: skips.length }]),
  ]
}

function executionRow(rule: ConfigRule, owasp: OwaspPackage | undefined): MappingRow[] {
  const { id, overrides = {} } = rule.action_parameters as {
    readonly id?: string
    readonly overrides?: Overrides // as the schema of `execute` has it
  }
  const mark = (words: string): string => (rule.enabled ? words : text.disabled(words))
  if (id === MANAGED_RULESET) {
    const count = overrides.rules === undefined ? 0 : overrides.rules.length
    return [{ now: text.packageChanged(count), after: mark(text.managed(count)), count: 1 }]
  }
  if (id !== OWASP_RULESET) return []
  const now =
    owasp?.sensitivity === undefined || owasp.action_mode === undefined
      ? text.owaspUnread
      : text.owaspNow(owasp.sensitivity, owasp.action_mode)
  return [{ now, after: mark(owaspText(overrides)), count: 1 }]
}

function owaspText({ rules = [], categories = [] }: Overrides): string {
  const off = categories.filter(({ enabled }) => !enabled).map(({ category }) => levelOf(category))
  const level = Math.min(...off, MAX_LEVEL + 1) - 1
  const [score] = rules
  const action = String(score?.action).replaceAll('_', ' ')
  return text.owaspAfter(level, String(score?.score_threshold), action)
}

const MAX_LEVEL = 4
const levelOf = (category: string): number => Number(category.replace('paranoia-level-', ''))
