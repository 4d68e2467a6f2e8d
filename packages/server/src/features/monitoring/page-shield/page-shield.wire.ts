// Maps monitoring between wire format and domain model.
import {
  INVENTORY_PER_PAGE,
  type ConnectionQuery,
  type CookieQuery as WireCookieQuery,
  type PageShieldPut,
  type RetentionPut,
  type ScriptQuery,
  type WireConnection,
  type WireCookie,
  type WirePageShield,
  type WireRetention,
  type WireScript,
  type WireVersion,
} from '@zonereeve/contract'
import { DomainError, pageRange } from '@zonereeve/platform'
import type { Version } from './contents.store.ts'
import type { CookieQuery, StoredCookie } from './cookies.store.ts'
import type { Entitlements } from './entitlements.rules.ts'
import type { Detail, ScriptDetail, ShownResource } from './inventory.service.ts'
import type { Retention, RetentionPatch, Status } from './life-cycle.rules.ts'
import {
  readHostPatterns,
  readPagePatterns,
  readPattern,
  readStrings,
  readWords,
} from './list-filters.rules.ts'
import type { ResourceQuery } from './resource-list.store.ts'
import { isReported, NO_SCORES, type Reported, type Scores } from './scores.rules.ts'
import type { SettingsPatch } from './settings.service.ts'
import type { Settings } from './settings.store.ts'

export const toWireSettings = (settings: Settings, isUnderBothNames: boolean): WirePageShield => ({
  enabled: settings.enabled,
  updated_at: settings.updatedAt,
  use_service_reporting_endpoint: settings.useServiceReportingEndpoint,
  use_connection_url_path: settings.useConnectionUrlPath,
  ...(isUnderBothNames ? { use_cloudflare_reporting_endpoint: settings.useServiceReportingEndpoint } : {}),
})

/** @throws DomainError: page_shield.endpoint_twice. */
export function toSettingsPatch(body: PageShieldPut): SettingsPatch {
  const ours = isOn(body.use_service_reporting_endpoint)
  const theirs = isOn(body.use_cloudflare_reporting_endpoint)
  if (ours !== undefined && theirs !== undefined && ours !== theirs)
    throw new DomainError({
      reason: 'page_shield.endpoint_twice',
      pointer: '/use_cloudflare_reporting_endpoint',
    })
  return {
    enabled: isOn(body.enabled),
    useServiceReportingEndpoint: ours ?? theirs,
    useConnectionUrlPath: isOn(body.use_connection_url_path),
  }
}

const isOn = (value: boolean | 'true' | 'false' | undefined): boolean | undefined =>
  value === undefined ? undefined : value === true || value === 'true'

export const toWireRetention = (retention: Retention): WireRetention => ({
  active_page_views: retention.activePageViews,
  inactive_after_days: retention.inactiveAfterDays,
  forget_infrequent_after_days: retention.forgetInfrequentAfterDays,
  forget_after_days: retention.forgetAfterDays,
  forget_cookies_after_days: retention.forgetCookiesAfterDays,
  forget_events_after_days: retention.forgetEventsAfterDays,
  max_query_variants: retention.maxQueryVariants,
})

export const toRetentionPatch = (body: RetentionPut): RetentionPatch => ({
  activePageViews: body.active_page_views,
  inactiveAfterDays: body.inactive_after_days,
  forgetInfrequentAfterDays: body.forget_infrequent_after_days,
  forgetAfterDays: body.forget_after_days,
  forgetCookiesAfterDays: body.forget_cookies_after_days,
  forgetEventsAfterDays: body.forget_events_after_days,
  maxQueryVariants: body.max_query_variants,
})

/** Maximum items of one page with everything, and lines of one file. */
export const MAX_LISTED = 50_000

/** The requested page; `all` and files begin at 1 and hold up to the maximum. */
export interface WirePage {
  readonly page: number
  readonly perPage: number
  readonly isWhole: boolean
}

export function toWirePage(query: {
  readonly page?: string
  readonly per_page?: number
  readonly export?: string
}): WirePage {
  if (query.page === 'all' || query.export !== undefined)
    return { page: 1, perPage: MAX_LISTED, isWhole: true }
  return { page: Number(query.page ?? '1'), perPage: query.per_page ?? INVENTORY_PER_PAGE, isWhole: false }
}

export function toResourceQuery(query: ScriptQuery | ConnectionQuery, page: WirePage): ResourceQuery {
  return {
    filter: {
      ...hostFilter(query),
      urls: readStrings({ name: 'urls', text: query.urls }),
      excludedUrls: readStrings({ name: 'exclude_urls', text: query.exclude_urls }),
      statuses: readWords(query.status ?? 'active') as Status[], // the schema allows no others
      excludeCdnCgi: query.exclude_cdn_cgi ?? true,
      excludeDuplicates: 'exclude_duplicates' in query ? (query.exclude_duplicates ?? true) : true,
    },
    order: orderOf(query),
    maliciousFirst: query.prioritize_malicious ?? false,
    ...pageRange(page.page, page.perPage),
  }
}

export function toCookieQuery(query: WireCookieQuery, page: WirePage): CookieQuery {
  return {
    filter: {
      ...hostFilter(query),
      name: query.name === undefined ? undefined : readPattern({ name: 'name', text: query.name }),
      secure: query.secure,
      httpOnly: query.http_only,
      sameSite: query.same_site,
      type: query.type,
      path: query.path,
      // As in Set-Cookie; a leading dot is ignored (RFC 6265 §5.2.3).
      domain: query.domain?.toLowerCase().replace(/^\./, ''),
    },
    order: orderOf(query),
    ...pageRange(page.page, page.perPage),
  }
}

