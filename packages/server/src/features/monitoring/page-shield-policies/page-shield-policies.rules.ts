// Validates content security policies: returns a policy or every violated rule.
import { checkPolicy, type Problem } from '@zonereeve/csp'
import type { Issue, Notice } from '@zonereeve/platform'
import { readExpression, RESPONSE_SCHEME, type ValidExpression } from '@zonereeve/firewall'
import type { Zone } from '../../zones/index.ts'

export type PolicyAction = 'allow' | 'log' | 'add_reporting_directives'

export interface PolicyFields {
  readonly description: string
  readonly action: PolicyAction
  /** The responses that it is sent with. */
  readonly expression: string
  readonly isEnabled: boolean
  /** The switch was sent as a string, `"true"`. */
  readonly isEnabledText: boolean
  readonly value: string
}

export interface Policy extends PolicyFields {
  readonly id: string
  readonly zoneId: string
}

/** Maximum characters of a value; browsers accept more, proxies in between may not. */
const MAX_VALUE_CHARACTERS = 6000
/** Maximum number of reported problems. */
const MAX_REPORTED = 50

/** Only the top plan includes policies (the public product's plan table). */
export const quotaOf = ({ plan }: Pick<Zone, 'plan'>, maxPolicies: number): number =>
  plan === 'enterprise' ? maxPolicies : 0

export const quotaIssues = (count: number, quota: number): Issue[] =>
  count < quota ? [] : [{ reason: 'page_shield_policy.quota', values: { count: count + 1, quota } }]

/** Returns the errors of a policy, and notices about an accepted policy. */
export function checkFields(fields: PolicyFields): { issues: Issue[]; notices: Notice[] } {
  const { action, expression, value } = fields
  if (action === 'add_reporting_directives') {
    const unused: Issue[] =
      value === '' ? [] : [{ reason: 'page_shield_policy.value_unused', pointer: '/value' }]
    return { issues: [...expressionIssues(expression), ...unused], notices: [] }
  }
  const problems = problemsOfValue(value)
  return {
    issues: [...expressionIssues(expression), ...valueIssues(value, problems)],
    // Warnings before notes about rules that are narrower than they look.
    notices: [...problems.filter(isOf('warning')), ...problems.filter(isOf('note'))]
      .slice(0, MAX_REPORTED)
      .map((problem) => noticeOf(value, problem)),
  }
}

/** Returns why a string is not a valid expression of a policy. */
export function expressionIssues(expression: string): Issue[] {
  const read = readExpression(expression, '/expression', RESPONSE_SCHEME)
  return 'ok' in read ? listIssues(read) : [read]
}

/** A list that is not there never matches, so that the policy would never be sent, or always. */
const listIssues = ({ usage: { lists } }: ValidExpression): Issue[] =>
  lists.map(({ name }) => ({
    reason: 'ruleset.not_offered',
    pointer: '/expression',
    values: { member: `$${name}`, problem: 'lists are not supported; write the values in braces' },
  }))

const isOf =
  (desired: Problem['level']) =>
  ({ level }: Problem): boolean =>
    level === desired

/** Returns why a string is not a valid policy value. */
export function valueIssues(value: string, problems: readonly Problem[] = problemsOfValue(value)): Issue[] {
  if (value.length > MAX_VALUE_CHARACTERS) {
    const values = { limit: MAX_VALUE_CHARACTERS, length: value.length }
    return [{ reason: 'page_shield_policy.value_length', pointer: '/value', values }]
  }
  return problems
    .filter(({ level }) => level === 'error')
    .slice(0, MAX_REPORTED)
    .map((problem) => ({
      reason: 'page_shield_policy.value',
      pointer: '/value',
      values: toProblemValues(value, problem),
    }))
}

/** Values that are too long are not analyzed. */
export const problemsOfValue = (value: string): readonly Problem[] =>
  value.length > MAX_VALUE_CHARACTERS ? [] : checkPolicy(value)

const noticeOf = (value: string, problem: Problem): Notice => ({
  notice: 'page_shield_policy.value',
  values: toProblemValues(value, problem),
})

const MAX_SHOWN_CHARACTERS = 100

/** Character positions are 1-based. */
function toProblemValues(value: string, { start, end, message }: Problem): Record<string, string | number> {
  const text = value.slice(start, Math.min(end, start + MAX_SHOWN_CHARACTERS))
  return { problem: message, place: start + 1, text: JSON.stringify(text) }
}
