// Rulesets that rules refer to: the rulesets that they execute, skip or override must exist, and so must the
// rules.
import type { Issue } from '@zonereeve/platform'
import {
  type ExecuteParameters,
  type Override,
  type PhaseName,
  pointerTo,
  type Referable,
  type RuleDraft,
  type RulesetKind,
  RULESETS_NOT_OFFERED,
  type SkipParameters,
  valueIssue,
} from '@zonereeve/firewall'

export interface ReferenceContext {
  readonly find: (rulesetId: string) => Referable | undefined
  readonly phase: PhaseName
  readonly kind: RulesetKind
}

/** Issues of the rulesets and rules that a rule refers to. */
export function referenceIssues({ definition, at }: RuleDraft, context: ReferenceContext): Issue[] {
  const place = pointerTo(at, 'action_parameters')
  const { action, parameters } = definition
  if (action === 'execute') return executeIssues(parameters as never, place, context) // checked by the action's shape
  return action === 'skip' ? skipIssues(parameters as never, place, context) : [] // as above
}

/**
 * An entry point of a zone may execute each managed ruleset only once.
 *
 * @param others other rules of the entry point, which stay.
 */
export function repeatedExecutions(
  drafts: readonly RuleDraft[],
  { find, kind }: ReferenceContext,
  others: readonly Pick<RuleDraft, 'definition'>[] = [],
): Issue[] {
  if (kind !== 'zone') return []
  const executed = [...others, ...drafts].map(executedBy)
  return drafts.flatMap((draft, index) => {
    const id = executedBy(draft)
    const isFirst = executed.indexOf(id) === others.length + index
    if (id === undefined || isFirst || find(id)?.kind !== 'managed') return []
    const pointer = pointerTo(pointerTo(draft.at, 'action_parameters'), 'id')
    return [valueIssue(pointer, id, 'the entry point executes it already')]
  })
}

const executedBy = ({ definition: { action, parameters } }: Pick<RuleDraft, 'definition'>) =>
  action === 'execute' ? String(parameters?.['id']) : undefined

function executeIssues(
  parameters: ExecuteParameters,
  at: string,
  { find, phase, kind }: ReferenceContext,
): Issue[] {
  const { id, version, overrides } = parameters
  const place = pointerTo(at, 'id')
  if (kind === 'custom') return [valueIssue(place, id, 'custom rulesets cannot execute other rulesets')]
  const executed = find(id)
  if (executed === undefined || executed.kind === 'zone' || executed.kind === 'root')
    return [valueIssue(place, id, RULESETS_NOT_OFFERED.get(id) ?? 'no managed or custom ruleset has this ID')]
  if (executed.phase !== phase)
    return [valueIssue(place, id, `it is for the phase ${executed.phase}, not ${phase}`)]
  const isKnown = version === undefined || version === 'latest' || version === String(executed.version)
  const versions = isKnown ? [] : [valueIssue(pointerTo(at, 'version'), version, 'it must be latest')]
  return [...versions, ...overrideIssues(overrides, pointerTo(at, 'overrides'), executed)]
}

function overrideIssues(overrides: ExecuteParameters['overrides'], at: string, executed: Referable): Issue[] {
  if (overrides === undefined) return []
  const { categories = [], rules = [] } = overrides
  return [
    ...sensitivityIssues(overrides, at, executed),
    ...categories.flatMap((one, index) => {
      const place = pointerTo(pointerTo(at, 'categories'), index)
      const unknown = executed.categories.has(one.category)
        ? []
        : [valueIssue(pointerTo(place, 'category'), one.category, 'no rule of the ruleset has it')]
      const untaken = executed.scoreRuleId === undefined ? [] : untakenActions(one, place)
      return [...unknown, ...untaken, ...sensitivityIssues(one, place, executed)]
    }),
    ...rules.flatMap((one, index) => {
      const place = pointerTo(pointerTo(at, 'rules'), index)
      const unknown = executed.ruleIds.has(one.id)
        ? []
        : [valueIssue(pointerTo(place, 'id'), one.id, 'the ruleset has no such rule')]
      const threshold = pointerTo(place, 'score_threshold')
      const misplaced =
        one.score_threshold === undefined || one.id === executed.scoreRuleId
          ? []
          : [valueIssue(threshold, one.score_threshold, 'the rule has no score threshold')]
      const isScoring = executed.scoreRuleId !== undefined && one.id !== executed.scoreRuleId
      const untaken = isScoring && unknown.length === 0 ? untakenActions(one, place) : []
      return [...unknown, ...misplaced, ...untaken, ...sensitivityIssues(one, place, executed)]
    }),
  ]
}

/** The action of rules that only add to a score cannot be overridden. */
function untakenActions({ action }: Override, at: string): Issue[] {
  if (action === undefined) return []
  return [
    valueIssue(
      pointerTo(at, 'action'),
      action,
      'the rules only add to the score; override the rule that compares it',
    ),
  ]
}

/** Only the rules of the HTTP DDoS ruleset have sensitivity levels between default and off. */
function sensitivityIssues(
  { sensitivity_level: level }: Override,
  at: string,
  { hasSensitivity }: Referable,
): Issue[] {
  if (hasSensitivity || level === undefined || level === 'default' || level === 'eoff') return []
  return [
    valueIssue(pointerTo(at, 'sensitivity_level'), level, 'the rules of the ruleset have no sensitivity'),
  ]
}

function skipIssues(
  { rulesets = [], rules = {} }: SkipParameters,
  at: string,
  { find, phase }: ReferenceContext,
): Issue[] {
  return [
    ...rulesets.flatMap<Issue>((id, index) =>
      skippable(find(id), id, pointerTo(pointerTo(at, 'rulesets'), index), phase),
    ),
    ...Object.entries(rules).flatMap<Issue>(([id, ruleIds]) => {
      const place = pointerTo(pointerTo(at, 'rules'), id)
      const ruleset = find(id)
      const faults = skippable(ruleset, id, place, phase)
      if (faults.length > 0 || ruleset === undefined) return faults
      return ruleIds.flatMap((rule, index) =>
        ruleset.ruleIds.has(rule)
          ? []
          : [valueIssue(pointerTo(place, index), rule, 'the ruleset has no such rule')],
      )
    }),
  ]
}

function skippable(ruleset: Referable | undefined, id: string, at: string, phase: PhaseName): Issue[] {
  if (ruleset === undefined || ruleset.kind === 'zone' || ruleset.kind === 'root')
    return [valueIssue(at, id, 'no managed or custom ruleset has this ID')]
  return ruleset.phase === phase
    ? []
    : [valueIssue(at, id, `it is for the phase ${ruleset.phase}, not ${phase}`)]
}
