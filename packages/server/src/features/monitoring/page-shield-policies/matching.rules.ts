// Selects the policies for a response by evaluating their expressions on what is known about it.
import {
  ipv4,
  partiallyEvaluate,
  requestContext,
  usageOf,
  utf8,
  type KnownResult,
  type RequestFacts,
} from '@zonereeve/expr'
import { readExpression, RESPONSE_SCHEME } from '@zonereeve/firewall'
import type { Policy } from './page-shield-policies.rules.ts'

/** A response described in advance, before it exists. */
export interface ExpectedResponse {
  readonly url: URL
  readonly method: string
  readonly status: number
  readonly contentType: string
}

export type Match = 'matches' | 'does-not-match' | { readonly fields: readonly string[] }

/** The fields that the description provides; all others are unknown. */
const KNOWN_FIELDS =
  /^(?:ssl|http\.host|http\.request\.method|http\.response\.(?:code|content_type\.media_type)|(?:raw\.)?http\.request\.(?:uri|full_uri)(?:\..*)?)$/

/** Whether a policy is sent with a response; if undecided, the unknown fields that decide it. */
export function matchResponse(policy: Policy, response: ExpectedResponse): Match {
  const read = readExpression(policy.expression, '/expression', RESPONSE_SCHEME)
  // A stored expression becomes unparsable when the operator's configuration no longer provides one of its
  // fields.
  if (!('ok' in read)) return 'does-not-match'
  const context = requestContext(RESPONSE_SCHEME, factsOf(response))
  const findKnown = (name: string): KnownResult | undefined => {
    const field = RESPONSE_SCHEME.fields.get(name)
    return field !== undefined && KNOWN_FIELDS.test(name) ? { value: context.read(field.slot) } : undefined
  }
  const left = partiallyEvaluate(read.node, RESPONSE_SCHEME, { known: findKnown })
  if (left.kind !== 'constant') return { fields: usageOf(left).fields }
  return left.value ? 'matches' : 'does-not-match'
}

function factsOf({ url, method, status, contentType }: ExpectedResponse): RequestFacts {
  return {
    method: utf8(method),
    version: utf8('HTTP/1.1'),
    isTls: url.protocol === 'https:',
    host: utf8(url.host),
    target: utf8(url.pathname + url.search),
    headers: [['host', utf8(url.host)]],
    clientIp: ipv4(0),
    receivedAtMs: 0,
    response: { status, headers: [['content-type', utf8(contentType)]] },
  }
}
