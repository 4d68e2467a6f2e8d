// Rows of fetched contents and of their sources. A source is stored once per zone, however many scripts have it.
import { CHUNK_SIZE } from '@zonereeve/cooperate'
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'

/** Contents kept per script, newest first. */
export const CONTENTS_KEPT = 50

/** One span of fetches that all returned the same bytes. Times are in whole seconds. */
export interface FetchedSpan {
  readonly zoneId: string
  readonly scriptId: string
  readonly contentSha256: string
  /** Of its structure. */
  readonly hash: string
  readonly byteLength: number
  readonly firstFetchedAt: string
  readonly lastFetchedAt: string
}

export interface StoredSource {
  readonly zoneId: string
  readonly contentSha256: string
  /** As sent by the server; null = none. */
  readonly charset: string | null
  readonly storedBytes: number
  /** Compressed. */
  readonly source: Uint8Array
}

const spans = tables.page_shield_contents.of<FetchedSpan>()
const sources = tables.page_shield_sources.of<StoredSource>()

/** Newest first. */
export const spansOf = (db: Reader, scriptId: string): Promise<FetchedSpan[]> =>
  spans.all(db, newestSpans(scriptId).limit(CONTENTS_KEPT))

const newestSpans = (scriptId: string) =>
  query
    .selectFrom('page_shield_contents')
    .selectAll()
    .where('script_id', '=', scriptId)
    .orderBy('position', 'desc')

/** Extends the newest span if the content is the same, or else starts another and deletes the oldest. */
export async function saveSpan(tx: Transaction, span: Omit<FetchedSpan, 'firstFetchedAt'>): Promise<void> {
  const { zoneId, scriptId, contentSha256, hash, lastFetchedAt } = span
  const [newest] = await tx.all(newestSpans(scriptId).limit(1))
  if (newest?.content_sha256 === contentSha256) {
    await updateSpan(tx, newest.position, { hash, last_fetched_at: lastFetchedAt })
    return
  }
  await spans.insert(tx, { ...span, firstFetchedAt: lastFetchedAt })
  const surplus = await tx.all(newestSpans(scriptId).offset(CONTENTS_KEPT).limit(CONTENTS_KEPT))
  for (const { position, content_sha256: sha256 } of surplus) {
    await tx.run(query.deleteFrom('page_shield_contents').where('position', '=', position))
    await removeUnused(tx, zoneId, sha256)
  }
}

/** Extends the newest span: the content was not modified. */
export async function extendSpan(tx: Transaction, scriptId: string, lastFetchedAt: string): Promise<void> {
  const [newest] = await tx.all(newestSpans(scriptId).limit(1))
  if (newest !== undefined) await updateSpan(tx, newest.position, { last_fetched_at: lastFetchedAt })
}

const updateSpan = (
  tx: Transaction,
  position: number,
  changed: { readonly hash?: string; readonly last_fetched_at: string },
): Promise<number> =>
  tx.run(query.updateTable('page_shield_contents').set(changed).where('position', '=', position))

/** Spans of all scripts of a zone, by script and newest first. */
export const allSpans = (db: Reader, zoneId: string, limit: number): Promise<FetchedSpan[]> =>
  spans.all(
    db,
    query
      .selectFrom('page_shield_contents')
      .selectAll()
      .where('zone_id', '=', zoneId)
      .orderBy('script_id')
      .orderBy('position', 'desc')
      .limit(limit),
  )

export const findSource = (
  db: Reader,
  zoneId: string,
  contentSha256: string,
): Promise<StoredSource | undefined> =>
  sources.first(
    db,
    query
      .selectFrom('page_shield_sources')
      .selectAll()
      .where('zone_id', '=', zoneId)
      .where('content_sha256', '=', contentSha256),
  )

/** Digests whose source is stored. */
export async function storedAmong(
  db: Reader,
  zoneId: string,
  contents: readonly Pick<FetchedSpan, 'contentSha256'>[],
): Promise<ReadonlySet<string>> {
  const digests = contents.map(({ contentSha256 }) => contentSha256)
  const rows = await db.all(ofZone(zoneId).select('content_sha256').where('content_sha256', 'in', digests))
  return new Set(rows.map((row) => row.content_sha256))
}

const ofZone = (zoneId: string) => query.selectFrom('page_shield_sources').where('zone_id', '=', zoneId)

/**
 * Stores a source, unless it is stored already. To make room, the sources that were stored first are deleted, but
 * never that of a script's current content.
 * @param maxBytes limit of all compressed sources of the zone; a source that does not fit is not stored.
 */
export async function saveSource(tx: Transaction, source: StoredSource, maxBytes: number): Promise<void> {
  const { zoneId, contentSha256, storedBytes } = source
  if (
    (await tx.first(ofZone(zoneId).select('position').where('content_sha256', '=', contentSha256))) !==
    undefined
  )
    return
  let budget = maxBytes - storedBytes - (await storedBytesOf(tx, zoneId))
  if (budget < 0) {
    const current = query
      .selectFrom('page_shield_resources')
      .select('content_sha256')
      .where('zone_id', '=', zoneId)
      .where('content_sha256', 'is not', null)
    const oldest = ofZone(zoneId)
      .select(['position', 'stored_bytes'])
      .where('content_sha256', 'not in', current)
      .orderBy('position')
    for (const { position, stored_bytes: bytes } of await tx.all(oldest)) {
      if (budget >= 0) break
      await tx.run(query.deleteFrom('page_shield_sources').where('position', '=', position))
      budget += bytes
    }
  }
  if (budget >= 0) await sources.insert(tx, source)
}

export async function storedBytesOf(db: Reader, zoneId: string): Promise<number> {
  const sum = ofZone(zoneId).select(({ fn }) => fn.sum<number | null>('stored_bytes').as('bytes'))
  return (await db.first(sum))?.bytes ?? 0 // the sum of no rows is null
}

async function removeUnused(tx: Transaction, zoneId: string, contentSha256: string): Promise<void> {
  const used = query.selectFrom('page_shield_contents').select('position').where('zone_id', '=', zoneId)
  if ((await tx.first(used.where('content_sha256', '=', contentSha256).limit(1))) === undefined)
    await sources.remove(tx, { zoneId, contentSha256 })
}

/**
 * Deletes sources that no content refers to: those of scripts that were deleted.
 * @returns how many.
 */
export function deleteUnusedSources(tx: Transaction, zoneId: string, limit: number): Promise<number> {
  const unused = ofZone(zoneId)
    .select('position')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('page_shield_contents')
            .select('page_shield_contents.position')
            .where('page_shield_contents.zone_id', '=', zoneId)
            .whereRef('page_shield_contents.content_sha256', '=', 'page_shield_sources.content_sha256'),
        ),
      ),
    )
    .limit(limit)
  return tx.run(query.deleteFrom('page_shield_sources').where('position', 'in', unused))
}

/** Deletes all sources of a zone that stores none, and those of a zone that is deleted. */
export async function deleteSources(tx: Transaction, zoneId: string): Promise<void> {
  const some = ofZone(zoneId).select('position').limit(CHUNK_SIZE)
  while ((await tx.run(query.deleteFrom('page_shield_sources').where('position', 'in', some))) === CHUNK_SIZE)
    await tx.yieldIfDue()
}
