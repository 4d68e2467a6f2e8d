// Tools for policies: response headers, simulation, suggestion.
import {
  headersFor,
  isDocument,
  type MonitoringHeader,
  type OriginHeader,
  type PolicyHeaders,
} from '@zonereeve/csp'
import { DomainError, parseUrl, throwIfIssues } from '@zonereeve/platform'
import { runInChunks } from '@zonereeve/cooperate'
import type { PageHeaders } from '@zonereeve/edge'
import type { Reader, Storage } from '@zonereeve/storage'
import { requireZone, type Zone } from '../../zones/index.ts'
import type { ReportingParts, SamplingNow } from '../page-shield/index.ts'
import type { FindResources, FoundResource } from './inventory.ts'
import { matchResponse, onMatchingPages, type ExpectedResponse } from './matching.rules.ts'
import { expressionIssues, problemsOfValue, valueIssues, type Policy } from './page-shield-policies.rules.ts'
import { policiesOf } from './page-shield-policies.store.ts'
import { simulate as simulatePolicy } from './simulation.rules.ts'
import { readHash, suggestPolicy, type Suggestion } from './suggestion.rules.ts'
import { listViolations, type ViolationQuery } from './violations.store.ts'

/**
 * The URL that browsers send reports to from a page; `policyId` null means monitoring's policy, whose header
 * goes with one of `oneIn` documents.
 */
export type ReportingUrl = (page: URL, policyId: string | null, oneIn?: number) => string

export interface PolicyToolsDeps {
  readonly storage: Storage
  /** Sampling of monitoring's header for a page: one of this many documents; undefined = none. */
  readonly monitoringHeader: (db: Reader, zone: Zone, page: URL) => Promise<MonitoringHeader | undefined>
  readonly reportingUrls: (db: Reader, zone: Zone) => Promise<ReportingUrl>
  readonly findResources: FindResources
  readonly reportingFor: (db: Reader, zone: Zone) => Promise<ReportingParts>
  readonly samplingNow: (db: Reader, zone: Zone) => Promise<SamplingNow | undefined>
}

export interface HeadersQuery extends Omit<ExpectedResponse, 'url'> {
  readonly url: string
  readonly origin: readonly OriginHeader[]
}

export interface HeadersAnswer extends PolicyHeaders {
  /** Policies that the query alone cannot decide, with the missing fields. */
  readonly undecided: readonly { readonly policyId: string; readonly fields: readonly string[] }[]
}

/** A suggestion with the number of inventory entries; those beyond the limit may be missing in it. */
export interface CountedSuggestion extends Suggestion {
  readonly checked: number
  readonly total: number
}

export type PolicyTools = ReturnType<typeof createPolicyTools>

