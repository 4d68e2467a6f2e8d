// Checks a rule: its action in its phase, the action's parameters, the expression, and what the plan allows.
import { parseExpression, usageOf, type LogicalNode } from '@zonereeve/expr'
import type { Issue } from '@zonereeve/platform'
import {
  type ActionName,
  ACTIONS,
  expression as expressionShape,
  expressionIssues,
  isActionName,
  type JsonObject,
  type Level,
  type PhaseName,
  phaseOf,
  leakedPasswords,
  pointerTo,
  requiredIssue,
  type RuleDefinition,
  type RuleDraft,
  type RulesetKind,
  offeredSchemeOf,
  valueIssue,
} from '@zonereeve/firewall'
import type { SentRule } from './sent-rule.ts'

export type Plan = 'free' | 'pro' | 'business' | 'enterprise'

export interface RuleContext {
  readonly level: Level
  readonly phase: PhaseName
  readonly kind: RulesetKind
  /** Plan of the zone; accounts have no plan limits. */
  readonly plan: Plan
}

/**
 * Maximum bytes of the regex automatons of a rule, and of all rules of a ruleset. The language allows forty
 * times as much in an expression, but compiling that would block all other requests for seconds; this limit
 * takes a tenth of a second.
 */
export const MAX_RULE_REGEX_BYTES = 262_144
export const MAX_RULESET_REGEX_BYTES = 16 * MAX_RULE_REGEX_BYTES

export interface CheckedRule {
  /** Undefined if the rule has issues. */
  readonly draft: RuleDraft | undefined
  readonly issues: readonly Issue[]
}

/** Checks a rule by itself, without other rules and rulesets. Reports all issues at once. */
export function checkRule(sent: SentRule, context: RuleContext): CheckedRule {
  if (!sent.isObject) return { draft: undefined, issues: sent.issues }
  const { notOffered } = phaseOf(context.phase)
  if (notOffered !== undefined) {
    const values = { member: context.phase, problem: notOffered }
    return { draft: undefined, issues: [{ reason: 'ruleset.not_offered', pointer: sent.at, values }] }
  }
  const issues: Issue[] = [...sent.issues]
  const action = readAction(sent, context, issues)
  if (action !== undefined) issues.push(...parameterIssues(sent, action, context))
  const { node, faults } = readExpression(sent, context)
  issues.push(...faults, ...memberIssues(sent, action, context))
  if (node !== undefined) issues.push(...entitlementIssues(node, sent, context))
  if (node !== undefined && action === 'execute') issues.push(...scopeIssues(node, sent, context))
  if (issues.length > 0 || action === undefined || node === undefined) return { draft: undefined, issues }
  return { draft: toDraft(sent, action, usageOf(node).regexBytes), issues }
}

function readAction(sent: SentRule, { phase }: RuleContext, issues: Issue[]): ActionName | undefined {
  const at = pointerTo(sent.at, 'action')
  const { action } = sent
  if (!sent.sent.has('action') || action === '') {
    const hasParameters = sent.sent.has('action_parameters')
    issues.push(hasParameters ? { reason: 'ruleset.action_required', pointer: at } : requiredIssue(at))
    return undefined
  }
  if (action === undefined) return undefined // wrong type, already reported
  if (!isActionName(action)) {
    issues.push(valueIssue(at, action, 'there is no such action'))
    return undefined
  }
  const allowed = phaseOf(phase).actions
  if (!allowed.includes(action)) {
    const problem = `in the phase ${phase} it must be one of ${allowed.join(', ')}`
    issues.push(valueIssue(at, action, problem))
  }
  return action
}

function parameterIssues(
  sent: SentRule,
  action: ActionName,
  { phase, level }: RuleContext,
): readonly Issue[] {
  const { parameters, needsParameters } = ACTIONS[action]
  const at = pointerTo(sent.at, 'action_parameters')
  if (sent.parameters === undefined) {
    const isMissing = needsParameters && !sent.sent.has('action_parameters')
    return isMissing ? [{ reason: 'ruleset.parameters_required', pointer: at, values: { action } }] : []
  }
  return parameters(sent.parameters, at, { scheme: offeredSchemeOf(phase, level), phase })
}

