// Scripts that wait to be fetched. Each of these queries looks at what it finds and at nothing else, however much waits.
import { query, template, type Reader, type Transaction } from '../../storage/index.ts'
import { fromResourceRow, type StoredResource } from './resources.store.ts'
import { siteOf } from './sites.rules.ts'

const NOTHING = ''

const zoneAfter = template(
  query
    .selectFrom('page_shield_resources')
    .select('zone_id')
    .where('waiting_site', 'is not', null)
    .where('zone_id', '>', NOTHING)
    .orderBy('zone_id')
    .limit(1),
)

/** The next zone, by id, with a script that waits. */
export async function waitingZoneAfter(db: Reader, zoneId: string): Promise<string | undefined> {
  return (await db.first(zoneAfter([zoneId, 1])))?.zone_id
}

const siteAfter = template(
  query
    .selectFrom('page_shield_resources')
    .select('waiting_site')
    .where('zone_id', '=', NOTHING)
    .where('waiting_site', '>', NOTHING)
    .orderBy('waiting_site')
    .limit(1),
)

/** The next site, by name, that a script of the zone waits for. */
export async function waitingSiteAfter(
  db: Reader,
  zoneId: string,
  site: string,
): Promise<string | undefined> {
  return (await db.first(siteAfter([zoneId, site, 1])))?.waiting_site ?? undefined
}

/** The script of a zone that waits for a site and is due for longest. */
export async function firstWaiting(
  db: Reader,
  zoneId: string,
  site: string,
): Promise<StoredResource | undefined> {
  const row = await db.first(
    query
      .selectFrom('page_shield_resources')
      .selectAll()
      .where('zone_id', '=', zoneId)
      .where('waiting_site', '=', site)
      .orderBy('fetch_due_at')
      .limit(1),
  )
  return row && fromResourceRow(row)
}

const viewed = template(
  query
    .selectFrom('page_shield_resources')
    .select(['id', 'waiting_site'])
    .where('zone_id', '=', NOTHING)
    .where('waiting_site', 'is not', null)
    .orderBy('page_views', 'desc')
    .limit(1),
)

/** Scripts of a zone that wait, those that most page views had first. */
export async function mostViewedWaiting(
  db: Reader,
  zoneId: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly site: string }[]> {
  const rows = await db.all(viewed([zoneId, limit]))
  return rows.map(({ id, waiting_site: site }) => ({ id, site: site ?? '' }))
}

/** True where any script waits. */
export async function isAnyWaiting(db: Reader): Promise<boolean> {
  return (await waitingZoneAfter(db, NOTHING)) !== undefined
}

/** Scripts whose time has come, that do not wait yet, and that nobody is fetching. */
const due = template(
  query
    .selectFrom('page_shield_resources')
    .select(['id', 'url_host'])
    .where('waiting_site', 'is', null)
    .where('fetch_due_at', '<=', NOTHING)
    .where(({ eb, or }) =>
      or([eb('fetch_leased_until', 'is', null), eb('fetch_leased_until', '<=', NOTHING)]),
    )
    .orderBy('fetch_due_at')
    .limit(1),
)

export async function isAnyDue(db: Reader, now: string): Promise<boolean> {
  return (await db.first(due([now, now, 1]))) !== undefined
}

const wait = template(
  query.updateTable('page_shield_resources').set({ waiting_site: NOTHING }).where('id', '=', NOTHING),
)

/** Lets scripts whose time has come wait for their turn, those that are due for longest first. */
export async function letDueWait(tx: Transaction, now: string, limit: number): Promise<void> {
  for (const { id, url_host: urlHost } of await tx.all(due([now, now, limit])))
    await tx.run(wait([siteOf(urlHost), id]))
}
