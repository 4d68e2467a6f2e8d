// The headers that policies and monitoring add to documents: selected by the request and its response.
import {
  type AddedHeader,
  headersFor,
  isDocument,
  type MonitoringHeader,
  type OriginHeader,
} from '@zonereeve/csp'
import {
  compileExpression,
  type Condition,
  decodeUtf8,
  type HeaderLine,
  requestContext,
  type RequestFacts,
  type ResponseFacts,
  utf8,
} from '@zonereeve/expr'
import { RESPONSE_SCHEME } from '@zonereeve/firewall'
import { indexWatchedPages, type WatchedPages } from './watched-pages.ts'
import type { PageHeaders } from './zone-document.ts'

type Policy = PageHeaders['policies'][number]

/** The policies of a zone, ready to be matched. */
export interface CompiledPages {
  readonly headers: PageHeaders
  readonly policies: readonly { readonly policy: Policy; readonly matches: Condition }[]
  readonly watched: WatchedPages
}

/** A policy whose expression uses a field that this edge does not know is left out, as on the server. */
export function compilePages(headers: PageHeaders): CompiledPages {
  return {
    headers,
    policies: headers.policies.flatMap((policy) => {
      try {
        return [{ policy, matches: compileExpression(policy.expression, RESPONSE_SCHEME) }]
      } catch {
        return []
      }
    }),
    watched: indexWatchedPages(headers.monitoring?.watched ?? []), // none while monitoring is off
  }
}

/** Whether a response is a page that policies and monitoring apply to. */
export const isPage = ({ status, headers }: ResponseFacts): boolean =>
  isDocument(status, valueOf(headers, 'content-type'))

const valueOf = (headers: readonly HeaderLine[], desired: string): string =>
  headers.find(([name]) => name.toLowerCase() === desired)?.[1] ?? '' // a response without a type is no page

const POLICY_HEADERS = ['content-security-policy', 'content-security-policy-report-only'] as const

/**
 * The header lines of a response with those of policies and monitoring.
 *
 * @param random from 0 to 1: decides whether the response is in the sample.
 */
export function withPageHeaders(
  { headers, policies }: CompiledPages,
  facts: RequestFacts,
  response: ResponseFacts,
  random: number,
): readonly HeaderLine[] {
  if (!isPage(response)) return response.headers
  const context = requestContext(RESPONSE_SCHEME, { ...facts, response })
  const matching = policies.filter(({ matches }) => matches(context)).map(({ policy }) => policy)
  const addresses = new Map(matching.map(({ id, address }) => [id, address]))
  // A page that came without encryption here may be encrypted for the browser: a path suits both.
  const base = headers.collector ?? (facts.isTls ? `https://${decodeUtf8(facts.host)}` : '')
  const { added, origin } = headersFor({
    policies: matching,
    isSecurePage: facts.isTls,
    origin: response.headers.flatMap(policyOf),
    reportingUrl: (id) => base + addressIn(addresses, id),
    monitoring: monitoringOf(headers.monitoring, facts, base, random),
  })
  const isReplaced = (name: string): boolean =>
    origin.length > 0 && (POLICY_HEADERS as readonly string[]).includes(name.toLowerCase()) // widened for the lookup
  return [...response.headers.filter(([name]) => !isReplaced(name)), ...[...origin, ...added].map(toLine)]
}

const toLine = ({ name, value }: OriginHeader | AddedHeader): HeaderLine => [name, utf8(value)]

function addressIn(addresses: ReadonlyMap<string, string>, id: string): string {
  const address = addresses.get(id)
  if (address === undefined) throw new Error(`policy ${id} has no address`)
  return address
}

function policyOf([name, value]: HeaderLine): OriginHeader[] {
  const known = POLICY_HEADERS.find((one) => one === name.toLowerCase())
  return known === undefined ? [] : [{ name: known, value: decodeUtf8(value) }]
}

function monitoringOf(
  monitoring: PageHeaders['monitoring'],
  { target }: RequestFacts,
  base: string,
  random: number,
): (MonitoringHeader & { readonly url: string }) | null {
  if (monitoring === null) return null
  const path = target.replace(/\?.*$/s, '')
  const { oneIn, address, wholePaths, wholeAddress, alsoReport = [] } = monitoring
  if (wholePaths.some((whole) => isBelow(path, whole)))
    return { url: base + wholeAddress, oneIn: 1, alsoReport }
  return random * oneIn < 1 ? { url: base + address, oneIn, alsoReport } : null
}

const isBelow = (path: string, whole: string): boolean =>
  path === whole || path.startsWith(whole.endsWith('/') ? whole : `${whole}/`)
