// What the form of a rate limit has, and the rule that it writes.
import type { RateLimit, RuleAction, RuleDraft } from '../../api/rulesets.ts'
import { ruleStrings as text } from '../../strings/rules.ts'
import { readCharacteristic, writeCharacteristic, type Characteristic } from './characteristics.ts'
import { countingProblemOf, type ExpressionProblem } from './expression-problem.ts'

export interface RateDraft {
  readonly description: string
  readonly action: RuleAction
  readonly expression: string
  readonly characteristics: readonly Characteristic[]
  readonly requests: string
  readonly period: string
  readonly timeout: string
  /** Whether other requests count than those that match. */
  readonly countsOthers: boolean
  /** Which of them count; used if others do. */
  readonly counting: string
}

/** What a new one starts with. */
const NEW_RATE: RateLimit = {
  characteristics: ['ip.src'],
  period: 60,
  requests_per_period: 100,
  mitigation_timeout: 60,
}

export function readRate({ description, action, expression, ratelimit = NEW_RATE }: RuleDraft): RateDraft {
  const counting = ratelimit.counting_expression ?? '' // without one, matching requests count
  return {
    description,
    action,
    expression,
    characteristics: ratelimit.characteristics.map(readCharacteristic),
    requests: numeral(ratelimit.requests_per_period),
    period: numeral(ratelimit.period),
    timeout: numeral(ratelimit.mitigation_timeout),
    countsOthers: counting !== '',
    counting,
  }
}

const numeral = (value: number | undefined): string => (value === undefined ? '' : String(value))

/** Members that the form does not have stay as they are. @param draft Without problems. */
export function writeRate(draft: RateDraft, stored: RateLimit | undefined): RuleDraft {
  const {
    requests_per_period: _requests,
    mitigation_timeout: _timeout,
    counting_expression: _counting,
    ...others
  } = stored ?? NEW_RATE
  return {
    description: draft.description,
    action: draft.action,
    expression: draft.expression,
    ratelimit: {
      ...others,
      characteristics: draft.characteristics.map(writeCharacteristic),
      period: Number(draft.period),
      ...(draft.requests.trim() !== '' && { requests_per_period: Number(draft.requests) }),
      ...(draft.timeout.trim() !== '' && { mitigation_timeout: Number(draft.timeout) }),
      ...(draft.countsOthers && { counting_expression: draft.counting }),
    },
  }
}

/** Why what counts cannot be sent; undefined if it can. */
export const countingProblem = ({ countsOthers, counting }: RateDraft): ExpressionProblem | undefined =>
  countsOthers ? countingProblemOf(counting) : undefined

/** The least period that can be written: the API also takes 0, and a stored 0 may stay. */
export const leastPeriod = (stored: RateLimit | undefined): number => (stored?.period === 0 ? 0 : 1)

interface Bounds {
  readonly least: number
  readonly isOptional: boolean
}

/** Why the string is no such number; undefined if it is. */
export function numberProblem(written: string, { least, isOptional }: Bounds): string | undefined {
  const digits = written.trim()
  if (digits === '' && isOptional) return undefined
  const isWhole = /^\d+$/.test(digits) && Number.isSafeInteger(Number(digits))
  return isWhole && Number(digits) >= least ? undefined : text.rate.noNumber(least)
}
