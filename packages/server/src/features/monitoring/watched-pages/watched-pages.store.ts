// Rows of watched pages and of their snapshots.
import { countRows, query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import { MAX_SNAPSHOTS, type Snapshot, type WatchedPage } from './watched-pages.rules.ts'

const pages = tables.page_shield_pages.of<WatchedPage>()
const snapshots = tables.page_shield_page_snapshots.of<Snapshot>()

export interface Slice {
  readonly offset: number
  readonly limit: number
}

export interface NumberedSnapshot extends Snapshot {
  readonly number: number
}

const toNumbered = (snapshot: Snapshot, { position }: { readonly position: number }): NumberedSnapshot => ({
  ...snapshot,
  number: position,
})

/** In order of creation. */
export const pagesOf = (db: Reader, zoneId: string): Promise<readonly WatchedPage[]> =>
  pages.readable(
    db,
    query
      .selectFrom('page_shield_pages')
      .selectAll()
      .where('zone_id', '=', zoneId)
      .orderBy('created_on')
      .orderBy('id'),
  )

export const findPage = (db: Reader, zoneId: string, id: string): Promise<WatchedPage | undefined> =>
  pages.first(
    db,
    query.selectFrom('page_shield_pages').selectAll().where('id', '=', id).where('zone_id', '=', zoneId),
  )

export const pageAt = (db: Reader, zoneId: string, url: string): Promise<WatchedPage | undefined> =>
  pages.find(db, { zoneId, url })

const selectDue = (now: string) =>
  query
    .selectFrom('page_shield_pages')
    .where('next_check_at', '<=', now)
    .where('zone_id', 'in', (zones) =>
      zones.selectFrom('page_shield_settings').select('zone_id').where('enabled', '=', 1),
    )

/** Pages of zones with monitoring whose check is due, longest waiting first. */
export const duePages = (db: Reader, now: string, limit: number): Promise<readonly WatchedPage[]> =>
  pages.readable(db, selectDue(now).selectAll().orderBy('next_check_at').limit(limit))

export const countDuePages = (db: Reader, now: string): Promise<number> => countRows(db, selectDue(now))

export const insertPage = (tx: Transaction, page: WatchedPage): Promise<void> => pages.insert(tx, page)

export const savePage = (tx: Transaction, page: WatchedPage): Promise<void> => pages.update(tx, page)

export async function deletePage(tx: Transaction, id: string): Promise<void> {
  await snapshots.remove(tx, { pageId: id })
  await pages.remove(tx, { id })
}

export async function deletePages(tx: Transaction, zoneId: string): Promise<number> {
  await snapshots.remove(tx, { zoneId })
  return pages.remove(tx, { zoneId })
}

const ofPage = (pageId: string, source: Snapshot['source']) =>
  query
    .selectFrom('page_shield_page_snapshots')
    .where('page_id', '=', pageId)
    .where('source', '=', source)
    .orderBy('position', 'desc')

export const newestSnapshot = (
  db: Reader,
  pageId: string,
  source: Snapshot['source'],
): Promise<NumberedSnapshot | undefined> =>
  snapshots.first(db, ofPage(pageId, source).selectAll().limit(1), toNumbered)

/** Some of a page's snapshots of both sources, newest first, and how many there are. */
export async function snapshotsOf(
  db: Reader,
  pageId: string,
  { offset, limit }: Slice,
): Promise<{ readonly items: readonly NumberedSnapshot[]; readonly totalCount: number }> {
  const own = query.selectFrom('page_shield_page_snapshots').where('page_id', '=', pageId)
  const some = own.selectAll().orderBy('position', 'desc').offset(offset).limit(limit)
  return { items: await snapshots.readable(db, some, toNumbered), totalCount: await countRows(db, own) }
}

/** The snapshot before another one of the same page and source; undefined if there is none that can be read. */
export async function snapshotBefore(
  db: Reader,
  { pageId, source, number }: NumberedSnapshot,
): Promise<NumberedSnapshot | undefined> {
  const earlier = ofPage(pageId, source).selectAll().where('position', '<', number).limit(1)
  return (await snapshots.readable(db, earlier, toNumbered))[0]
}

/** Adds a snapshot; the oldest beyond the maximum is deleted. */
export async function insertSnapshot(tx: Transaction, snapshot: Snapshot): Promise<void> {
  await snapshots.insert(tx, snapshot)
  const old = ofPage(snapshot.pageId, snapshot.source).select('position').offset(MAX_SNAPSHOTS).limit(1)
  const oldest = await tx.first(old)
  if (oldest === undefined) return
  await tx.run(
    query
      .deleteFrom('page_shield_page_snapshots')
      .where('page_id', '=', snapshot.pageId)
      .where('source', '=', snapshot.source)
      .where('position', '<=', oldest.position),
  )
}

export const noteSeenAgain = (tx: Transaction, number: number, lastSeenAt: string): Promise<number> =>
  tx.run(
    query
      .updateTable('page_shield_page_snapshots')
      .set({ last_seen_at: lastSeenAt })
      .where('position', '=', number),
  )
