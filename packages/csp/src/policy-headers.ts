// Builds the headers that carry policies, with the directives that make browsers report.
import { parsePolicyList, printPolicy, type Policy as ParsedPolicy } from './policy.ts'

const ENFORCED = 'content-security-policy'
const REPORT_ONLY = 'content-security-policy-report-only'

/** Paths on the hosts of pages that browsers report to; the vendor's documentation uses both spellings. */
export const REPORTING_PATHS = ['/cdn-cgi/script_monitor/report', '/cdn-cgi/script-monitor/report'] as const

/** Below it are the versions of the monitoring script, `/ZONE/VERSION/monitor.js`. */
export const MONITOR_PATH = '/cdn-cgi/script_monitor'

/** A policy, and what it does: block, report, or add reporting to the policies that the page has. */
export interface SentPolicy {
  readonly id: string
  readonly action: 'allow' | 'log' | 'add_reporting_directives'
  readonly value: string
}

export const ALSO_REPORTED = ['about_frames', 'frames', 'images', 'forms', 'inline', 'eval'] as const

/** What monitoring's header makes browsers report beyond scripts and connections. */
export type AlsoReported = (typeof ALSO_REPORTED)[number]

/** Monitoring's header for a page: it goes with one of `oneIn` responses. */
export interface MonitoringHeader {
  readonly oneIn: number
  readonly alsoReport: readonly AlsoReported[]
}

export interface AddedHeader {
  /** Lower case. */
  readonly name: string
  readonly value: string
  /** null for monitoring's policy, or for a header shared by all policies. */
  readonly policyId: string | null
  /** Whether it may be sent with only a sample of the responses. */
  readonly isSampled: boolean
  /** Send it with one of this many responses. */
  readonly oneIn: number
}

export interface OriginHeader {
  readonly name: typeof ENFORCED | typeof REPORT_ONLY
  readonly value: string
}

export interface ToSend {
  /** The policies that match the response, in order of creation. */
  readonly policies: readonly SentPolicy[]
  /** Whether the page is served over https. */
  readonly isSecurePage: boolean
  /** The policy headers that the origin sends. */
  readonly origin: readonly OriginHeader[]
  /** The URL that browsers send the reports of a policy to. */
  readonly reportingUrl: (policyId: string) => string
  /**
   * The URL for monitoring's reports, its sampling (the header goes with one of `oneIn` responses) and what it
   * makes browsers report. null while monitoring is off.
   */
  readonly monitoring: (MonitoringHeader & { readonly url: string }) | null
}

export interface PolicyHeaders {
  readonly added: readonly AddedHeader[]
  /** The origin's headers with reporting added; empty if nothing changes. */
  readonly origin: readonly OriginHeader[]
  /** Policies that match but for which no header is sent. */
  readonly withoutEffect: readonly WithoutEffect[]
}

export interface WithoutEffect {
  readonly policyId: string
  /**
   * `another_policy`: another policy already adds its reporting, and browsers take only one `report-to`.
   * `no_origin_policy`: there is no origin policy to extend.
   */
  readonly cause: 'another_policy' | 'no_origin_policy'
}

/**
 * The headers added to a response, and the origin's headers that are sent changed. Each policy is its own
 * header line, so that all of them apply; monitoring's policy follows them, then the endpoint names.
 */
export function headersFor({
  policies,
  isSecurePage,
  origin,
  reportingUrl,
  monitoring,
}: ToSend): PolicyHeaders {
  const endpointAt = (name: string, url: string): Endpoint => ({
    name: isSecurePage && url.startsWith('https:') ? name : null,
    url,
  })
  const endpointOf = ({ id }: SentPolicy): Endpoint => endpointAt(`zonereeve-${id}`, reportingUrl(id))
  const sent = policies.filter(({ action }) => action !== 'add_reporting_directives')
  const [adder, ...others] = policies.filter(({ action }) => action === 'add_reporting_directives')
  const adding = adder === undefined ? [] : [endpointOf(adder)]
  const ours = monitoring === null ? [] : [endpointAt('zonereeve-monitoring', monitoring.url)]
  const changed = adding.flatMap((endpoint) => reportingAdded(origin, endpoint))
  const named = adding.filter(({ name }) => changed.some(({ value }) => value.includes(`report-to ${name}`)))
  return {
    added: [
      ...sent.map((policy) => policyHeader(policy, endpointOf(policy))),
      ...(monitoring === null ? [] : ours.flatMap((endpoint) => monitoringHeaders(endpoint, monitoring))),
      ...endpointsHeader([...sent.map(endpointOf), ...named, ...ours]),
    ],
    origin: changed,
    withoutEffect: [
      ...(adder === undefined || changed.length > 0 ? [] : [withoutEffect(adder, 'no_origin_policy')]),
      ...others.map((policy) => withoutEffect(policy, 'another_policy')),
    ],
  }
}

