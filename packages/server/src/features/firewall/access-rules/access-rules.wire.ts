// IP access rules as the API has them, and the search in their list.
import type { AccessRuleDraft, AccessRulePatch, AccessRuleQuery, WireAccessRule } from '@zonereeve/contract'
import { ACCESS_MODES } from '@zonereeve/firewall'
import type { AccessScope, StoredAccessRule } from './access-rules.store.ts'

const SCOPE_TYPES = { zone: 'zone', account: 'organization', user: 'user' } as const

/** @param callerId stands for all zones. */
export const toWireAccessRule = (
  rule: StoredAccessRule,
  scope: AccessScope,
  callerId: string,
): WireAccessRule => ({
  id: rule.id,
  notes: rule.notes,
  allowed_modes: [...ACCESS_MODES],
  mode: rule.mode,
  configuration: { target: rule.target, value: rule.value },
  created_on: rule.createdOn,
  modified_on: rule.modifiedOn,
  scope: { id: scope.kind === 'user' ? callerId : scope.id, type: SCOPE_TYPES[scope.kind] },
})

export const toNewAccessRule = ({ configuration, mode, notes }: AccessRuleDraft) => ({
  configuration,
  mode,
  notes,
})

export const toAccessRuleChange = ({ configuration, mode, notes }: AccessRulePatch) => ({
  configuration,
  mode,
  notes,
})

type Test = (rule: StoredAccessRule) => boolean

/** The rules that a list shows, in its order. */
export function searchAccessRules(
  rules: readonly StoredAccessRule[],
  query: AccessRuleQuery,
): readonly StoredAccessRule[] {
  const { mode, notes, match = 'all', order } = query
  const target = query['configuration.target'] ?? query['configuration[target]']
  const value = query['configuration.value'] ?? query['configuration[value]']
  const tests: readonly Test[] = [
    ...(mode === undefined ? [] : [(rule: StoredAccessRule) => rule.mode === mode]),
    ...(target === undefined ? [] : [(rule: StoredAccessRule) => rule.target === target]),
    ...(value === undefined
      ? []
      : [(rule: StoredAccessRule) => rule.value.toLowerCase() === value.toLowerCase()]),
    ...(notes === undefined
      ? []
      : [(rule: StoredAccessRule) => rule.notes.toLowerCase().includes(notes.toLowerCase())]),
  ]
  const isFound: Test = (rule) =>
    tests.length === 0 ||
    (match === 'any' ? tests.some((test) => test(rule)) : tests.every((test) => test(rule)))
  const found = rules.filter(isFound)
  const sorted =
    order === undefined ? found : found.toSorted((a, b) => compare(sortKey(a, order), sortKey(b, order)))
  return query.direction === 'desc' ? sorted.toReversed() : sorted
}

const sortKey = (rule: StoredAccessRule, order: NonNullable<AccessRuleQuery['order']>): string =>
  order === 'mode' ? rule.mode : order === 'configuration.target' ? rule.target : rule.value

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
