// The named lists that rules use: they must exist and have the right kind when a rule is saved.
import { parseExpression, type Type, usageOf } from '@zonereeve/expr'
import type { Issue } from '@zonereeve/platform'
import {
  expressionIssues,
  type Level,
  type ListKind,
  mayNameList,
  offeredSchemeOf,
  type PhaseName,
  pointerTo,
  type RuleDefinition,
  type RuleDraft,
  schemeOf,
  schemeWithLists,
  valueIssue,
} from '@zonereeve/firewall'

interface Place {
  readonly phase: PhaseName
  readonly level: Level
}

/** Whether it is worth looking at the lists for a rule. */
export const namesList = ({ definition }: Pick<RuleDraft, 'definition'>): boolean =>
  conditionsOf(definition).some(({ source }) => mayNameList(source)) || fromList(definition) !== undefined

export function listIssues(
  { at, definition }: RuleDraft,
  { phase, level, known }: Place & { readonly known: ReadonlyMap<string, ListKind> },
): Issue[] {
  const conditions = conditionsOf(definition).flatMap(({ source, path, isCounting }) => {
    if (!mayNameList(source)) return []
    const scheme = schemeWithLists(offeredSchemeOf(phase, level, isCounting), known)
    return expressionIssues(source, path.reduce(pointerTo, at), () => {
      parseExpression(source, scheme)
      return []
    })
  })
  const name = fromList(definition)
  if (name === undefined || known.get(name) === 'redirect') return conditions
  const pointer = ['action_parameters', 'from_list', 'name'].reduce(pointerTo, at)
  return [...conditions, valueIssue(pointer, name, 'there is no list of kind redirect with this name')]
}

/** The names of the lists that a stored rule uses. */
export function listNamesOf(definition: RuleDefinition, { phase, level }: Place): readonly string[] {
  const name = fromList(definition)
  const inConditions = conditionsOf(definition)
    .filter(({ source }) => mayNameList(source))
    .flatMap(({ source, isCounting }) => namesIn(source, schemeOf(phase, level, isCounting)))
  return [...new Set([...inConditions, ...(name === undefined ? [] : [name])])]
}

export const namesIn = (source: string, scheme: Parameters<typeof parseExpression>[1]): readonly string[] =>
  usageOf(parseExpression(source, scheme)).lists.map((list: { name: string; type: Type }) => list.name)

interface ConditionOfRule {
  readonly source: string
  readonly path: readonly string[]
  readonly isCounting: boolean
}

function conditionsOf({ expression, ratelimit }: RuleDefinition): readonly ConditionOfRule[] {
  const counting = ratelimit?.['counting_expression']
  const own = { source: expression, path: ['expression'], isCounting: false }
  if (typeof counting !== 'string' || counting === '') return [own]
  return [own, { source: counting, path: ['ratelimit', 'counting_expression'], isCounting: true }]
}

function fromList({ action, parameters }: RuleDefinition): string | undefined {
  if (action !== 'redirect') return undefined
  const from = parameters?.['from_list'] as { readonly name: string } | undefined // checked by the action's shape
  return from?.name
}