const withoutEffect = ({ id }: SentPolicy, cause: WithoutEffect['cause']): WithoutEffect => ({
  policyId: id,
  cause,
})

/**
 * Policies apply to documents: HTML and XHTML with any status, except answers whose cached headers are kept
 * (304).
 */
export function isDocument(status: number, contentType: string): boolean {
  const [type = ''] = contentType.split(';', 1)
  const isMarkup = ['text/html', 'application/xhtml+xml'].includes(type.trim().toLowerCase())
  return isMarkup && status >= 200 && status !== 304
}

interface Endpoint {
  /**
   * null if the endpoint cannot have a name: pages and endpoints of the Reporting API must be secure (§3.2).
   * Chromium and Firefox ignore `report-uri` beside a `report-to` even then, so nothing would be reported at
   * all.
   */
  readonly name: string | null
  readonly url: string
}

/** Uses both reporting directives: browsers that support `report-to` ignore `report-uri` (CSP3 §6.5.1). */
const directivesOf = ({ name, url }: Endpoint): string =>
  name === null ? `report-uri ${url}` : `report-uri ${url}; report-to ${name}`

const policyHeader = ({ id, action, value }: SentPolicy, endpoint: Endpoint): AddedHeader => ({
  name: action === 'allow' ? ENFORCED : REPORT_ONLY,
  value: `${value.replace(/[\s;]+$/, '').trim()}; ${directivesOf(endpoint)}`,
  policyId: id,
  isSampled: false,
  oneIn: 1,
})

/** Asks for the hashes of scripts, which come only from the Reporting API. */
const HASHES = "'report-sha256'"

/** Allows every script, so that nothing but hashes is reported. */
const HASHES_ALONE = `script-src * data: blob: 'unsafe-inline' 'unsafe-eval' ${HASHES}`

/**
 * Forbids every fetch of its directives, so that every fetch is reported, and allows all code in the page
 * unless that is to be reported too.
 */
function monitoringPolicy(alsoReport: readonly AlsoReported[], hashes: string): string {
  const has = (one: AlsoReported): boolean => alsoReport.includes(one)
  const sources = [
    ...(has('inline') ? [] : ["'unsafe-inline'"]),
    ...(has('eval') ? [] : ["'unsafe-eval'"]),
    ...(has('inline') || has('eval') ? ["'report-sample'"] : []),
    ...(hashes === '' ? [] : [hashes]),
  ]
  const directives = [
    ['script-src', ...sources].join(' '),
    "connect-src 'none'",
    ...(has('frames') ? ["frame-src 'none'"] : []),
    ...(has('images') ? ["img-src 'none'"] : []),
    ...(has('forms') ? ["form-action 'none'"] : []),
  ]
  return directives.join('; ')
}

/** The policy that can cause every report of monitoring. */
export const MONITORING_POLICY = monitoringPolicy(ALSO_REPORTED, HASHES)

/**
 * Frames without an address of their own have no named endpoints, so the Reporting API sends nothing for them.
 * To see them, all but hashes is reported with `report-uri` alone.
 */
function monitoringHeaders(endpoint: Endpoint, { oneIn, alsoReport }: MonitoringHeader): AddedHeader[] {
  const header = (value: string): AddedHeader => ({
    name: REPORT_ONLY,
    value,
    policyId: null,
    isSampled: true,
    oneIn,
  })
  if (endpoint.name === null || !alsoReport.includes('about_frames'))
    return [header(`${monitoringPolicy(alsoReport, HASHES)}; ${directivesOf(endpoint)}`)]
  const unnamed = directivesOf({ ...endpoint, name: null })
  return [
    header(`${monitoringPolicy(alsoReport, '')}; ${unnamed}`),
    header(`${HASHES_ALONE}; report-to ${endpoint.name}`),
  ]
}

/** A structured dictionary (Reporting API §3.2); the URLs contain neither quotes nor backslashes. */
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
 * Adds our endpoint to a policy that has its own. `report-uri` takes several URLs. `report-to` names one
 * endpoint and disables `report-uri`, so it is added only if the origin has neither.
 */
function withReporting({ directives }: ParsedPolicy, { name, url }: Endpoint): string {
  const has = (desired: string) => directives.some((directive) => directive.name === desired)
  const strings = directives.map((directive) => {
    const text = printPolicy({ directives: [directive] })
    return directive.name === 'report-uri' ? `${text} ${url}` : text
  })
  if (!has('report-uri')) strings.push(`report-uri ${url}`)
  if (name !== null && !has('report-uri') && !has('report-to')) strings.push(`report-to ${name}`)
  return strings.join('; ')
}
