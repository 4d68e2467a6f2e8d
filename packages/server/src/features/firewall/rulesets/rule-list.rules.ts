// The rule list of a ruleset: matches sent rules to existing ones, places rules, and finds what changed.
import type { Issue } from '@zonereeve/platform'
import {
  pointerTo,
  type Position,
  type Rule,
  type RuleDraft,
  type Ruleset,
  valueIssue,
} from '@zonereeve/firewall'
import type { SentRule } from './sent-rule.ts'

export interface ListContext {
  /** Current rules of the ruleset. */
  readonly present: readonly Rule[]
  /** Rules of its stored earlier versions. */
  readonly past: readonly Rule[]
  readonly at: string
  readonly newId: () => string
}

export interface Merged {
  readonly rules: readonly Rule[]
  readonly issues: readonly Issue[]
}

/**
 * Matches each draft to a rule by ID, else by ref, or creates one. A rule with an unchanged definition keeps
 * its version.
 */
export function mergeRules(drafts: readonly RuleDraft[], context: ListContext): Merged {
  const issues: Issue[] = []
  const rules: Rule[] = []
  const ids = new Set<string>()
  const refs = new Set<string>()
  for (const draft of drafts) {
    const before = findRule(draft, context)
    if (draft.id !== undefined && before === undefined) {
      issues.push({
        reason: 'ruleset.rule_id',
        pointer: pointerTo(draft.at, 'id'),
        values: { rule: draft.id },
      })
      continue
    }
    const rule = mergeRule(draft, before, context)
    if (ids.has(rule.id) || refs.has(rule.ref)) {
      issues.push(twiceIssue(draft, rule))
      continue
    }
    ids.add(rule.id)
    refs.add(rule.ref)
    rules.push(rule)
  }
  return { rules, issues }
}

function findRule(draft: RuleDraft, { present, past }: ListContext): Rule | undefined {
  const isIt = ({ id, ref }: Rule): boolean => (draft.id === undefined ? ref === draft.ref : id === draft.id)
  if (draft.id === undefined) return draft.ref === undefined ? undefined : present.find(isIt)
  return present.find(isIt) ?? past.find(isIt)
}

function twiceIssue(draft: RuleDraft, { ref }: Rule): Issue {
  return draft.id === undefined || draft.ref !== undefined
    ? valueIssue(pointerTo(draft.at, 'ref'), ref, 'another rule has it')
    : valueIssue(pointerTo(draft.at, 'id'), draft.id, 'another rule of the request has it')
}

/** The rule that results from a draft: the next version of `before`, or a new rule if there is none. */
export function mergeRule(
  draft: RuleDraft,
  before: Rule | undefined,
  { at, newId }: Pick<ListContext, 'at' | 'newId'>,
): Rule {
  const { definition, regexBytes } = draft
  if (before === undefined) {
    const id = newId()
    return { id, version: 1, ref: draft.ref ?? id, lastUpdated: at, regexBytes, definition }
  }
  const ref = draft.ref ?? before.ref
  if (ref === before.ref && sameJson(definition, before.definition)) return before
  return { id: before.id, version: before.version + 1, ref, lastUpdated: at, regexBytes, definition }
}

/** The list with `rule` at the given position; without a position, at its old place or at the end. */
export function placeRule(
  rules: readonly Rule[],
  rule: Rule,
  position: Position | undefined,
  at: string,
): readonly Rule[] | Issue {
  const others = rules.filter(({ id }) => id !== rule.id)
  const old = rules.findIndex(({ id }) => id === rule.id)
  const index = position === undefined ? (old === -1 ? others.length : old) : placeOf(others, position)
  if (index === undefined) return { reason: 'ruleset.position', pointer: pointerTo(at, 'position') }
  return others.toSpliced(index, 0, rule)
}

function placeOf(others: readonly Rule[], position: Position): number | undefined {
  if (position.kind === 'index') {
    const { index } = position
    return index >= 1 && index <= others.length + 1 ? index - 1 : undefined
  }
  if (position.id === '') return position.kind === 'before' ? 0 : others.length
  const index = others.findIndex(({ id }) => id === position.id)
  if (index === -1) return undefined
  return position.kind === 'before' ? index : index + 1
}

/** Deep equality, regardless of the order of members. */
export function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b))
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([name, one]) => [name, sortKeys(one)])
}

export type RuleChange =
  | { readonly kind: 'create'; readonly after: Rule }
  | { readonly kind: 'update'; readonly before: Rule; readonly after: Rule }
  | { readonly kind: 'delete'; readonly before: Rule }

/** Rules that were created, updated or deleted. */
export function ruleChanges(before: readonly Rule[], after: readonly Rule[]): RuleChange[] {
  const old = new Map(before.map((rule) => [rule.id, rule]))
  const remaining = new Set(after.map(({ id }) => id))
  return [
    ...before
      .filter(({ id }) => !remaining.has(id))
      .map((rule): RuleChange => ({ kind: 'delete', before: rule })),
    ...after.flatMap((rule): RuleChange[] => {
      const known = old.get(rule.id)
      if (known === undefined) return [{ kind: 'create', after: rule }]
      return known.version === rule.version && known.lastUpdated === rule.lastUpdated
        ? []
        : [{ kind: 'update', before: known, after: rule }]
    }),
  ]
}

/** Whether the remaining rules are in a different order. */
export function isReordered(before: readonly Rule[], after: readonly Rule[]): boolean {
  const remaining = new Set(after.map(({ id }) => id))
  const old = before.filter(({ id }) => remaining.has(id)).map(({ id }) => id)
  const known = new Set(before.map(({ id }) => id))
  const now = after.filter(({ id }) => known.has(id)).map(({ id }) => id)
  return old.join() !== now.join()
}

/** Whether nothing changed that would need a new version. */
export function isSameRuleset(before: Ruleset, after: Ruleset): boolean {
  const versionsKey = ({ rules }: Ruleset): string =>
    rules.map(({ id, version }) => `${id} ${version}`).join()
  return (
    before.name === after.name &&
    before.description === after.description &&
    versionsKey(before) === versionsKey(after)
  )
}

/** The ID must be the one of the path, and no other rule may have the ref. */
export function otherRuleIssues({ at, id, ref }: SentRule, rule: Rule, { rules }: Ruleset): Issue[] {
  const named = id === undefined || id === rule.id
  const isTaken = ref !== undefined && rules.some((other) => other.id !== rule.id && other.ref === ref)
  return [
    ...(named ? [] : [valueIssue(pointerTo(at, 'id'), id, 'it must be the ID in the path')]),
    ...(isTaken ? [valueIssue(pointerTo(at, 'ref'), ref, 'another rule has it')] : []),
  ]
}
