// Rows of scripts and connections, one at a time.
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'
import type { FetchProblem } from './fetch-problems.rules.ts'
import type { ResourceKind } from './resources.rules.ts'
import type { AnalysisCourse } from './analysis-state.rules.ts'
import { isMalicious, type Reported, type Scores, type ThreatCategory } from './scores.rules.ts'

/** Times of sightings and fetches are in whole seconds. */
export interface StoredResource extends Reported {
  readonly id: string
  readonly zoneId: string
  readonly kind: ResourceKind
  /** Of the pages. */
  readonly host: string
  readonly url: string
  readonly urlHost: string
  readonly hasCdnCgi: boolean
  readonly addedAt: string
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  readonly pageViews: number
  readonly firstPageUrl: string
  /** The last ten, newest first. */
  readonly pageUrls: readonly string[]
  readonly feedVersion: number
  /** Of the content's structure. */
  readonly hash: string | null
  readonly contentSha256: string | null
  readonly sri: string | null
  readonly scores: Scores | null
  readonly fetchedAt: string | null
  readonly fetchDueAt: string | null
  /** The site that it waits for; null = it does not wait: not due, under way, or not looked at yet. */
  readonly waitingSite: string | null
  readonly fetchLeasedUntil: string | null
  readonly fetchFailures: number
  /** Of the last fetch; null = it went well, or there was none. */
  readonly fetchProblem: FetchProblem | null
  readonly fetchMemory: FetchMemory | null
}

/** What the next fetch can be compared with. */
export interface FetchMemory extends AnalysisCourse {
  /** Version of the analysis that the stored content went through. */
  readonly analysis: number
  /** What the server said of its content; null = nothing. */
  readonly validators: Validators | null
}

/** Good for this URL alone (RFC 9110 §8.8). */
export interface Validators {
  readonly url: string
  readonly etag: string | null
  readonly lastModified: string | null
}

export type ResourceRow = Database['page_shield_resources']

export async function findResource(
  db: Reader,
  zoneId: string,
  id: string,
): Promise<StoredResource | undefined> {
  const row = await db.first(
    query.selectFrom('page_shield_resources').selectAll().where('id', '=', id).where('zone_id', '=', zoneId),
  )
  return row && fromResourceRow(row)
}

/** Deletes a resource with all that is kept beside it. */
export async function deleteResource(tx: Transaction, id: string): Promise<void> {
  await tx.run(query.deleteFrom('page_shield_resources').where('id', '=', id))
}

/** Saves what feeds and fetches found out. */
export async function saveFindings(tx: Transaction, resource: StoredResource): Promise<void> {
  const row = toResourceRow(resource)
  const columns = {
    is_malicious: row.is_malicious,
    domain_categories: row.domain_categories,
    url_categories: row.url_categories,
    feed_version: row.feed_version,
    hash: row.hash,
    content_sha256: row.content_sha256,
    sri: row.sri,
    scores: row.scores,
    fetched_at: row.fetched_at,
    fetch_due_at: row.fetch_due_at,
    waiting_site: row.waiting_site,
    fetch_leased_until: row.fetch_leased_until,
    fetch_failures: row.fetch_failures,
    fetch_problem: row.fetch_problem,
    fetch_memory: row.fetch_memory,
  }
  await tx.run(query.updateTable('page_shield_resources').set(columns).where('id', '=', resource.id))
}

export function fromResourceRow(row: ResourceRow): StoredResource {
  return {
    id: row.id,
    zoneId: row.zone_id,
    kind: row.kind,
    host: row.host,
    url: row.url,
    urlHost: row.url_host,
    hasCdnCgi: row.has_cdn_cgi === 1,
    addedAt: row.added_at,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    pageViews: row.page_views,
    firstPageUrl: row.first_page_url,
    pageUrls: fromLines(row.page_urls),
    domainCategories: fromJson<ThreatCategory[]>(row.domain_categories),
    urlCategories: fromJson<ThreatCategory[]>(row.url_categories),
    feedVersion: row.feed_version,
    hash: row.hash,
    contentSha256: row.content_sha256,
    sri: row.sri,
    scores: fromJson<Scores>(row.scores),
    fetchedAt: row.fetched_at,
    fetchDueAt: row.fetch_due_at,
    waitingSite: row.waiting_site,
    fetchLeasedUntil: row.fetch_leased_until,
    fetchFailures: row.fetch_failures,
    fetchProblem: row.fetch_problem as FetchProblem | null, // written below
    fetchMemory: fromJson<FetchMemory>(row.fetch_memory),
  }
}

export function toResourceRow(resource: StoredResource): ResourceRow {
  return {
    id: resource.id,
    zone_id: resource.zoneId,
    kind: resource.kind,
    host: resource.host,
    url: resource.url,
    url_host: resource.urlHost,
    has_cdn_cgi: resource.hasCdnCgi ? 1 : 0,
    added_at: resource.addedAt,
    first_seen_at: resource.firstSeenAt,
    last_seen_at: resource.lastSeenAt,
    page_views: resource.pageViews,
    first_page_url: resource.firstPageUrl,
    page_urls: toLines(resource.pageUrls),
    is_malicious: isMalicious(resource, resource.scores) ? 1 : 0,
    domain_categories: toJson(resource.domainCategories),
    url_categories: toJson(resource.urlCategories),
    feed_version: resource.feedVersion,
    hash: resource.hash,
    content_sha256: resource.contentSha256,
    sri: resource.sri,
    scores: toJson(resource.scores),
    fetched_at: resource.fetchedAt,
    fetch_due_at: resource.fetchDueAt,
    waiting_site: resource.waitingSite,
    fetch_leased_until: resource.fetchLeasedUntil,
    fetch_failures: resource.fetchFailures,
    fetch_problem: resource.fetchProblem,
    fetch_memory: toJson(resource.fetchMemory),
  }
}

/** Lines between line feeds, so that a filter can tell where one begins and ends; URLs have no line feed. */
export const toLines = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `\n${lines.join('\n')}\n`

export const fromLines = (text: string): readonly string[] =>
  text === '' ? [] : text.slice(1, -1).split('\n')

export const toJson = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** Of columns that are written by {@link toJson}. */
export const fromJson = <Value>(text: string | null): Value | null =>
  text === null ? null : (JSON.parse(text) as Value) // what toJson was given