type HostQuery = Pick<ConnectionQuery, 'hosts' | 'exclude_hosts' | 'page_url'>

const hostFilter = (query: HostQuery) => ({
  hosts: readHostPatterns({ name: 'hosts', text: query.hosts }),
  excludedHosts: readHostPatterns({ name: 'exclude_hosts', text: query.exclude_hosts }),
  pageUrls: readPagePatterns({ name: 'page_url', text: query.page_url }),
})

const orderOf = (query: Pick<ConnectionQuery, 'order_by' | 'direction'>) => ({
  by: query.order_by ?? ('last_seen_at' as const),
  descending: query.direction !== 'asc',
})

/** A script in a list: without pages and versions. */
export function toWireScript({ resource, status }: ShownResource, has: Entitlements): WireScript {
  return {
    ...wireSeen({ resource, status }, has, categoriesOfScript(resource)),
    ...(has.contents
      ? { hash: resource.hash, ...wireScores(resource.scores ?? NO_SCORES), fetched_at: resource.fetchedAt }
      : {}),
  }
}

export function toWireScriptDetail({ entitlements, item }: Detail<ScriptDetail>): WireScript {
  return {
    ...toWireScript(item, entitlements),
    ...wirePages(item.resource.pageUrls, entitlements),
    ...(entitlements.contents ? { versions: item.versions.map(toWireVersion) } : {}),
  }
}

const toWireVersion = ({ hash, scores, fetchedAt }: Version): WireVersion => ({
  hash,
  ...wireScores(scores ?? NO_SCORES),
  fetched_at: fetchedAt,
})

/** A connection in a list: without pages. */
export const toWireConnection = (shown: ShownResource, has: Entitlements): WireConnection =>
  wireSeen(shown, has, categoriesOfConnection(shown.resource))

export const toWireConnectionDetail = ({ entitlements, item }: Detail<ShownResource>): WireConnection => ({
  ...toWireConnection(item, entitlements),
  ...wirePages(item.resource.pageUrls, entitlements),
})

interface Categories {
  readonly domain: readonly string[] | null
  readonly url: readonly string[] | null
}

/** Categories are listed only if reported (specification §2.4). */
const categoriesOfScript = ({ domainCategories, urlCategories }: Reported): Categories => ({
  domain: domainCategories,
  url: urlCategories,
})

/** If a connection is reported, both lists are present; the other one is empty (specification §2.5). */
const categoriesOfConnection = (reported: Reported): Categories =>
  isReported(reported)
    ? { domain: reported.domainCategories ?? [], url: reported.urlCategories ?? [] } // as above
    : { domain: null, url: null }

function wireSeen(
  { resource, status }: ShownResource,
  has: Entitlements,
  { domain, url }: Categories,
): WireConnection {
  return {
    id: resource.id,
    url: resource.url,
    added_at: resource.addedAt,
    first_seen_at: resource.firstSeenAt,
    last_seen_at: resource.lastSeenAt,
    host: resource.host,
    domain_reported_malicious: resource.domainCategories !== null,
    ...(domain === null ? {} : { malicious_domain_categories: [...domain] }),
    ...(has.contents ? { url_reported_malicious: resource.urlCategories !== null } : {}),
    ...(has.contents && url !== null ? { malicious_url_categories: [...url] } : {}),
    ...(has.pages ? { first_page_url: resource.firstPageUrl } : {}),
    status,
    url_contains_cdn_cgi_path: resource.hasCdnCgi,
  }
}

const wirePages = (pageUrls: readonly string[], { pages }: Entitlements) =>
  pages ? { page_urls: [...pageUrls] } : {}

export const wireScores = (scores: Scores) => ({
  js_integrity_score: scores.jsIntegrity,
  obfuscation_score: scores.obfuscation,
  dataflow_score: scores.dataflow,
  malware_score: scores.malware,
  cryptomining_score: scores.cryptomining,
  magecart_score: scores.magecart,
})

export function toWireCookie(cookie: StoredCookie, has: Entitlements): WireCookie {
  // Cookies known only from Cookie headers have no attributes.
  const isDescribed = cookie.type === 'first_party' && has.cookieAttributes
  return {
    id: cookie.id,
    type: cookie.type,
    name: cookie.name,
    host: cookie.host,
    domain_attribute: cookie.domain,
    ...(isDescribed
      ? {
          expires_attribute: cookie.expires,
          http_only_attribute: cookie.httpOnly,
          max_age_attribute: cookie.maxAgeSeconds,
        }
      : {}),
    path_attribute: cookie.path,
    ...(isDescribed && cookie.sameSite !== null ? { same_site_attribute: cookie.sameSite } : {}),
    ...(isDescribed ? { secure_attribute: cookie.secure } : {}),
    first_seen_at: cookie.firstSeenAt,
    last_seen_at: cookie.lastSeenAt,
    ...(has.pages ? { first_page_url: cookie.firstPageUrl, page_urls: [...cookie.pageUrls] } : {}),
    // Of cookies without attributes, it is known only if a page has reported that they were set while it was open.
    ...(isDescribed || (has.cookieAttributes && cookie.setBy !== null) ? { set_by: cookie.setBy } : {}),
  }
}
