// The headers that policies are sent in, with the directives that make browsers report.
import { parsePolicyList, printPolicy, type Policy as ParsedPolicy } from '@zonereeve/csp'
import type { Policy } from './page-shield-policies.rules.ts'

const ENFORCED = 'content-security-policy'
const REPORT_ONLY = 'content-security-policy-report-only'

export interface AddedHeader {
  /** Lower case. */
  readonly name: string
  readonly value: string
  /** null = monitoring, or what all of them share. */
  readonly policyId: string | null
  /** May be sent with a part of the responses only. */
  readonly isSampled: boolean
  /** To be sent with one response of so many. */
  readonly oneIn: number
}

export interface OriginHeader {
  readonly name: typeof ENFORCED | typeof REPORT_ONLY
  readonly value: string
}

export interface ToSend {
  /** Those that match the response, in the order of their creation. */
  readonly policies: readonly Policy[]
  /** Whether the page comes over https. */
  readonly isSecurePage: boolean
  /** The policies that the origin sends. */
  readonly origin: readonly OriginHeader[]
  /** Where browsers send their reports of a policy. */
  readonly reportingUrl: (policyId: string) => string
  /** Where they send those of monitoring, and with one response of how many its header goes; null while it is off. */
  readonly monitoring: { readonly url: string; readonly oneIn: number } | null
}

export interface Headers {
  readonly added: readonly AddedHeader[]
  /** The origin's own with reporting added; empty where nothing is changed. */
  readonly origin: readonly OriginHeader[]
  /** Policies of which nothing is sent although they match. */
  readonly withoutEffect: readonly WithoutEffect[]
}

export interface WithoutEffect {
  readonly policyId: string
  /** `another_policy` adds its reporting already: browsers take one `report-to`. `no_origin_policy`: there is nothing to add to. */
  readonly cause: 'another_policy' | 'no_origin_policy'
}

/**
 * What is added to a response, and what of the origin's is sent otherwise. Each policy is a header line of its own, so
 * that all of them apply; monitoring's own comes behind them, then the names of the endpoints.
 */
export function headersFor({ policies, isSecurePage, origin, reportingUrl, monitoring }: ToSend): Headers {
  const endpointAt = (name: string, url: string): Endpoint => ({
    name: isSecurePage && url.startsWith('https:') ? name : null,
    url,
  })
  const endpointOf = ({ id }: Policy): Endpoint => endpointAt(`zonereeve-${id}`, reportingUrl(id))
  const sent = policies.filter(({ action }) => action !== 'add_reporting_directives')
  const [adder, ...others] = policies.filter(({ action }) => action === 'add_reporting_directives')
  const adding = adder === undefined ? [] : [endpointOf(adder)]
  const ours = monitoring === null ? [] : [endpointAt('zonereeve-monitoring', monitoring.url)]
  const changed = adding.flatMap((endpoint) => reportingAdded(origin, endpoint))
  const named = adding.filter(({ name }) => changed.some(({ value }) => value.includes(`report-to ${name}`)))
  return {
    added: [
      ...sent.map((policy) => policyHeader(policy, endpointOf(policy))),
      ...ours.map((endpoint) => monitoringHeader(endpoint, monitoring?.oneIn ?? 1)),
      ...endpointsHeader([...sent.map(endpointOf), ...named, ...ours]),
    ],
    origin: changed,
    withoutEffect: [
      ...(adder === undefined || changed.length > 0 ? [] : [withoutEffect(adder, 'no_origin_policy')]),
      ...others.map((policy) => withoutEffect(policy, 'another_policy')),
    ],
  }
}

const withoutEffect = ({ id }: Policy, cause: WithoutEffect['cause']): WithoutEffect => ({
  policyId: id,
  cause,
})

/** Policies govern documents: HTML and XHTML, whatever the status, but nothing that keeps the headers of an older answer. */
export function isDocument(status: number, contentType: string): boolean {
  const [type = ''] = contentType.split(';', 1)
  const isMarkup = ['text/html', 'application/xhtml+xml'].includes(type.trim().toLowerCase())
  return isMarkup && status >= 200 && status !== 304
}

interface Endpoint {
  /**
   * null = it cannot be named: pages and endpoints of the Reporting API must be secure (§3.2), and Chromium and Firefox
   * take the effect of `report-uri` away for a `report-to` all the same, so that nothing would be reported at all.
   */
  readonly name: string | null
  readonly url: string
}

/** Both ways of reporting: browsers that know `report-to` pass over `report-uri` (CSP3 §6.5.1). */
const directivesOf = ({ name, url }: Endpoint): string =>
  name === null ? `report-uri ${url}` : `report-uri ${url}; report-to ${name}`

const policyHeader = ({ id, action, value }: Policy, endpoint: Endpoint): AddedHeader => ({
  name: action === 'allow' ? ENFORCED : REPORT_ONLY,
  value: `${value.replace(/[\s;]+$/, '').trim()}; ${directivesOf(endpoint)}`,
  policyId: id,
  isSampled: false,
  oneIn: 1,
})

/** Lets everything that it speaks of happen inline and forbids every fetch, so that each is reported, and nothing else. */
export const MONITORING_POLICY =
  "script-src 'unsafe-inline' 'unsafe-eval' 'report-sha256'; connect-src 'none'"

function monitoringHeader(endpoint: Endpoint, oneIn: number): AddedHeader {
  const value = `${MONITORING_POLICY}; ${directivesOf(endpoint)}`
  return { name: REPORT_ONLY, value, policyId: null, isSampled: true, oneIn }
}

/** A structured dictionary (Reporting API §3.2); the URLs have neither quotes nor backslashes in them. */
function endpointsHeader(endpoints: readonly Endpoint[]): AddedHeader[] {
  const named = endpoints.filter(({ name }) => name !== null)
  if (named.length === 0) return []
  const value = named.map(({ name, url }) => `${name}="${url}"`).join(', ')
  return [{ name: 'reporting-endpoints', value, policyId: null, isSampled: false, oneIn: 1 }]
}

function reportingAdded(origin: readonly OriginHeader[], endpoint: Endpoint): OriginHeader[] {
  return origin.map(({ name, value }) => ({
    name,
    value: parsePolicyList(value)
      .map((policy) => withReporting(policy, endpoint))
      .join(', '),
  }))
}

/**
 * A policy with our endpoint beside its own. `report-uri` takes several URLs. `report-to` names one endpoint and takes
 * the effect of `report-uri` away, so it is added only where the origin has neither.
 */
function withReporting({ directives }: ParsedPolicy, { name, url }: Endpoint): string {
  const has = (wanted: string) => directives.some((directive) => directive.name === wanted)
  const texts = directives.map((directive) => {
    const text = printPolicy({ directives: [directive] })
    return directive.name === 'report-uri' ? `${text} ${url}` : text
  })
  if (!has('report-uri')) texts.push(`report-uri ${url}`)
  if (name !== null && !has('report-uri') && !has('report-to')) texts.push(`report-to ${name}`)
  return texts.join('; ')
}
