// Lists of scripts and connections: filters, order, pages and deduplication, all in the database.
import {
  countRows,
  type Database,
  exactTextMatch,
  type Expression,
  type ExpressionBuilder,
  query,
  type Reader,
  sql,
  type SqlBool,
} from '@zonereeve/storage'
import type { Cutoffs, Status } from './life-cycle.rules.ts'
import type { TextPattern } from './list-filters.rules.ts'
import type { ResourceKind } from './resources.rules.ts'
import { resources, type StoredResource } from './resources.store.ts'

export interface Order {
  readonly by: 'first_seen_at' | 'last_seen_at'
  readonly descending: boolean
}

export interface Slice {
  readonly offset: number
  readonly limit: number
}

export interface HostFilter {
  readonly hosts: readonly TextPattern[]
  readonly excludedHosts: readonly TextPattern[]
  readonly pageUrls: readonly TextPattern[]
}

export interface ResourceFilter extends HostFilter {
  readonly urls: readonly string[]
  readonly excludedUrls: readonly string[]
  readonly statuses: readonly Status[]
  readonly excludeCdnCgi: boolean
  /** Of resources with equal content and host, on the same page host, only the latest. */
  readonly excludeDuplicates: boolean
}

export interface ResourceQuery extends Slice {
  readonly filter: ResourceFilter
  readonly order: Order
  readonly maliciousFirst: boolean
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly totalCount: number
}

type Rows = ExpressionBuilder<Database, 'page_shield_resources'>

export async function listResources(
  db: Reader,
  zoneId: string,
  kind: ResourceKind,
  cutoffs: Cutoffs,
  { filter, order, maliciousFirst, offset, limit }: ResourceQuery,
): Promise<Page<StoredResource>> {
  const passing = rankResources(zoneId, kind, cutoffs, filter)
  const direction = order.descending ? 'desc' : 'asc'
  const sorted = maliciousFirst ? passing.orderBy('is_malicious', 'desc') : passing
  const items = await resources.readable(
    db,
    sorted.selectAll().orderBy(order.by, direction).orderBy('id').offset(offset).limit(limit),
  )
  return { items, totalCount: await countRows(db, passing) }
}

/** All resources of a kind that are not past retention, oldest first. */
export async function allResources(
  db: Reader,
  zoneId: string,
  kind: ResourceKind,
  cutoffs: Cutoffs,
  limit: number,
): Promise<readonly StoredResource[]> {
  return resources.readable(
    db,
    query
      .selectFrom('page_shield_resources')
      .selectAll()
      .where('zone_id', '=', zoneId)
      .where('kind', '=', kind)
      .where((eb) => eb.or(STATUSES.map((status) => hasStatus(eb, status, cutoffs))))
      .orderBy('first_seen_at')
      .orderBy('id')
      .limit(limit),
  )
}

/** A page of resources, active ones first, most page views first within each status; and the total. */
export async function activeFirst(
  db: Reader,
  zoneId: string,
  kind: ResourceKind,
  cutoffs: Cutoffs,
  limit: number,
): Promise<Page<StoredResource>> {
  const own = query
    .selectFrom('page_shield_resources')
    .where('zone_id', '=', zoneId)
    .where('kind', '=', kind)
    .where((eb) => eb.or(STATUSES.map((status) => hasStatus(eb, status, cutoffs))))
  const items = await resources.readable(
    db,
    own
      .selectAll()
      .orderBy((eb) =>
        eb
          .case()
          .when(hasStatus(eb, 'active', cutoffs))
          .then(0)
          .else(1)
          .end(),
      )
      .orderBy('page_views', 'desc')
      .orderBy('id')
      .limit(limit),
  )
  return { items, totalCount: await countRows(db, own) }
}

const STATUSES = ['active', 'infrequent', 'inactive'] as const

function rankResources(zoneId: string, kind: ResourceKind, cutoffs: Cutoffs, filter: ResourceFilter) {
  // Resources with unknown content are never duplicates.
  const rank = filter.excludeDuplicates
    ? sql<number>`row_number() over (
        partition by host, url_host, coalesce(hash, id) order by last_seen_at desc, id)`
    : sql<number>`1`
  return query
    .selectFrom(
      query
        .selectFrom('page_shield_resources')
        .selectAll()
        .select(rank.as('rank'))
        .where('zone_id', '=', zoneId)
        .where('kind', '=', kind)
        .where((eb) => passes(eb, filter, cutoffs))
        .as('passing'),
    )
    .where('rank', '=', 1)
}

function passes(eb: Rows, filter: ResourceFilter, cutoffs: Cutoffs) {
  const url = eb.ref('url')
  return eb.and([
    eb.or(filter.statuses.map((status) => hasStatus(eb, status, cutoffs))),
    passesHosts(eb, filter),
    anyOf(eb, filter.urls, (text) => exactTextMatch(url, text, 'anywhere')),
    ...filter.excludedUrls.map((text) => eb.not(exactTextMatch(url, text, 'anywhere'))),
    ...(filter.excludeCdnCgi ? [eb('has_cdn_cgi', '=', 0)] : []),
  ])
}

function hasStatus(eb: Rows, status: Status, cutoffs: Cutoffs) {
  const { activePageViews, inactiveBefore, infrequentForgottenBefore, forgottenBefore } = cutoffs
  switch (status) {
    case 'infrequent':
      return eb.and([
        eb('page_views', '<', activePageViews),
        eb('last_seen_at', '>=', infrequentForgottenBefore),
      ])
    case 'active':
      return eb.and([eb('page_views', '>=', activePageViews), eb('last_seen_at', '>=', inactiveBefore)])
    case 'inactive':
      return eb.and([
        eb('page_views', '>=', activePageViews),
        eb('last_seen_at', '<', inactiveBefore),
        eb('last_seen_at', '>=', forgottenBefore),
      ])
  }
}

/** For every table whose rows have a host and pages. */
export function passesHosts(
  eb:
    | ExpressionBuilder<Database, 'page_shield_resources'>
    | ExpressionBuilder<Database, 'page_shield_cookies'>,
  { hosts, excludedHosts, pageUrls }: HostFilter,
) {
  const rows = eb as Rows // both tables have the columns named here
  const host = rows.ref('host')
  const pages = sql<string>`'\n' || ${rows.ref('first_page_url')} || ${rows.ref('page_urls')} || '\n'`
  return rows.and([
    anyOf(rows, hosts, (pattern) => matches(host, pattern)),
    ...excludedHosts.map((pattern) => rows.not(matches(host, pattern))),
    anyOf(rows, pageUrls, (pattern) => hasLine(pages, pattern)),
  ])
}

/** An empty filter matches everything. */
function anyOf<Wish>(eb: Rows, wishes: readonly Wish[], meets: (wish: Wish) => Expression<SqlBool>) {
  return wishes.length === 0 ? eb.lit(true) : eb.or(wishes.map(meets))
}

export function matches(subject: Expression<string>, { place, text }: TextPattern): Expression<SqlBool> {
  return place === 'whole' ? sql<SqlBool>`${subject} = ${text}` : exactTextMatch(subject, text, place)
}

/** Whether any line of a line-feed-separated string matches. */
function hasLine(lines: Expression<string>, { place, text }: TextPattern): Expression<SqlBool> {
  const before = place === 'whole' || place === 'at-start' ? '\n' : ''
  const after = place === 'whole' || place === 'at-end' ? '\n' : ''
  return exactTextMatch(lines, `${before}${text}${after}`, 'anywhere')
}
