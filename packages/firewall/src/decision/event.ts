// The rule named by the security event of a request: the rule that ended the request, else the first rule that logged
// it.
import { MANAGED_RULES } from '../managed-rules/catalogue/registry.ts'
import { MANAGED_RULESET_ID } from '../managed-rules/managed-rulesets.ts'
import { isReportedToZones } from '../rulesets/managed.ts'
import type { Firewall, Step } from '../rulesets/evaluate-request.ts'
import type { Level } from '../rulesets/ruleset.ts'
import type { Decision } from './decide.ts'
import { NEW_NAMES } from './effective.ts'

/** Actions that create events; the other actions neither end nor log a request. */
export const EVENT_ACTIONS = [
  'block',
  'challenge',
  'force_connection_close',
  'js_challenge',
  'log',
  'managed_challenge',
  'redirect',
  'skip',
] as const
export type EventAction = (typeof EVENT_ACTIONS)[number]

export const EVENT_SOURCES = [
  'asn',
  'bic',
  'bulkRedirect',
  'country',
  'dynamicRedirect',
  'firewallCustom',
  'firewallManaged',
  'hot',
  'ip',
  'ipRange',
  'l7ddos',
  'ratelimit',
  'securityLevel',
  'uaBlock',
  'waf',
  'zoneLockdown',
] as const
export type EventSource = (typeof EVENT_SOURCES)[number]

/** Event source by target of an IP access rule. */
const ACCESS_SOURCES: Readonly<Record<string, EventSource>> = {
  ip: 'ip',
  ip6: 'ip',
  ip_range: 'ipRange',
  asn: 'asn',
  country: 'country',
}

/** Event source by deciding stage. */
const SOURCES: Readonly<Record<string, EventSource>> = {
  http_request_dynamic_redirect: 'dynamicRedirect',
  ddos_l7: 'l7ddos',
  http_request_firewall_custom: 'firewallCustom',
  http_ratelimit: 'ratelimit',
  http_request_firewall_managed: 'firewallManaged',
  http_request_redirect: 'bulkRedirect',
  zone_lockdown: 'zoneLockdown',
  user_agent: 'uaBlock',
  browser_integrity_check: 'bic',
  hotlink_protection: 'hot',
  security_level: 'securityLevel',
}

/** What an event says about the rule. */
export interface EventRule {
  readonly action: EventAction
  readonly source: EventSource
  /** null, like phase and ruleset, for the legacy managed rules. */
  readonly level: Level | null
  readonly phase: string | null
  readonly rulesetId: string | null
  readonly ruleId: string
  /** null for an account's own rules, like the expression. */
  readonly description: string | null
  readonly expression: string | null
  /** The field in which a managed rule matched. */
  readonly matchedField: string | null
  /** A field of which managed rules did not inspect a part. */
  readonly uninspectedField: string | null
}

type RuleOnly = Omit<EventRule, 'uninspectedField'>

const LIMIT_RULE = MANAGED_RULES.find(({ detection }) => detection.kind === 'incomplete')
if (LIMIT_RULE === undefined)
  throw new Error('no managed rule is about requests that were not inspected whole')

/** The event that the rule of this category would log if it were on. */
const NOT_WHOLE: RuleOnly = {
  action: 'log',
  source: 'firewallManaged',
  level: 'zone',
  phase: 'http_request_firewall_managed',
  rulesetId: MANAGED_RULESET_ID,
  ruleId: LIMIT_RULE.id,
  description: LIMIT_RULE.description,
  expression: null,
  matchedField: null,
}

/**
 * Requests that managed rules did not inspect whole are events, too: an attack may be in the rest.
 *
 * @returns undefined if no rule ended or logged the request.
 */
export function eventRuleOf(
  decision: Pick<Decision, 'verdict' | 'legacy' | 'uninspectedField'>,
  firewall: Firewall,
): EventRule | undefined {
  const rule = ruleOf(decision, firewall) ?? (decision.uninspectedField === undefined ? undefined : NOT_WHOLE)
  return rule && { ...rule, uninspectedField: decision.uninspectedField ?? null }
}

function ruleOf(
  { verdict, legacy: { decision } }: Pick<Decision, 'verdict' | 'legacy'>,
  firewall: Firewall,
): RuleOnly | undefined {
  const matched = verdict.steps.filter(({ outcome }) => outcome === 'matched')
  const logged = matched.find(({ action }) => action === 'log')
  // Phases that only change requests have no events.
  const skipped = matched.find(({ isLogged, phase }) => isLogged === true && SOURCES[phase] !== undefined)
  if (verdict.by !== undefined) return byStep(matched.at(-1), firewall)
  const isLegacyEnding = decision?.action === 'block' || decision?.action === 'challenge'
  if (decision !== null && isLegacyEnding) return byLegacy(decision)
  if (logged !== undefined) return byStep(logged, firewall)
  if (decision?.action === 'simulate') return byLegacy(decision)
  return skipped && byStep(skipped, firewall)
}

function byStep(step: Step | undefined, firewall: Firewall): RuleOnly {
  if (step === undefined) throw new Error('the rule that ended the request is not among those that matched')
  const { level, phase, rulesetId, ruleId, ref, description, detected } = step
  const action = EVENT_ACTIONS.find((name) => name === step.action)
  const source = phase === 'ip_access' ? ACCESS_SOURCES[ref] : SOURCES[phase]
  if (action === undefined || source === undefined)
    throw new Error(`no event exists for ${step.action} in ${phase}`)
  const isReported = isReportedToZones(step)
  return {
    action,
    source,
    level,
    phase,
    rulesetId,
    ruleId,
    description: isReported ? description : null,
    expression: isReported ? expressionOf(step, firewall) : null,
    matchedField: detected === undefined ? null : fieldOf(detected),
  }
}

/** Without the key: events do not store names of parameters and members. */
const fieldOf = ({ field }: { readonly field: string }): string => field.replace(/\[.*$/s, '')

/** null for managed rules, which have no expression. */
function expressionOf({ level, phase, rulesetId, ruleId }: Step, firewall: Firewall): string | null {
  const entryPoint = firewall.entryPoints[level].get(phase)
  const ruleset = entryPoint?.id === rulesetId ? entryPoint : firewall.custom.get(rulesetId)
  const expression = ruleset?.rules.find(({ id }) => id === ruleId)?.expression
  return expression === undefined ? null : shortenText(expression)
}

/** Only the expressions of lockdown rules, which are made of many URLs, can be longer. */
const MAX_EXPRESSION = 4_096
const shortenText = (expression: string): string =>
  expression.length > MAX_EXPRESSION ? `${expression.slice(0, MAX_EXPRESSION - 1)}…` : expression

type Decided = NonNullable<Decision['legacy']['decision']>

function byLegacy({ action, ruleId, matches }: Decided): RuleOnly {
  const match = matches.find(({ rule, effect }) => rule.legacy?.id === ruleId && effect === action)
  const name = NEW_NAMES[action]
  if (name === 'allow' || ruleId === null) throw new Error('a request that passes has no event')
  return {
    action: name,
    source: 'waf',
    level: null,
    phase: null,
    rulesetId: null,
    ruleId,
    description: match?.rule.description ?? null,
    expression: null,
    matchedField: match === undefined ? null : fieldOf(match.detected),
  }
}
