// The rate limit of a rule: which requests count, what they are counted by, and how many are too many.
import {
  compileExpression,
  compileValueExpression,
  type Condition,
  type EvaluationContext,
  isArray,
  parseExpression,
  type Scheme,
  usageOf,
} from '@zonereeve/expr'
import type { JsonObject } from '../rulesets/ruleset.ts'

/** When a request is counted. */
export type CountedWhen =
  /** As soon as it is decided about. */
  | 'request'
  /** If it is passed on to the origin. */
  | 'passed'
  /** When the origin has answered. */
  | 'response'

export interface RateLimit {
  readonly periodMillis: number
  /** How long the action lasts once the limit is reached; 0 = as long as the rate is above it. */
  readonly mitigationMillis: number
  /** Requests per period, or the sum of their scores. */
  readonly limit: number
  readonly when: CountedWhen
  /** Which requests count; undefined: those that match the rule. May use fields of the response. */
  readonly counts: Condition | undefined
  /** The scheme of `counts`. */
  readonly scheme: Scheme
  /** The header of the response with the score of a request, in lower case; undefined: each counts once. */
  readonly scoreHeader: string | undefined
  /** What requests are counted by: equal for requests that share a count. */
  readonly keyOf: (context: EvaluationContext) => string
}

interface SentRateLimit {
  readonly characteristics: readonly string[]
  readonly period: number
  readonly requests_per_period?: number
  readonly mitigation_timeout?: number
  readonly counting_expression?: string
  readonly requests_to_origin?: boolean
  readonly score_per_period?: number
  readonly score_response_header_name?: string
}

/** There is one place, and a visitor without cookies of the vendor is known by the address alone. */
const REPLACED: Readonly<Record<string, string | undefined>> = {
  'cf.colo.id': undefined,
  'cf.unique_visitor_id': 'ip.src',
}

/**
 * Compiles the member `ratelimit` of a rule, which was validated when the rule was saved.
 *
 * @param scheme of the rule's expression.
 * @param responseScheme the same with fields of the response.
 * @throws ExprError for an expression that cannot be compiled.
 */
export function compileRateLimit(sent: JsonObject, scheme: Scheme, responseScheme: Scheme): RateLimit {
  const {
    characteristics,
    period,
    requests_per_period: requests,
    mitigation_timeout: timeout = 0, // without one, only surplus requests are stopped
    counting_expression: counting,
    requests_to_origin: isToOrigin,
    score_per_period: score,
    score_response_header_name: header,
  } = sent as unknown as SentRateLimit // checked by its shape
  const limit = score ?? requests
  if (limit === undefined) throw new Error('a rate limit without a limit was saved')
  const readsResponse = counting !== undefined && counting !== '' && usesResponse(counting, responseScheme)
  return {
    periodMillis: period * 1_000,
    mitigationMillis: timeout * 1_000,
    limit,
    when: readsResponse || header !== undefined ? 'response' : isToOrigin === true ? 'passed' : 'request',
    counts:
      counting === undefined || counting === '' ? undefined : compileExpression(counting, responseScheme),
    scheme: responseScheme,
    scoreHeader: header?.toLowerCase(),
    keyOf: keyBy(characteristics, scheme),
  }
}

const usesResponse = (source: string, scheme: Scheme): boolean =>
  usageOf(parseExpression(source, scheme)).fields.some((name) =>
    /^(?:raw\.)?(?:http|cf)\.response\./.test(name),
  )

function keyBy(characteristics: readonly string[], scheme: Scheme): RateLimit['keyOf'] {
  const readers = characteristics
    .map((name) => (Object.hasOwn(REPLACED, name) ? REPLACED[name] : name))
    .filter((name) => name !== undefined)
    .map((name) => compileValueExpression(name, scheme))
  return (context) => shortenKey(JSON.stringify(readers.map((read) => plain(read(context)))))
}

const MAX_KEY = 256
const SHOWN_OF_KEY = 192

/** Clients choose header values: long keys are told apart by a hash of 32 bits (FNV-1a) and their length. */
function shortenKey(key: string): string {
  if (key.length <= MAX_KEY) return key
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return `${key.slice(0, SHOWN_OF_KEY)}… ${hash >>> 0} ${key.length}`
}

/** A value as JSON can show it: addresses are objects, and a missing value is null. */
function plain(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === undefined) return value ?? null
  if (typeof value === 'bigint' || typeof value === 'number') return String(value)
  if (isArray(value as never)) return (value as readonly unknown[]).map(plain) // as checked
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
}
