// Rows of the inventory as sightings change them: many in one transaction, so that texts of queries are compiled once.
import { query, sql, template, type Reader, type SqlBool, type Transaction } from '../../storage/index.ts'
import {
  fromLines,
  toLines,
  toResourceRow,
  type ResourceRow,
  type StoredResource,
} from './resources.store.ts'
import type { ResourceKind } from './resources.rules.ts'

/** What of a known resource a sighting can change, and what it depends on. */
export interface KnownResource {
  readonly id: string
  readonly lastSeenAt: string
  readonly pageViews: number
  readonly pageUrls: readonly string[]
  readonly hasCdnCgi: boolean
}

/** Identifiers looked up with one query. */
const LOOKED_UP_AT_ONCE = 64
const NOTHING = ''

const known = template(
  query
    .selectFrom('page_shield_resources')
    .select(['id', 'last_seen_at', 'page_views', 'page_urls', 'has_cdn_cgi'])
    .where(
      'id',
      'in',
      Array.from({ length: LOOKED_UP_AT_ONCE }, () => NOTHING),
    ),
)

/** Those of the resources that there are, by id. */
export async function findKnown(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KnownResource>> {
  const found = new Map<string, KnownResource>()
  for (let at = 0; at < ids.length; at += LOOKED_UP_AT_ONCE) {
    const part = Array.from({ length: LOOKED_UP_AT_ONCE }, (_, index) => ids[at + index] ?? NOTHING)
    for (const row of await db.all(known(part))) {
      found.set(row.id, {
        id: row.id,
        lastSeenAt: row.last_seen_at,
        pageViews: row.page_views,
        pageUrls: fromLines(row.page_urls),
        hasCdnCgi: row.has_cdn_cgi === 1,
      })
    }
  }
  return found
}

const seenAgain = template(
  query
    .updateTable('page_shield_resources')
    .set({ last_seen_at: NOTHING, page_views: 0, page_urls: NOTHING, has_cdn_cgi: 0 })
    .where('id', '=', NOTHING),
)

export async function saveSeenAgain(tx: Transaction, resource: KnownResource): Promise<void> {
  const { id, lastSeenAt, pageViews, pageUrls, hasCdnCgi } = resource
  await tx.run(seenAgain([lastSeenAt, pageViews, toLines(pageUrls), hasCdnCgi ? 1 : 0, id]))
}

const COLUMNS: ResourceRow = {
  id: NOTHING,
  zone_id: NOTHING,
  kind: 'script',
  host: NOTHING,
  url: NOTHING,
  url_host: NOTHING,
  has_cdn_cgi: 0,
  added_at: NOTHING,
  first_seen_at: NOTHING,
  last_seen_at: NOTHING,
  page_views: 0,
  first_page_url: NOTHING,
  page_urls: NOTHING,
  is_malicious: 0,
  domain_categories: null,
  url_categories: null,
  feed_version: 0,
  hash: null,
  content_sha256: null,
  sri: null,
  scores: null,
  fetched_at: null,
  fetch_due_at: null,
  waiting_site: null,
  fetch_leased_until: null,
  fetch_failures: 0,
  fetch_problem: null,
  fetch_memory: null,
}
const COLUMN_NAMES = Object.keys(COLUMNS) as (keyof ResourceRow)[] // the keys of the table, by its type

const insertion = template(query.insertInto('page_shield_resources').values(COLUMNS))

export async function insertResource(tx: Transaction, resource: StoredResource): Promise<void> {
  const row = toResourceRow(resource)
  await tx.run(insertion(COLUMN_NAMES.map((name) => row[name])))
}

/** How many resources of a kind a zone has, whether or not they are forgotten. */
export async function countResources(db: Reader, zoneId: string, kind: ResourceKind): Promise<number> {
  const counted = query
    .selectFrom('page_shield_resources')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('zone_id', '=', zoneId)
    .where('kind', '=', kind)
  return (await db.first(counted))?.count ?? 0
}

interface Crowded {
  readonly zoneId: string
  readonly kind: ResourceKind
  readonly activePageViews: number
}

/** Infrequent resources that nobody has authorised and that never were malicious, those not met for longest first. */
export async function displaceable(
  db: Reader,
  { zoneId, kind, activePageViews }: Crowded,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.all(
    query
      .selectFrom('page_shield_resources')
      .select('id')
      .where('zone_id', '=', zoneId)
      .where('kind', '=', kind)
      .where('page_views', '<', activePageViews)
      .where('is_malicious', '=', 0)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('page_shield_authorizations')
              .select('script_id')
              .where('page_shield_authorizations.zone_id', '=', zoneId)
              .whereRef('script_id', '=', 'page_shield_resources.id'),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('page_shield_events')
              .select('number')
              .whereRef('resource_id', '=', 'page_shield_resources.id')
              .where(REPORTED),
          ),
        ),
      )
      .orderBy('last_seen_at')
      .limit(limit),
  )
  return rows.map(({ id }) => id)
}

/** In the words of the index that has only these. */
const REPORTED = sql<SqlBool>`page_shield_events.kind IN ('script.reported', 'connection.reported')`

const variants = template(
  query
    .selectFrom('page_shield_resources')
    .select('id')
    .where('zone_id', '=', NOTHING)
    .where('kind', '=', 'script')
    .where('host', '=', NOTHING)
    .where('url', '>=', NOTHING)
    .where('url', '<', NOTHING)
    .limit(1),
)

/** How many URLs that begin with `stem` and a question mark there are; counts no further than `limit`. */
export async function countVariants(
  db: Reader,
  { zoneId, kind, host, stem }: { zoneId: string; kind: ResourceKind; host: string; stem: string },
  limit: number,
): Promise<number> {
  // `@` comes right after `?`: between the two is every query of that stem.
  return (await db.all(variants([zoneId, kind, host, `${stem}?`, `${stem}@`, limit]))).length
}

export async function existingZones(db: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.all(query.selectFrom('zones').select('id').where('id', 'in', ids))
  return new Set(rows.map(({ id }) => id))
}
