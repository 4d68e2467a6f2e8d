// Which policies a response gets: their expressions, as far as what is known of the response decides them.
import {
  ipv4,
  partiallyEvaluate,
  requestContext,
  usageOf,
  utf8,
  type Known,
  type RequestFacts,
} from '@zonereeve/expr'
import { readExpression, RESPONSE_SCHEME } from '../filters/index.ts'
import type { Policy } from './page-shield-policies.rules.ts'

/** A response as it is described by somebody who has not got it. */
export interface ExpectedResponse {
  readonly url: URL
  readonly method: string
  readonly status: number
  readonly contentType: string
}

export type Match = 'matches' | 'does-not-match' | { readonly fields: readonly string[] }

/** What the description tells; every other field is an open question. */
const KNOWN_FIELDS =
  /^(?:ssl|http\.host|http\.request\.method|http\.response\.(?:code|content_type\.media_type)|(?:raw\.)?http\.request\.(?:uri|full_uri)(?:\..*)?)$/

/** Whether a policy is sent with a response, or the fields that decide it and are not known. */
export function matchResponse(policy: Policy, response: ExpectedResponse): Match {
  const read = readExpression(policy.expression, '/expression', RESPONSE_SCHEME)
  // A field that an operator's configuration no longer gives makes an expression that was stored unreadable.
  if (!('ok' in read)) return 'does-not-match'
  const context = requestContext(RESPONSE_SCHEME, factsOf(response))
  const known = (name: string): Known | undefined => {
    const field = RESPONSE_SCHEME.fields.get(name)
    return field !== undefined && KNOWN_FIELDS.test(name) ? { value: context.read(field.slot) } : undefined
  }
  const left = partiallyEvaluate(read.node, RESPONSE_SCHEME, { known })
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
