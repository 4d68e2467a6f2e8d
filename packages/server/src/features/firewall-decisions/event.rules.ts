// The security event of a decided request: of the rule that ended it, or else of the first that noted it.
import { decodeUtf8 } from '@zonereeve/expr'
import {
  isToldToZones,
  type Asked,
  type DescribedRequest,
  type Firewall,
  type Step,
} from '../rulesets/index.ts'
import { keptOf, type EventAction, type EventSource, type NewEvent } from '../security-events/index.ts'
import type { PreviousDecision } from '../waf-migration/index.ts'
import { NEW_NAMES } from './effective.rules.ts'

/** Actions that events are made of; of the others, none ends or notes a request. */
const EVENT_ACTIONS: ReadonlySet<string> = new Set<EventAction>([
  'block',
  'challenge',
  'js_challenge',
  'log',
  'managed_challenge',
  'redirect',
  'skip',
])

/** By the phases that decide. */
const SOURCES: Readonly<Record<string, EventSource>> = {
  http_request_dynamic_redirect: 'dynamicRedirect',
  http_request_firewall_custom: 'firewallCustom',
  http_ratelimit: 'ratelimit',
  http_request_firewall_managed: 'firewallManaged',
}

/** @returns undefined where no rule ended the request or noted it. */
export function eventOf(
  { verdict, request }: Asked,
  { decision }: PreviousDecision,
  firewall: Firewall,
  { method, ip }: DescribedRequest,
): NewEvent | undefined {
  const { host, target } = request.facts
  const kept = keptOf(method, decodeUtf8(host), decodeUtf8(target), ip)
  const matched = verdict.steps.filter(({ outcome }) => outcome === 'matched')
  const logged = matched.find(({ action }) => action === 'log')
  const skipped = matched.find(({ isLogged }) => isLogged === true)
  if (verdict.by !== undefined) return { ...byStep(matched.at(-1), firewall), ...kept }
  const isOldEnding = decision?.action === 'block' || decision?.action === 'challenge'
  if (decision !== null && isOldEnding) return { ...byPrevious(decision), ...kept }
  if (logged !== undefined) return { ...byStep(logged, firewall), ...kept }
  if (decision?.action === 'simulate') return { ...byPrevious(decision), ...kept }
  return skipped && { ...byStep(skipped, firewall), ...kept }
}

type OfRule = Omit<NewEvent, 'method' | 'host' | 'path' | 'ip'>

function byStep(step: Step | undefined, firewall: Firewall): OfRule {
  if (step === undefined) throw new Error('the rule that ended the request is not among those that matched')
  const { action, level, phase, rulesetId, ruleId, description, detected } = step
  const source = SOURCES[phase]
  if (!EVENT_ACTIONS.has(action) || source === undefined)
    throw new Error(`no event is made of ${action} in ${phase}`)
  const isTold = isToldToZones(step)
  return {
    action: action as EventAction, // as just looked up
    source,
    level,
    phase,
    rulesetId,
    ruleId,
    description: isTold ? description : null,
    expression: isTold ? expressionOf(step, firewall) : null,
    matchedField: detected === undefined ? null : fieldOf(detected),
  }
}

/** Without the key: names of parameters and members are part of what events do not keep. */
const fieldOf = ({ field }: { readonly field: string }): string => field.replace(/\[.*$/s, '')

/** null for managed rules, which have none. */
function expressionOf({ level, phase, rulesetId, ruleId }: Step, firewall: Firewall): string | null {
  const entryPoint = firewall.entryPoints[level].get(phase)
  const ruleset = entryPoint?.id === rulesetId ? entryPoint : firewall.custom.get(rulesetId)
  return ruleset?.rules.find(({ id }) => id === ruleId)?.expression ?? null
}

function byPrevious({ action, ruleId, matches }: NonNullable<PreviousDecision['decision']>): OfRule {
  const match = matches.find(({ rule, effect }) => rule.legacy?.id === ruleId && effect === action)
  const name = NEW_NAMES[action]
  if (name === 'allow') throw new Error('a request that passes has no event')
  return {
    action: name,
    source: 'waf',
    level: null,
    phase: null,
    rulesetId: null,
    ruleId: ruleId ?? '',
    description: match?.rule.description ?? null,
    expression: null,
    matchedField: match === undefined ? null : fieldOf(match.detected),
  }
}
