// Rules of content-security policies: what was sent becomes a policy that can be sent, or every broken rule is told.
import { checkPolicy, type Problem } from '@zonereeve/csp'
import type { Issue, Notice } from '../../platform/domain-error.ts'
import { readExpression, RESPONSE_SCHEME } from '../filters/index.ts'
import type { Zone } from '../zones/index.ts'

export type PolicyAction = 'allow' | 'log' | 'add_reporting_directives'

export interface PolicyFields {
  readonly description: string
  readonly action: PolicyAction
  /** Which responses it is sent with. */
  readonly expression: string
  readonly isEnabled: boolean
  /** The switch was sent as a text, `"true"`. */
  readonly isEnabledText: boolean
  readonly value: string
}

export interface Policy extends PolicyFields {
  readonly id: string
  readonly zoneId: string
}

/** Characters of a value; browsers take more, proxies between may not. */
const MAX_VALUE_CHARACTERS = 6000
/** Problems that are told: a value that is wrong a thousand times is wrong. */
const MAX_TOLD = 50

/** Only the plan with everything has policies (the public product's table of plans). */
export const quotaOf = ({ plan }: Pick<Zone, 'plan'>, maxPolicies: number): number =>
  plan === 'enterprise' ? maxPolicies : 0

export const quotaIssues = (count: number, quota: number): Issue[] =>
  count < quota ? [] : [{ reason: 'page_shield_policy.quota', values: { count: count + 1, quota } }]

/** What is wrong with a policy, and what its owner should know although it is stored. */
export function checkFields(fields: PolicyFields): { issues: Issue[]; notices: Notice[] } {
  const { action, expression, value } = fields
  const read = readExpression(expression, '/expression', RESPONSE_SCHEME)
  const expressionIssues = 'ok' in read ? [] : [read]
  if (action === 'add_reporting_directives') {
    const unused: Issue[] =
      value === '' ? [] : [{ reason: 'page_shield_policy.value_unused', pointer: '/value' }]
    return { issues: [...expressionIssues, ...unused], notices: [] }
  }
  const problems = problemsOfValue(value)
  return {
    issues: [...expressionIssues, ...valueIssues(value, problems)],
    // What is wrong before what is only narrower than it looks.
    notices: [...problems.filter(isOf('warning')), ...problems.filter(isOf('note'))]
      .slice(0, MAX_TOLD)
      .map((problem) => noticeOf(value, problem)),
  }
}

const isOf =
  (wanted: Problem['level']) =>
  ({ level }: Problem): boolean =>
    level === wanted

/** What a text is refused for as a policy's value. */
export function valueIssues(value: string, problems: readonly Problem[] = problemsOfValue(value)): Issue[] {
  if (value.length > MAX_VALUE_CHARACTERS) {
    const values = { limit: MAX_VALUE_CHARACTERS, length: value.length }
    return [{ reason: 'page_shield_policy.value_length', pointer: '/value', values }]
  }
  return problems
    .filter(({ level }) => level === 'error')
    .slice(0, MAX_TOLD)
    .map((problem) => ({
      reason: 'page_shield_policy.value',
      pointer: '/value',
      values: placed(value, problem),
    }))
}

/** A value that is too long is not looked at. */
export const problemsOfValue = (value: string): readonly Problem[] =>
  value.length > MAX_VALUE_CHARACTERS ? [] : checkPolicy(value)

const noticeOf = (value: string, problem: Problem): Notice => ({
  notice: 'page_shield_policy.value',
  values: placed(value, problem),
})

const MAX_SHOWN_CHARACTERS = 100

/** Characters are counted from 1, as people do. */
function placed(value: string, { start, end, message }: Problem): Record<string, string | number> {
  const text = value.slice(start, Math.min(end, start + MAX_SHOWN_CHARACTERS))
  return { problem: message, place: start + 1, text: JSON.stringify(text) }
}
