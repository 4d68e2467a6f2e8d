// The decision of a zone about a request: its rulesets, then its legacy WAF. Traces, decisions over the API and the
// edge all use this function, so that they agree.
import { compileExpression, requestContext, type Condition, type ListFacts } from '@zonereeve/expr'
import { type CompiledCredentials, withCredentials } from '../credentials/credential-check.ts'
import { REQUEST_SCHEME } from '../expression.ts'
import { uninspectedField } from '../managed-rules/detection.ts'
import type { InspectedRequest } from '../managed-rules/inspected-request.ts'
import {
  evaluateRequest,
  type EvaluateOptions,
  type Firewall,
  type Verdict,
} from '../rulesets/evaluate-request.ts'
import { effectiveOf, type Effective } from './effective.ts'
import { decideLegacyZone, type LegacyZone, type ZoneLegacyDecision } from './legacy-zone.ts'
import type { UrlNormalization } from './request-facts.ts'
import { REFUSED_STATUS, responseOf, type FirewallResponse } from './response.ts'

/** What decides about the requests to a zone. */
export interface DecidingZone {
  readonly firewall: Firewall
  readonly legacy: LegacyZone
  /** Conditions of the legacy WAF, compiled on first use. */
  readonly conditionOf: (expression: string) => Condition
  readonly normalization: UrlNormalization
  readonly lists: ListFacts
  /** undefined if credentials are not checked. */
  readonly credentials: CompiledCredentials | undefined
}

export interface Decision {
  readonly verdict: Verdict
  readonly legacy: ZoneLegacyDecision
  readonly effective: Effective
  /** undefined if the request passes. */
  readonly response: FirewallResponse | undefined
  /** A field of which managed rules did not inspect a part, because of a limit; undefined if there is none. */
  readonly uninspectedField: string | undefined
}

export interface DecideOptions extends EvaluateOptions {
  /** True to evaluate the legacy WAF although a ruleset has already ended the request. */
  readonly isComplete?: boolean
}

const NOT_EVALUATED: ZoneLegacyDecision = { inactive: null, decision: null }

/** Pure except for `count`. */
export function decideRequest(
  { firewall, legacy, conditionOf, credentials }: DecidingZone,
  received: InspectedRequest,
  { isComplete = false, ...options }: DecideOptions = {},
): Decision {
  const request = credentials === undefined ? received : withCredentials(received, credentials)
  const verdict = evaluateRequest(firewall, request, options)
  const isEnded = verdict.action !== undefined
  // The legacy WAF spends from the same budget.
  const { facts, request: changed } = verdict.changes
  const old =
    isEnded && !isComplete
      ? NOT_EVALUATED
      : decideLegacyZone(
          legacy,
          changed,
          (expression) => conditionOf(expression)(requestContext(REQUEST_SCHEME, facts)),
          verdict.skippedProducts.includes('waf'),
        )
  const isOldCleared =
    old.decision?.action === 'challenge' &&
    old.decision.ruleId !== null &&
    options.isCleared?.(old.decision.ruleId) === true
  const effective = effectiveOf(verdict, isOldCleared ? NOT_EVALUATED : old)
  const isLegacyEnding = effective.by === 'old' && effective.action !== 'log'
  const response = isLegacyEnding ? { statusCode: REFUSED_STATUS } : responseOf(verdict, firewall, facts)
  const uncovered =
    verdict.uninspectedField ?? (old.decision === null ? undefined : uninspectedField(changed))
  return {
    verdict,
    legacy: isOldCleared ? NOT_EVALUATED : old,
    effective,
    response,
    uninspectedField: uncovered,
  }
}

/** Compiles each expression once. */
export function createConditions(): DecidingZone['conditionOf'] {
  const compiled = new Map<string, Condition>()
  return (expression) => {
    const condition = compiled.get(expression) ?? compileExpression(expression, REQUEST_SCHEME)
    compiled.set(expression, condition)
    return condition
  }
}
