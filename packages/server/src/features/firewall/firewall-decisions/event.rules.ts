// The security event of a decided request: from the rule that ended it, else from the first rule that logged
// it.
import { decodeUtf8 } from '@zonereeve/expr'
import {
  isReportedToZones,
  type FirewallAnswer,
  type DescribedRequest,
  type Firewall,
  type Step,
} from '../rulesets/index.ts'
import { keptOf, type EventAction, type EventSource, type NewEvent } from '../security-events/index.ts'
import type { ZoneLegacyDecision } from '../waf-migration/index.ts'
import { NEW_NAMES } from './effective.rules.ts'

/** Actions that create events; the other actions neither end nor log a request. */
const EVENT_ACTIONS: ReadonlySet<string> = new Set<EventAction>([
  'block',
  'challenge',
  'js_challenge',
  'log',
  'managed_challenge',
  'redirect',
  'skip',
])

/** Event source by deciding phase. */
const SOURCES: Readonly<Record<string, EventSource>> = {
  http_request_dynamic_redirect: 'dynamicRedirect',
  http_request_firewall_custom: 'firewallCustom',
  http_ratelimit: 'ratelimit',
  http_request_firewall_managed: 'firewallManaged',
}

/** @returns undefined if no rule ended or logged the request. */
export function eventOf(
  { verdict, request }: FirewallAnswer,
  { decision }: ZoneLegacyDecision,
  firewall: Firewall,
  { method, ip }: DescribedRequest,
): NewEvent | undefined {
  const { host, target } = request.facts
  const remaining = keptOf(method, decodeUtf8(host), decodeUtf8(target), ip)
  const matched = verdict.steps.filter(({ outcome }) => outcome === 'matched')
  const logged = matched.find(({ action }) => action === 'log')
  const skipped = matched.find(({ isLogged }) => isLogged === true)
  if (verdict.by !== undefined) return { ...byStep(matched.at(-1), firewall), ...remaining }
  const isLegacyEnding = decision?.action === 'block' || decision?.action === 'challenge'
  if (decision !== null && isLegacyEnding) return { ...byLegacy(decision), ...remaining }
  if (logged !== undefined) return { ...byStep(logged, firewall), ...remaining }
  if (decision?.action === 'simulate') return { ...byLegacy(decision), ...remaining }
  return skipped && { ...byStep(skipped, firewall), ...remaining }
}

type OfRule = Omit<NewEvent, 'method' | 'host' | 'path' | 'ip'>

function byStep(step: Step | undefined, firewall: Firewall): OfRule {
  if (step === undefined) throw new Error('the rule that ended the request is not among those that matched')
  const { action, level, phase, rulesetId, ruleId, description, detected } = step
  const source = SOURCES[phase]
  if (!EVENT_ACTIONS.has(action) || source === undefined)
    throw new Error(`no event exists for ${action} in ${phase}`)
  const isReported = isReportedToZones(step)
  return {
    action: action as EventAction, // checked above
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
  return ruleset?.rules.find(({ id }) => id === ruleId)?.expression ?? null
}

function byLegacy({ action, ruleId, matches }: NonNullable<ZoneLegacyDecision['decision']>): OfRule {
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
