// Rows of cookies.
import {
  query,
  sql,
  type Database,
  type ExpressionBuilder,
  type Reader,
  type SqlBool,
  type Transaction,
} from '../../storage/index.ts'
import type { SameSite } from './cookies.rules.ts'
import type { Cutoffs } from './life-cycle.rules.ts'
import type { TextPattern } from './list-filters.rules.ts'
import {
  matches,
  passesHosts,
  type HostFilter,
  type Order,
  type Page,
  type Slice,
} from './resource-list.store.ts'
import { fromLines, toLines } from './resources.store.ts'

export interface StoredCookie {
  readonly id: string
  readonly zoneId: string
  readonly type: 'first_party' | 'unknown'
  readonly name: string
  /** Of the pages. */
  readonly host: string
  readonly domain: string
  /** False where a Domain attribute opens it to hosts below. */
  readonly isHostOnly: boolean
  readonly path: string
  readonly expires: string | null
  readonly maxAgeSeconds: number | null
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite: SameSite | null
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  readonly firstPageUrl: string
  /** The last ten, newest first. */
  readonly pageUrls: readonly string[]
}

export interface CookieFilter extends HostFilter {
  readonly name: TextPattern | undefined
  readonly secure: boolean | undefined
  readonly httpOnly: boolean | undefined
  readonly sameSite: SameSite | undefined
  readonly type: StoredCookie['type'] | undefined
  readonly path: string | undefined
  readonly domain: string | undefined
}

export interface CookieQuery extends Slice {
  readonly filter: CookieFilter
  readonly order: Order
}

export async function listCookies(
  db: Reader,
  zoneId: string,
  { cookiesForgottenBefore }: Cutoffs,
  { filter, order, offset, limit }: CookieQuery,
): Promise<Page<StoredCookie>> {
  const passing = query
    .selectFrom('page_shield_cookies')
    .where('zone_id', '=', zoneId)
    .where('last_seen_at', '>=', cookiesForgottenBefore)
    .where((eb) => passes(eb, filter))
  const direction = order.descending ? 'desc' : 'asc'
  const wanted = passing.selectAll().orderBy(order.by, direction).orderBy('id').offset(offset).limit(limit)
  const items: StoredCookie[] = []
  await db.each(wanted, (row) => void items.push(fromRow(row)))
  const counted = await db.first(passing.select(({ fn }) => fn.countAll<number>().as('count')))
  return { items, totalCount: counted?.count ?? 0 }
}

function passes(eb: ExpressionBuilder<Database, 'page_shield_cookies'>, filter: CookieFilter) {
  // Of cookies that are only sent by browsers, no attribute is known.
  const firstParty = (condition: ReturnType<typeof eb.and>) =>
    eb.and([eb('type', '=', 'first_party'), condition])
  const { name, secure, httpOnly, sameSite, type, path, domain } = filter
  return eb.and([
    passesHosts(eb, filter),
    ...(name === undefined ? [] : [matches(eb.ref('name'), name)]),
    ...(secure === undefined ? [] : [firstParty(eb.and([is(eb, 'secure_attribute', secure)]))]),
    ...(httpOnly === undefined ? [] : [firstParty(eb.and([is(eb, 'http_only_attribute', httpOnly)]))]),
    ...(sameSite === undefined ? [] : [eb('same_site_attribute', '=', sameSite)]),
    ...(type === undefined ? [] : [eb('type', '=', type)]),
    ...(path === undefined ? [] : [eb('path_attribute', '=', path)]),
    ...(domain === undefined ? [] : [eb('domain_attribute', '=', domain)]),
  ])
}

const is = (
  eb: ExpressionBuilder<Database, 'page_shield_cookies'>,
  column: 'secure_attribute' | 'http_only_attribute',
  wanted: boolean,
) => sql<SqlBool>`${eb.ref(column)} = ${wanted ? 1 : 0}`

export async function findCookie(db: Reader, zoneId: string, id: string): Promise<StoredCookie | undefined> {
  const row = await db.first(
    query.selectFrom('page_shield_cookies').selectAll().where('id', '=', id).where('zone_id', '=', zoneId),
  )
  return row && fromRow(row)
}

export async function cookiesNamed(
  db: Reader,
  zoneId: string,
  name: string,
): Promise<readonly StoredCookie[]> {
  const rows = await db.all(
    query
      .selectFrom('page_shield_cookies')
      .selectAll()
      .where('zone_id', '=', zoneId)
      .where('name', '=', name)
      .orderBy('id'),
  )
  return rows.map(fromRow)
}

export async function countCookies(db: Reader, zoneId: string): Promise<number> {
  const counted = query
    .selectFrom('page_shield_cookies')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('zone_id', '=', zoneId)
  return (await db.first(counted))?.count ?? 0
}

export async function saveCookie(tx: Transaction, cookie: StoredCookie): Promise<void> {
  const { id, ...columns } = toRow(cookie)
  await tx.run(
    query
      .insertInto('page_shield_cookies')
      .values({ id, ...columns })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(columns)),
  )
}

export async function deleteCookie(tx: Transaction, id: string): Promise<void> {
  await tx.run(query.deleteFrom('page_shield_cookies').where('id', '=', id))
}

const fromRow = (row: Database['page_shield_cookies']): StoredCookie => ({
  id: row.id,
  zoneId: row.zone_id,
  type: row.type,
  name: row.name,
  host: row.host,
  domain: row.domain_attribute,
  isHostOnly: row.is_host_only === 1,
  path: row.path_attribute,
  expires: row.expires_attribute,
  maxAgeSeconds: row.max_age_attribute,
  httpOnly: row.http_only_attribute === 1,
  secure: row.secure_attribute === 1,
  sameSite: row.same_site_attribute,
  firstSeenAt: row.first_seen_at,
  lastSeenAt: row.last_seen_at,
  firstPageUrl: row.first_page_url,
  pageUrls: fromLines(row.page_urls),
})

const toRow = (cookie: StoredCookie): Database['page_shield_cookies'] => ({
  id: cookie.id,
  zone_id: cookie.zoneId,
  type: cookie.type,
  name: cookie.name,
  host: cookie.host,
  domain_attribute: cookie.domain,
  is_host_only: cookie.isHostOnly ? 1 : 0,
  path_attribute: cookie.path,
  expires_attribute: cookie.expires,
  max_age_attribute: cookie.maxAgeSeconds,
  http_only_attribute: cookie.httpOnly ? 1 : 0,
  secure_attribute: cookie.secure ? 1 : 0,
  same_site_attribute: cookie.sameSite,
  first_seen_at: cookie.firstSeenAt,
  last_seen_at: cookie.lastSeenAt,
  first_page_url: cookie.firstPageUrl,
  page_urls: toLines(cookie.pageUrls),
})
