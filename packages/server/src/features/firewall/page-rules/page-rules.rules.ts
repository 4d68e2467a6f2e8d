// Checks of page rules: the shape of a rule, the number of rules, and how priorities are kept unique.
import { hasNoValue, isPageRuleSetting, settingProblems } from '@zonereeve/firewall'

export const OPERATORS = ['matches', 'contains', 'equals', 'not_equal', 'not_contain'] as const
export type PageRuleOperator = (typeof OPERATORS)[number]

export interface PageRuleTarget {
  readonly target: 'url'
  readonly constraint: { readonly operator: PageRuleOperator; readonly value: string }
}

export interface PageRuleAction {
  readonly id: string
  readonly value?: unknown
}

export interface PageRuleContent {
  readonly targets: readonly PageRuleTarget[]
  readonly actions: readonly PageRuleAction[]
  /** The highest number wins. */
  readonly priority: number
  readonly status: 'active' | 'disabled'
}

/** Members as they were sent; members that were not sent are undefined. */
export interface PageRuleDraft {
  readonly targets?: unknown
  readonly actions?: unknown
  readonly priority?: unknown
  readonly status?: unknown
}

export interface PageRuleProblem {
  readonly pointer: string
  readonly problem: string
}

export const DEFAULT_PRIORITY = 1
export const DEFAULT_STATUS = 'disabled'
const MAX_PRIORITY = 1_000_000_000
const MAX_WILDCARDS = 4
const MAX_URL = 1_500

/**
 * Problems with the members that were sent.
 * @param required members that must be sent.
 */
export function draftProblems(
  draft: PageRuleDraft,
  required: readonly (keyof PageRuleDraft)[],
): PageRuleProblem[] {
  return [
    ...required
      .filter((name) => draft[name] === undefined)
      .map((name) => ({ pointer: `/${name}`, problem: 'is required' })),
    ...(draft.targets === undefined ? [] : targetsProblems(draft.targets)),
    ...(draft.actions === undefined ? [] : actionsProblems(draft.actions)),
    ...(draft.priority === undefined || isPriority(draft.priority)
      ? []
      : [{ pointer: '/priority', problem: `must be a whole number from 0 to ${MAX_PRIORITY}` }]),
    ...(draft.status === undefined || draft.status === 'active' || draft.status === 'disabled'
      ? []
      : [{ pointer: '/status', problem: 'must be active or disabled' }]),
  ]
}

/** The content of a draft without problems; `otherwise` supplies members that were not sent. */
export function contentOf(draft: PageRuleDraft, otherwise: PageRuleContent): PageRuleContent {
  const sent = draft as Partial<PageRuleContent> // it has no problems
  return {
    targets: sent.targets?.map(pickTarget) ?? otherwise.targets,
    actions: sent.actions?.map(pickAction) ?? otherwise.actions,
    priority: sent.priority ?? otherwise.priority,
    status: sent.status ?? otherwise.status,
  }
}

const pickTarget = ({ constraint: { operator, value } }: PageRuleTarget): PageRuleTarget => ({
  target: 'url',
  constraint: { operator, value },
})

/** A null value means no value: some clients cannot leave the member out. */
const pickAction = ({ id, value }: PageRuleAction): PageRuleAction =>
  value === undefined || (value === null && hasNoValue(id)) ? { id } : { id, value }

const isPriority = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_PRIORITY

function targetsProblems(targets: unknown): PageRuleProblem[] {
  if (!Array.isArray(targets) || targets.length !== 1)
    return [{ pointer: '/targets', problem: 'must be a list of one target' }]
  const [{ target, constraint }] = targets.map(asObject) as [SentTarget] // the list has one
  const { operator, value } = asObject(constraint) as SentConstraint // members are checked below
  const at = '/targets/0/constraint'
  return [
    ...(target === 'url' ? [] : [{ pointer: '/targets/0/target', problem: 'must be url' }]),
    ...(OPERATORS.some((known) => known === operator)
      ? []
      : [{ pointer: `${at}/operator`, problem: `must be one of ${OPERATORS.join(', ')}` }]),
    ...urlProblems(value, operator === 'matches').map((problem) => ({ pointer: `${at}/value`, problem })),
  ]
}

