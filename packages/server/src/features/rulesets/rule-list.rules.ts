// The list of a ruleset's rules: which of the given ones are there already, where one goes, and what has changed.
import type { Issue } from '../../platform/domain-error.ts'
import { pointerTo, valueIssue } from './parameter-shape.ts'
import type { SentRule } from './sent-rule.ts'
import type { Position, Rule, RuleDraft, Ruleset } from './ruleset.ts'

export interface ListContext {
  /** Rules that the ruleset has. */
  readonly present: readonly Rule[]
  /** Rules that it had in versions that are still known. */
  readonly past: readonly Rule[]
  readonly at: string
  readonly newId: () => string
}

export interface Merged {
  readonly rules: readonly Rule[]
  readonly issues: readonly Issue[]
}

/** Gives each draft its rule: that of its id, or of its ref, or a new one. A rule that says what it said stays as it was. */
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
    : valueIssue(pointerTo(draft.at, 'id'), draft.id, 'it is there twice')
}

/** What a draft makes of a rule that is there; of a new one without. */
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

/** The list with `rule` where it is to go; at its old place, or the end, where nothing is said. */
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

/** Equal up to the order of members. */
export function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([name, one]) => [name, sorted(one)])
}

export type RuleChange =
  | { readonly kind: 'create'; readonly after: Rule }
  | { readonly kind: 'update'; readonly before: Rule; readonly after: Rule }
  | { readonly kind: 'delete'; readonly before: Rule }

/** What was done to single rules. */
export function ruleChanges(before: readonly Rule[], after: readonly Rule[]): RuleChange[] {
  const old = new Map(before.map((rule) => [rule.id, rule]))
  const kept = new Set(after.map(({ id }) => id))
  return [
    ...before.filter(({ id }) => !kept.has(id)).map((rule): RuleChange => ({ kind: 'delete', before: rule })),
    ...after.flatMap((rule): RuleChange[] => {
      const known = old.get(rule.id)
      if (known === undefined) return [{ kind: 'create', after: rule }]
      return known.version === rule.version && known.lastUpdated === rule.lastUpdated
        ? []
        : [{ kind: 'update', before: known, after: rule }]
    }),
  ]
}

/** Whether those that stayed stand in another order. */
export function isReordered(before: readonly Rule[], after: readonly Rule[]): boolean {
  const kept = new Set(after.map(({ id }) => id))
  const old = before.filter(({ id }) => kept.has(id)).map(({ id }) => id)
  const known = new Set(before.map(({ id }) => id))
  const now = after.filter(({ id }) => known.has(id)).map(({ id }) => id)
  return old.join() !== now.join()
}

/** Whether nothing is different that a version is for. */
export function isSameRuleset(before: Ruleset, after: Ruleset): boolean {
  const listed = ({ rules }: Ruleset): string => rules.map(({ id, version }) => `${id} ${version}`).join()
  return (
    before.name === after.name && before.description === after.description && listed(before) === listed(after)
  )
}

/** A rule's id is that of the path, and its ref nobody else's. */
export function otherRuleIssues({ at, id, ref }: SentRule, rule: Rule, { rules }: Ruleset): Issue[] {
  const named = id === undefined || id === rule.id
  const isTaken = ref !== undefined && rules.some((other) => other.id !== rule.id && other.ref === ref)
  return [
    ...(named ? [] : [valueIssue(pointerTo(at, 'id'), id, 'it must be that of the path')]),
    ...(isTaken ? [valueIssue(pointerTo(at, 'ref'), ref, 'another rule has it')] : []),
  ]
}
