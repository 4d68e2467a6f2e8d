// The queue of scripts to fetch. Each query reads only the rows it returns, however long the queue is.
import { prepare, query, type Reader, type Transaction } from '@zonereeve/storage'
import { wholeSeconds } from './life-cycle.rules.ts'
import { resources, type StoredResource } from './resources.store.ts'
import { siteOf } from './sites.rules.ts'

/** Rows that cannot be read stay in front of the others. */
const UNREADABLE_PASSED_OVER = 9

const zoneAfter = prepare(({ zoneId }: { zoneId: string }) =>
  query
    .selectFrom('page_shield_resources')
    .select('zone_id')
    .where('waiting_site', 'is not', null)
    .where('zone_id', '>', zoneId)
    .orderBy('zone_id')
    .limit(1),
)

/** The next zone, by id, with a script that waits. */
export async function waitingZoneAfter(db: Reader, zoneId: string): Promise<string | undefined> {
  return (await db.first(zoneAfter({ zoneId })))?.zone_id
}

const siteAfter = prepare(({ zoneId, site }: { zoneId: string; site: string }) =>
  query
    .selectFrom('page_shield_resources')
    .select('waiting_site')
    .$narrowType<{ waiting_site: string }>() // not null: it is compared with another
    .where('zone_id', '=', zoneId)
    .where('waiting_site', '>', site)
    .orderBy('waiting_site')
    .limit(1),
)

/** The next site, by name, with a waiting script of the zone. */
export async function waitingSiteAfter(
  db: Reader,
  zoneId: string,
  site: string,
): Promise<string | undefined> {
  return (await db.first(siteAfter({ zoneId, site })))?.waiting_site
}

/** The waiting script of a zone and site that has been due for longest. */
export async function firstWaiting(
  db: Reader,
  zoneId: string,
  site: string,
): Promise<StoredResource | undefined> {
  const longest = await resources.readable(
    db,
    query
      .selectFrom('page_shield_resources')
      .selectAll()
      .where('zone_id', '=', zoneId)
      .where('waiting_site', '=', site)
      .orderBy('fetch_due_at')
      .limit(UNREADABLE_PASSED_OVER + 1),
  )
  return longest[0]
}

const viewed = prepare(({ zoneId, limit }: { zoneId: string; limit: number }) =>
  query
    .selectFrom('page_shield_resources')
    .select(['id', 'waiting_site as site'])
    .$narrowType<{ site: string }>() // not null by the condition
    .where('zone_id', '=', zoneId)
    .where('waiting_site', 'is not', null)
    .orderBy('page_views', 'desc')
    .limit(limit),
)

/** Scripts of a zone that wait, those that most page views had first. */
export const mostViewedWaiting = (
  db: Reader,
  zoneId: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly site: string }[]> => db.all(viewed({ zoneId, limit }))

/** Whether any script waits. */
export async function isAnyWaiting(db: Reader): Promise<boolean> {
  return (await waitingZoneAfter(db, '')) !== undefined
}

/** Scripts that are due, are not queued yet and are not being fetched. */
const due = prepare(({ now, limit }: { now: string; limit: number }) =>
  query
    .selectFrom('page_shield_resources')
    .select(['id', 'url_host'])
    .where('waiting_site', 'is', null)
    .where('fetch_due_at', '<=', now)
    .where(({ eb, or }) => or([eb('fetch_leased_until', 'is', null), eb('fetch_leased_until', '<=', now)]))
    .orderBy('fetch_due_at')
    .limit(limit),
)

export async function isAnyDue(db: Reader, now: string): Promise<boolean> {
  return (await db.first(due({ now, limit: 1 }))) !== undefined
}

/** Queues the scripts that are due, those that have been due for longest first. */
export async function letDueWait(tx: Transaction, now: string, limit: number): Promise<void> {
  for (const { id, url_host: urlHost } of await tx.all(due({ now, limit })))
    await resources.update(tx, { id, waitingSite: siteOf(urlHost) })
}

/** Makes fetched scripts due earlier that are due later than by their interval. Failed fetches keep their delays. */
export async function bringForward(
  tx: Transaction,
  zoneId: string,
  nowMillis: number,
  intervalMillis: (url: string) => number,
): Promise<void> {
  const scripts = await tx.all(
    query
      .selectFrom('page_shield_resources')
      .select(['id', 'url', 'fetched_at', 'fetch_due_at'])
      .where('zone_id', '=', zoneId)
      .where('kind', '=', 'script')
      .where('fetch_failures', '=', 0)
      .where('fetched_at', 'is not', null)
      .where('fetch_due_at', '>', wholeSeconds(nowMillis)),
  )
  for (const { id, url, fetched_at: fetchedAt, fetch_due_at: dueAt } of scripts) {
    if (fetchedAt === null || dueAt === null) continue // not selected
    const soonest = wholeSeconds(Math.max(nowMillis, Date.parse(fetchedAt) + intervalMillis(url)))
    if (soonest >= dueAt) continue
    await tx.yieldIfDue()
    await tx.run(
      query.updateTable('page_shield_resources').set({ fetch_due_at: soonest }).where('id', '=', id),
    )
  }
}