interface SentTarget {
  readonly target?: unknown
  readonly constraint?: unknown
}

interface SentConstraint {
  readonly operator?: unknown
  readonly value?: unknown
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

function urlProblems(value: unknown, isPattern: boolean): string[] {
  if (typeof value !== 'string' || value === '' || value.length > MAX_URL)
    return [`must be a string of 1 to ${MAX_URL} characters`]
  if (/[\s\p{Cc}\p{Cs}]/u.test(value)) return ['must not contain whitespace or control characters']
  if (!isPattern) return []
  if (value.split('*').length - 1 > MAX_WILDCARDS) return [`has more than ${MAX_WILDCARDS} wildcards`]
  return hostOf(value) === '' ? ['must start with a host, or with a scheme and a host'] : []
}

function actionsProblems(actions: unknown): PageRuleProblem[] {
  if (!Array.isArray(actions) || actions.length === 0)
    return [{ pointer: '/actions', problem: 'must be a list of at least one setting' }]
  const ids = actions.map((action) => (asObject(action) as { readonly id?: unknown }).id) // checked next
  const problems = actions.flatMap((action, index) => {
    const { id, value } = asObject(action) as { readonly id?: unknown; readonly value?: unknown } // checked here
    const pointer = `/actions/${index}`
    if (typeof id !== 'string' || !isPageRuleSetting(id))
      return [{ pointer: `${pointer}/id`, problem: 'is not a page rule setting' }]
    if (ids.indexOf(id) !== index) return [{ pointer: `${pointer}/id`, problem: `is a duplicate: ${id}` }]
    return settingProblems(id, value).map((found) => ({
      pointer: `${pointer}/value${found.pointer}`,
      problem: found.problem,
    }))
  })
  return ids.length > 1 && ids.includes('forwarding_url')
    ? [...problems, { pointer: '/actions', problem: 'forwarding_url cannot be combined with other settings' }]
    : problems
}

/** The host of a URL pattern, wildcards and all, without its port. */
function hostOf(pattern: string): string {
  const [host = ''] = pattern.replace(/^[a-z*]*:\/\//i, '').split(/[/?]/, 1)
  return host.replace(/:\d+$/, '').toLowerCase()
}

/**
 * False if no URL of the zone can match the pattern.
 * @param zoneNames all spellings of the zone's name.
 */
export function canMatchZone({ constraint }: PageRuleTarget, zoneNames: readonly string[]): boolean {
  if (constraint.operator !== 'matches') return true
  const host = hostOf(constraint.value)
  const tail = host.slice(host.lastIndexOf('*') + 1)
  return zoneNames.some((name) => {
    if (tail === host) return host === name || host.endsWith(`.${name}`)
    // The part after the last wildcard must end with the zone's name, or be the end of it.
    return `.${name}`.endsWith(tail) || tail.endsWith(`.${name}`)
  })
}

/** Whether two rules match the same URLs and differ only in their actions. */
export function haveSameTarget(a: PageRuleContent, b: PageRuleContent): boolean {
  return JSON.stringify(a.targets) === JSON.stringify(b.targets)
}

interface Prioritized {
  readonly priority: number
}

/**
 * Rules that must move up by one to free `priority`: the rule that has it, the rule directly above that, and so
 * on up to the first gap. The other rules keep their priorities.
 */
export function inTheWay<R extends Prioritized>(priority: number, others: readonly R[]): R[] {
  const byPriority = new Map(others.map((rule) => [rule.priority, rule]))
  const moved: R[] = []
  for (let rule = byPriority.get(priority); rule !== undefined; rule = byPriority.get(rule.priority + 1))
    moved.push(rule)
  return moved
}
