// The response to a client whose request a rule has ended.
import { compileValueExpression, decodeUtf8, requestContext, type RequestFacts } from '@zonereeve/expr'
import type { Firewall, Verdict } from '../rulesets/evaluate-request.ts'
import type { Stage } from '../rulesets/phases.ts'

/** The response to the client. */
export interface FirewallResponse {
  readonly statusCode: number
  readonly contentType?: string
  readonly content?: string
  readonly location?: string
}

/** Status of blocked and challenged requests whose rule defines no response. */
export const REFUSED_STATUS = 403
/** Status of requests that a rate limit blocks. */
const LIMITED_STATUS = 429
const DEFAULT_REDIRECT_STATUS = 301

/** The response of the rule that ended a request. @returns undefined if the request continues. */
export function responseOf(
  verdict: Verdict,
  firewall: Firewall,
  facts: RequestFacts,
): FirewallResponse | undefined {
  const { action, by, parameters } = verdict
  if (action === undefined || by === undefined) return undefined
  if (action === 'redirect') return redirectOf(verdict, firewall, facts)
  // An override may have replaced the action block: then its response does not apply.
  const own = action === 'block' ? (parameters['response'] as BlockResponse | undefined) : undefined // checked by its shape
  if (own === undefined)
    return {
      statusCode: isCounting(by.phase) && action === 'block' ? LIMITED_STATUS : REFUSED_STATUS,
    }
  return { statusCode: own.status_code, contentType: own.content_type, content: own.content }
}

/** Rules of these phases act on clients that send too many requests. */
const isCounting = (phase: Stage): boolean => phase === 'http_ratelimit' || phase === 'ddos_l7'

interface BlockResponse {
  readonly status_code: number
  readonly content_type: string
  readonly content: string
}

interface FromValue {
  readonly target_url: { readonly value?: string; readonly expression?: string }
  readonly status_code?: number
  readonly preserve_query_string?: boolean
}

function redirectOf(
  { by, parameters, redirect }: Verdict,
  firewall: Firewall,
  facts: RequestFacts,
): FirewallResponse {
  if (redirect !== undefined)
    return { statusCode: redirect.statusCode, location: decodeUtf8(redirect.location) }
  const from = parameters['from_value'] as FromValue // checked by the shape of redirect: without a list, it has a value
  const statusCode = from.status_code ?? DEFAULT_REDIRECT_STATUS
  const { value, expression } = from.target_url
  const scheme = by && firewall.entryPoints[by.level].get(by.phase)?.scheme
  const computed =
    expression === undefined || scheme === undefined
      ? value
      : compileValueExpression(expression, scheme)(requestContext(scheme, facts))
  const target = typeof computed === 'string' ? decodeUtf8(computed) : ''
  const query = facts.target.includes('?') ? facts.target.slice(facts.target.indexOf('?')) : ''
  const keepsQuery = from.preserve_query_string === true && query !== '' && !target.includes('?')
  return { statusCode, location: keepsQuery ? target + decodeUtf8(query) : target }
}
