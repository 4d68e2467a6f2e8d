// Counts one request for all rate limits that it meets: at once, when it has passed, or when it was answered.
import {
  type EvaluationContext,
  requestContext,
  type RequestFacts,
  type ResponseFacts,
} from '@zonereeve/expr'
import type { RulePlace } from '../rulesets/evaluate-request.ts'
import type { RateCounters } from './rate-counters.ts'
import type { RateLimit } from './rate-limit.ts'

/** A rule with a rate limit that a request meets. */
export interface LimitedRule {
  readonly place: Pick<RulePlace, 'ruleId'>
  readonly rateLimit: RateLimit
  readonly context: EvaluationContext
  /** The request as the rule sees it. */
  readonly facts: RequestFacts
  /** Whether the request matches the rule's expression. */
  readonly isMatching: boolean
}

export interface RequestCounting {
  /** @returns true if the rule's action is taken for this request. */
  readonly count: (rule: LimitedRule) => boolean
  /** To be called once after the decision. @returns true if the response is needed. */
  readonly settle: (isPassed: boolean) => boolean
  /** To be called when the origin has answered. */
  readonly noteAnswer: (response: ResponseFacts) => void
}

/**
 * @param scope whose counts they are: the zone.
 */
export function countRequest(counters: RateCounters, scope: string, nowMillis: number): RequestCounting {
  const waiting: { readonly rule: LimitedRule; readonly key: string }[] = []
  return { count, settle, noteAnswer }

  function count(rule: LimitedRule): boolean {
    const { place, rateLimit, context, isMatching } = rule
    const key = `${scope} ${place.ruleId} ${rateLimit.keyOf(context)}`
    if (isMatching && counters.isOver(key, rateLimit, nowMillis)) return true
    if (rateLimit.when === 'request') {
      if (isCounted(rule, rule.facts)) counters.add(key, rateLimit, 1, nowMillis)
    } else waiting.push({ rule, key })
    return false
  }

  function settle(isPassed: boolean): boolean {
    if (!isPassed) return false
    for (const { rule, key } of waiting)
      if (rule.rateLimit.when === 'passed' && isCounted(rule, rule.facts))
        counters.add(key, rule.rateLimit, 1, nowMillis)
    return waiting.some(({ rule }) => rule.rateLimit.when === 'response')
  }

  function noteAnswer(response: ResponseFacts): void {
    for (const { rule, key } of waiting) {
      const { rateLimit, facts } = rule
      if (rateLimit.when !== 'response' || !isCounted(rule, { ...facts, response })) continue
      counters.add(key, rateLimit, amountOf(rateLimit, response), nowMillis)
    }
  }
}

const isCounted = (
  { rateLimit: { counts, scheme }, isMatching }: LimitedRule,
  facts: RequestFacts,
): boolean => (counts === undefined ? isMatching : counts(requestContext(scheme, facts)))

/** The score that the origin gave the request: a whole number in a header; without one it adds nothing. */
function amountOf({ scoreHeader }: RateLimit, { headers }: ResponseFacts): number {
  if (scoreHeader === undefined) return 1
  const value = headers.find(([name]) => name.toLowerCase() === scoreHeader)?.[1].trim()
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : 0
}
