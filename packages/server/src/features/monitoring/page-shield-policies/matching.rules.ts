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
import type { Chunked } from '@zonereeve/cooperate'
import type { FoundResource } from './inventory.ts'
import type { Policy } from './page-shield-policies.rules.ts'
import { pageAddress } from './simulation.rules.ts'

/** A response described in advance, before it exists. */
export interface ExpectedResponse {
  readonly url: URL
  readonly method: string
  readonly status: number
  readonly contentType: string
}

export type Match = 'matches' | 'does-not-match' | { readonly fields: readonly string[] }

/** The fields that a described response provides; all others are unknown. */
const DESCRIBED_FIELDS =
  /^(?:ssl|http\.host|http\.request\.method|http\.response\.(?:code|content_type\.media_type)|(?:raw\.)?http\.request\.(?:uri|full_uri)(?:\..*)?)$/

/** The fields that a page of the inventory provides: its URL has neither query nor method. */
const PAGE_FIELDS =
  /^(?:ssl|http\.host|http\.response\.(?:code|content_type\.media_type)|(?:raw\.)?http\.request\.uri\.path(?:\.extension)?)$/

/** Whether a policy is sent with a response; if undecided, the unknown fields that decide it. */
export const matchResponse = (policy: Pick<Policy, 'expression'>, response: ExpectedResponse): Match =>
  createMatcher(policy.expression, DESCRIBED_FIELDS)(response)

function createMatcher(expression: string, knownFields: RegExp): (response: ExpectedResponse) => Match {
  const read = readExpression(expression, '/expression', RESPONSE_SCHEME)
  // A stored expression becomes unparsable when the operator's configuration no longer provides one of its
  // fields.
  if (!('ok' in read)) return () => 'does-not-match'
  return (response) => {
    const context = requestContext(RESPONSE_SCHEME, factsOf(response))
    const findKnown = (name: string): KnownResult | undefined => {
      const field = RESPONSE_SCHEME.fields.get(name)
      return field !== undefined && knownFields.test(name) ? { value: context.read(field.slot) } : undefined
    }
    const left = partiallyEvaluate(read.node, RESPONSE_SCHEME, { known: findKnown })
    if (left.kind !== 'constant') return { fields: usageOf(left).fields }
    return left.value ? 'matches' : 'does-not-match'
  }
}

/** What was seen on the pages that a policy is sent with. */
export interface MatchingPages {
  /** Each with its matching pages alone; those without any are absent. */
  readonly resources: readonly FoundResource[]
  readonly matching: number
  /** All pages on which any of the resources was seen. */
  readonly total: number
}

/** A page matches if a policy may be sent with it: what its host and path do not decide counts as matching. */
export function* onMatchingPages(
  expression: string,
  resources: readonly FoundResource[],
): Chunked<MatchingPages> {
  const match = createMatcher(expression, PAGE_FIELDS)
  const known = new Map<string, boolean>()
  const isMatching = (pageUrl: string, resourceUrl: string): boolean => {
    const address = pageAddress(pageUrl, resourceUrl)
    const found = known.get(address) ?? matchesPage(match, address)
    known.set(address, found)
    return found
  }
  const pages = new Map<string, boolean>()
  const seen: FoundResource[] = []
  for (const resource of resources) {
    const pageUrls = resource.pageUrls.filter((pageUrl) => {
      const matches = isMatching(pageUrl, resource.url)
      pages.set(pageUrl, matches || pages.get(pageUrl) === true)
      return matches
    })
    if (pageUrls.length > 0) seen.push({ ...resource, pageUrls })
    yield
  }
  const matching = [...pages.values()].filter((matches) => matches).length
  return { resources: seen, matching, total: pages.size }
}

const matchesPage = (match: (response: ExpectedResponse) => Match, address: string): boolean =>
  match({ url: new URL(address), method: 'GET', status: 200, contentType: 'text/html' }) !== 'does-not-match'

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