function readExpression(
  sent: SentRule,
  { phase, level }: RuleContext,
): { readonly node?: LogicalNode; readonly faults: readonly Issue[] } {
  const pointer = pointerTo(sent.at, 'expression')
  const source = sent.expression
  if (!sent.sent.has('expression') || source?.trim() === '')
    return { faults: [{ reason: 'ruleset.expression_blank', pointer }] }
  if (source === undefined) return { faults: [] }
  let node: LogicalNode | undefined
  const faults = expressionIssues(source, pointer, () => {
    const limits = { maxRegexBytes: MAX_RULE_REGEX_BYTES }
    node = parseExpression(source, offeredSchemeOf(phase, level), { limits })
    return []
  })
  return node === undefined ? { faults } : { node, faults }
}

/** Checks the members other than action and expression. */
function memberIssues(sent: SentRule, action: ActionName | undefined, context: RuleContext): Issue[] {
  const issues: Issue[] = []
  if (sent.logging !== undefined && action !== undefined && action !== 'skip')
    issues.push({ reason: 'ruleset.logging', pointer: pointerTo(sent.at, 'logging') })
  issues.push(...exposedCheckIssues(sent, context))
  if (context.level === 'account' && action === 'skip' && sent.parameters?.['phase'] !== undefined) {
    const pointer = pointerTo(pointerTo(sent.at, 'action_parameters'), 'phase')
    issues.push(
      valueIssue(pointer, sent.parameters['phase'], 'it is only for zones; list the phases in phases'),
    )
  }
  if (
    action === 'redirect' &&
    context.phase === 'http_request_dynamic_redirect' &&
    sent.parameters?.['from_list']
  ) {
    const pointer = pointerTo(pointerTo(sent.at, 'action_parameters'), 'from_list')
    issues.push(
      valueIssue(pointer, sent.parameters['from_list'], 'lists are for the phase http_request_redirect'),
    )
  }
  return [...issues, ...rateLimitIssues(sent, action, context)]
}

function exposedCheckIssues({ sent, at, exposedCheck }: SentRule, { phase, level }: RuleContext): Issue[] {
  const member = 'exposed_credential_check'
  const pointer = pointerTo(at, member)
  if (!sent.has(member)) return []
  if (leakedPasswords() === undefined) {
    const problem = 'it needs a collection of leaked passwords (--leaked-passwords)'
    return [{ reason: 'ruleset.not_offered', pointer, values: { member, problem } }]
  }
  if (phase !== 'http_request_firewall_custom')
    return [valueIssue(pointer, exposedCheck, 'it is for rules of the phase http_request_firewall_custom')]
  const context = { scheme: offeredSchemeOf(phase, level) }
  return Object.entries({ ...exposedCheck }).flatMap(([name, source]) =>
    credentialValue(source, pointerTo(pointer, name), context),
  )
}

const credentialValue = expressionShape('value')

const COUNTED_APART = ['cf.colo.id', 'cf.unique_visitor_id']

function rateLimitIssues(sent: SentRule, action: ActionName | undefined, context: RuleContext): Issue[] {
  const at = pointerTo(sent.at, 'ratelimit')
  const isLimiting = context.phase === 'http_ratelimit'
  if (!sent.sent.has('ratelimit')) {
    const isMissing = isLimiting && action !== undefined && action !== 'execute' && action !== 'skip'
    return isMissing ? [requiredIssue(at)] : []
  }
  if (!isLimiting)
    return [valueIssue(at, sent.ratelimit, 'rate limits are for rules of the phase http_ratelimit')]
  const { ratelimit } = sent
  if (ratelimit === undefined) return []
  const issues: Issue[] = []
  if (ratelimit['requests_per_period'] === undefined && ratelimit['score_per_period'] === undefined)
    issues.push(requiredIssue(pointerTo(at, 'requests_per_period')))
  const scores = ['score_per_period', 'score_response_header_name'].filter(
    (name) => ratelimit[name] !== undefined,
  )
  if (scores.length === 1) {
    const [there] = scores
    const other = there === 'score_per_period' ? 'score_response_header_name' : 'score_per_period'
    issues.push(requiredIssue(pointerTo(at, other)))
  }
  return [
    ...issues,
    ...characteristicIssues(ratelimit, at, context),
    ...countingIssues(ratelimit, at, context),
  ]
}

