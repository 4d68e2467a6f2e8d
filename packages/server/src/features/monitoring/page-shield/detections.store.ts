// Rows of the inventory, written by detections: many per transaction, so query texts are compiled once.
import {
  countRows,
  prepare,
  query,
  type Reader,
  sql,
  type SqlBool,
  tables,
  type Transaction,
} from '@zonereeve/storage'
import type { ResourceKind } from './resources.rules.ts'

/** The columns of a resource that a detection can change, and those it depends on. */
export interface KnownResource {
  readonly id: string
  readonly lastSeenAt: string
  readonly pageViews: number
  readonly pageUrls: readonly string[]
  readonly hasCdnCgi: boolean
  readonly soleReporter: string | null
}

/** IDs looked up per query. */
const IDS_PER_QUERY = 64

const knownResources = tables.page_shield_resources
  .only('id', 'last_seen_at', 'page_views', 'page_urls', 'has_cdn_cgi', 'sole_reporter')
  .of<KnownResource>()

const known = prepare(
  ({ ids }: { ids: readonly string[] }) =>
    query
      .selectFrom('page_shield_resources')
      .select(['id', 'last_seen_at', 'page_views', 'page_urls', 'has_cdn_cgi', 'sole_reporter'])
      .where('id', 'in', ids),
  { ids: IDS_PER_QUERY },
)

/** The existing resources among the given ids. */
export async function findKnown(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KnownResource>> {
  const found = new Map<string, KnownResource>()
  for (let at = 0; at < ids.length; at += IDS_PER_QUERY) {
    const some = known({ ids: ids.slice(at, at + IDS_PER_QUERY) })
    for (const resource of await knownResources.all(db, some)) found.set(resource.id, resource)
  }
  return found
}

export const saveSeenAgain = (tx: Transaction, resource: KnownResource): Promise<void> =>
  knownResources.update(tx, resource)

/** How many resources of a kind a zone has, whether or not they are forgotten. */
export const countResources = (db: Reader, zoneId: string, kind: ResourceKind): Promise<number> =>
  countRows(
    db,
    query.selectFrom('page_shield_resources').where('zone_id', '=', zoneId).where('kind', '=', kind),
  )

interface Crowded {
  readonly zoneId: string
  readonly kind: ResourceKind
  readonly activePageViews: number
}

/** Infrequent resources that are not authorized and never were malicious, least recently seen first. */
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
              .where(kind === 'script' || kind === 'connection' ? REPORTED : REPORTED_LOAD),
          ),
        ),
      )
      .orderBy('last_seen_at')
      .limit(limit),
  )
  return rows.map(({ id }) => id)
}

/** Both are worded exactly as the partial indexes that cover only these. */
const REPORTED = sql<SqlBool>`page_shield_events.kind IN ('script.reported', 'connection.reported')`
const REPORTED_LOAD = sql<SqlBool>`page_shield_events.kind IN ('frame.reported', 'image.reported', 'form.reported')`

interface Variants {
  readonly zoneId: string
  readonly kind: ResourceKind
  readonly host: string
  readonly from: string
  readonly below: string
  readonly limit: number
}

const variants = prepare(({ zoneId, kind, host, from, below, limit }: Variants) =>
  query
    .selectFrom('page_shield_resources')
    .select('id')
    .where('zone_id', '=', zoneId)
    .where('kind', '=', kind)
    .where('host', '=', host)
    .where('url', '>=', from)
    .where('url', '<', below)
    .limit(limit),
)

/** Counts URLs that begin with `stem` and a question mark, up to `limit`. */
export async function countVariants(
  db: Reader,
  { stem, ...place }: Pick<Variants, 'zoneId' | 'kind' | 'host'> & { readonly stem: string },
  limit: number,
): Promise<number> {
  // `@` comes right after `?`: between the two is every query of that stem.
  return (await db.all(variants({ ...place, from: `${stem}?`, below: `${stem}@`, limit }))).length
}

export async function existingZones(db: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.all(query.selectFrom('zones').select('id').where('id', 'in', ids))
  return new Set(rows.map(({ id }) => id))
}