export function createPolicyTools({
  storage,
  monitoringHeader,
  reportingUrls,
  findResources,
  reportingFor,
  samplingNow,
}: PolicyToolsDeps) {
  return { headers, simulate, suggest, violations, forEdges }

  /** @throws DomainError: zone.unknown, page_shield_policy.page_url. */
  async function headers(zoneId: string, desired: HeadersQuery): Promise<HeadersAnswer> {
    const zone = await requireZone(storage, zoneId)
    const response: ExpectedResponse = { ...desired, url: readPageUrl(desired.url, zone.name) }
    if (!isDocument(response.status, response.contentType))
      return { added: [], origin: [], withoutEffect: [], undecided: [] }
    const reportingUrl = await reportingUrls(storage, zone)
    const enabled = (await policiesOf(storage, zoneId)).filter(({ isEnabled }) => isEnabled)
    const matched = enabled.map((policy) => [policy, matchResponse(policy, response)] as const)
    const sent = await monitoringHeader(storage, zone, response.url)
    const found = headersFor({
      policies: matched.filter(([, match]) => match === 'matches').map(([policy]) => policy),
      isSecurePage: response.url.protocol === 'https:',
      origin: desired.origin,
      reportingUrl: (policyId) => reportingUrl(response.url, policyId),
      monitoring: sent === undefined ? null : { ...sent, url: reportingUrl(response.url, null, sent.oneIn) },
    })
    return { ...found, undecided: matched.flatMap(([policy, match]) => openQuestion(policy, match)) }
  }

  /** What an edge needs to add the headers itself; undefined if there is nothing to add. */
  async function forEdges(db: Reader, zone: Zone): Promise<PageHeaders | undefined> {
    const sampling = await samplingNow(db, zone)
    const enabled = (await policiesOf(db, zone.id)).filter(({ isEnabled }) => isEnabled)
    if (sampling === undefined && enabled.length === 0) return undefined
    const { collector = null, addressOf } = await reportingFor(db, zone)
    return {
      collector,
      monitoring:
        sampling === undefined
          ? null
          : {
              ...sampling,
              address: addressOf(null, sampling.oneIn),
              wholeAddress: addressOf(null, 1),
            },
      policies: enabled.map(({ id, action, expression, value }) => ({
        id,
        action,
        expression,
        value,
        address: addressOf(id, 1),
      })),
    }
  }

  /**
   * @param expression restricts to the pages that a policy with it is sent with; by default all of them.
   * @throws DomainError: zone.unknown, and the errors of an invalid policy value or expression.
   */
  async function simulate(zoneId: string, value: string, expression: string, signal: AbortSignal) {
    await requireZone(storage, zoneId)
    throwIfIssues([...valueIssues(value), ...expressionIssues(expression)])
    const { resources, total } = await findResources(storage.offload, zoneId)
    const pages = await runInChunks(onMatchingPages(expression, resources), signal)
    return {
      ...(await runInChunks(simulatePolicy(value, pages.resources), signal)),
      pages: { matching: pages.matching, total: pages.total },
      notChecked: total - resources.length,
      total,
      problems: problemsOfValue(value),
    }
  }

  /**
   * @param host restricts to pages of this host.
   * @throws DomainError: zone.unknown, page_shield_policy.hash.
   */
  async function suggest(
    zoneId: string,
    host: string | undefined,
    hashes: readonly string[],
    signal: AbortSignal,
  ): Promise<CountedSuggestion> {
    await requireZone(storage, zoneId)
    const read = hashes.map((text) => readHash(text) ?? wrongHash(text))
    const { resources, total } = await findResources(storage.offload, zoneId)
    const desired = host === undefined ? resources : resources.flatMap((resource) => onHost(resource, host))
    return { ...(await runInChunks(suggestPolicy(desired, read), signal)), checked: resources.length, total }
  }

  /** @throws DomainError: zone.unknown. */
  async function violations(zoneId: string, desired: ViolationQuery) {
    await requireZone(storage, zoneId)
    return listViolations(storage, zoneId, desired)
  }
}

function openQuestion(policy: Policy, match: ReturnType<typeof matchResponse>) {
  return typeof match === 'string' ? [] : [{ policyId: policy.id, fields: match.fields }]
}

/** @throws DomainError: page_shield_policy.page_url. */
function readPageUrl(text: string, zoneName: string): URL {
  const url = parseUrl(text)
  const isOfZone = url?.hostname === zoneName || url?.hostname.endsWith(`.${zoneName}`) === true
  if (url !== undefined && isOfZone && /^https?:$/.test(url.protocol)) return url
  throw new DomainError({
    reason: 'page_shield_policy.page_url',
    pointer: '/url',
    values: { zone: zoneName },
  })
}

function onHost(resource: FoundResource, host: string): FoundResource[] {
  const pageUrls = resource.pageUrls.filter((pageUrl) => pageUrl.split(/[:/]/, 1)[0] === host.toLowerCase())
  return pageUrls.length === 0 ? [] : [{ ...resource, pageUrls }]
}

function wrongHash(text: string): never {
  throw new DomainError({
    reason: 'page_shield_policy.hash',
    pointer: '/inline_hashes',
    values: { hash: text.slice(0, 200) },
  })
}