/** Characteristics that rate limits count requests by: fields of the request, and two that are not fields. */
function characteristicIssues(ratelimit: JsonObject, at: string, { level, phase }: RuleContext): Issue[] {
  const names = ratelimit['characteristics'] as readonly string[] // checked when the rule was parsed
  const context = { scheme: offeredSchemeOf(phase, level) }
  return names.flatMap((name, index) => {
    const place = pointerTo(pointerTo(at, 'characteristics'), index)
    return COUNTED_APART.includes(name) ? [] : characteristic(name, place, context)
  })
}

const characteristic = expressionShape('value')

function countingIssues(ratelimit: JsonObject, at: string, { level, phase }: RuleContext): readonly Issue[] {
  const source = ratelimit['counting_expression']
  if (typeof source !== 'string' || source === '') return []
  return expressionIssues(source, pointerTo(at, 'counting_expression'), () => {
    parseExpression(source, offeredSchemeOf(phase, level, true), {
      limits: { maxRegexBytes: MAX_RULE_REGEX_BYTES },
    })
    return []
  })
}

const MAY_MATCH: readonly Plan[] = ['business', 'enterprise']

/** Issues for what the zone's plan does not allow, or what no plan allows. */
function entitlementIssues(node: LogicalNode, sent: SentRule, { plan, phase }: RuleContext): Issue[] {
  const issues: Issue[] = []
  const { regexes } = usageOf(node)
  // Managed-rule exceptions are migrated from firewall rules, whose filters may use matches on every plan:
  // still allowed.
  const isException = sent.action === 'skip' && phase === 'http_request_firewall_managed'
  if (regexes > 0 && !isException && !MAY_MATCH.includes(plan)) {
    const problem =
      'the use of operator Matches is not allowed, a Business plan or a WAF Advanced plan is required'
    issues.push({
      reason: 'ruleset.not_entitled',
      pointer: pointerTo(sent.at, 'expression'),
      values: { problem },
    })
  }
  if (sent.action === 'log' && plan !== 'enterprise') {
    const problem = 'the use of action log is not allowed, an Enterprise plan is required'
    issues.push({
      reason: 'ruleset.not_entitled',
      pointer: pointerTo(sent.at, 'action'),
      values: { problem },
    })
  }
  return issues
}

/** Rules of an account apply to its enterprise zones only, and the expression of an execute rule must say so. */
function scopeIssues(node: LogicalNode, sent: SentRule, { level }: RuleContext): Issue[] {
  if (level === 'zone' || endsInPlan(node)) return []
  const problem =
    'at the account level the expression of an execute rule must end with and cf.zone.plan eq "ENT"'
  return [valueIssue(pointerTo(sent.at, 'expression'), sent.expression, problem)]
}

function endsInPlan(node: LogicalNode): boolean {
  if (node.kind === 'combine') {
    const last = node.items.at(-1)
    return node.op === 'and' && last !== undefined && endsInPlan(last)
  }
  if (node.kind !== 'comparison') return false
  const { lhs, test } = node
  return (
    lhs.base.kind === 'field' &&
    lhs.base.name === 'cf.zone.plan' &&
    test.op === 'eq' &&
    test.rhs.kind === 'bytes' &&
    test.rhs.value === 'ENT'
  )
}

function toDraft(sent: SentRule, action: ActionName, regexBytes: number): RuleDraft {
  const { at, id, ref, parameters, expression = '', description, enabled = true, logging } = sent
  const { ratelimit, exposedCheck } = sent
  const definition: RuleDefinition = {
    action,
    ...(parameters === undefined ? {} : { parameters }),
    expression,
    ...(description === undefined ? {} : { description }),
    enabled,
    ...(logging === undefined ? {} : { logging }),
    ...(ratelimit === undefined ? {} : { ratelimit }),
    ...(exposedCheck === undefined ? {} : { exposedCheck }),
  }
  return { at, id, ref, regexBytes, definition }
}
