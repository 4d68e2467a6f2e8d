// Rows of cookies.
import {
  countRows,
  type Database,
  type ExpressionBuilder,
  query,
  type Reader,
  sql,
  type SqlBool,
  tables,
  type Transaction,
} from '@zonereeve/storage'
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

export interface StoredCookie {
  readonly id: string
  readonly zoneId: string
  readonly type: 'first_party' | 'unknown'
  readonly name: string
  /** Host of the pages. */
  readonly host: string
  readonly domain: string
  /** False if a Domain attribute extends it to subdomains. */
  readonly isHostOnly: boolean
  readonly path: string
  readonly expires: string | null
  readonly maxAgeSeconds: number | null
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite: SameSite | null
  /** null = not known. */
  readonly setBy: 'response' | 'script' | null
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  readonly firstPageUrl: string
  /** The last ten, newest first. */
  readonly pageUrls: readonly string[]
}

const cookies = tables.page_shield_cookies.of<StoredCookie>()

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
  const desired = passing.selectAll().orderBy(order.by, direction).orderBy('id').offset(offset).limit(limit)
  return { items: await cookies.readable(db, desired), totalCount: await countRows(db, passing) }
}

function passes(eb: ExpressionBuilder<Database, 'page_shield_cookies'>, filter: CookieFilter) {
  // Cookies that are known only from Cookie headers have no attributes.
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
  desired: boolean,
) => sql<SqlBool>`${eb.ref(column)} = ${desired ? 1 : 0}`

export const findCookie = (db: Reader, zoneId: string, id: string): Promise<StoredCookie | undefined> =>
  cookies.find(db, { id, zoneId })

export async function cookiesNamed(
  db: Reader,
  zoneId: string,
  name: string,
): Promise<readonly StoredCookie[]> {
  const own = query.selectFrom('page_shield_cookies').selectAll().where('zone_id', '=', zoneId)
  return cookies.all(db, own.where('name', '=', name).orderBy('id'))
}

export const countCookies = (db: Reader, zoneId: string): Promise<number> => cookies.count(db, { zoneId })

export const saveCookie = (tx: Transaction, cookie: StoredCookie): Promise<void> => cookies.save(tx, cookie)

export const deleteCookie = (tx: Transaction, id: string): Promise<number> => cookies.remove(tx, { id })
