// Rows of what is known of scripts' contents: versions that were fetched, and hashes that browsers report.
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'
import { replacedContents } from './events.store.ts'
import { fromJson, fromResourceRow, toJson, type StoredResource } from './resources.store.ts'
import { wholeSeconds } from './life-cycle.rules.ts'
import type { Scores } from './scores.rules.ts'

export const VERSIONS_KEPT = 10
/** Of one script, the latest: contents that differ with each visitor are no reason to keep them all. */
const BROWSER_HASHES_KEPT = 20

export interface Version {
  readonly hash: string | null
  readonly contentSha256: string | null
  readonly sri: string | null
  readonly scores: Scores | null
  /** In whole seconds. */
  readonly fetchedAt: string
  readonly reasons: readonly string[]
}

export interface BrowserHash {
  /** `sha256-` and Base64. */
  readonly hash: string
  readonly firstSeenAt: string
  readonly lastSeenAt: string
}

/** The last ten, newest first. */
export async function versionsOf(db: Reader, scriptId: string): Promise<readonly Version[]> {
  const rows = await db.all(
    query
      .selectFrom('page_shield_versions')
      .selectAll()
      .where('script_id', '=', scriptId)
      .orderBy('position', 'desc')
      .limit(VERSIONS_KEPT),
  )
  return rows.map(toVersion)
}

/** How many versions each script of a zone has had, of those that are kept. */
export async function countVersions(db: Reader, zoneId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db.all(
    query
      .selectFrom('page_shield_versions')
      .innerJoin('page_shield_resources', 'page_shield_resources.id', 'page_shield_versions.script_id')
      .select('script_id')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('zone_id', '=', zoneId)
      .groupBy('script_id'),
  )
  return new Map(rows.map(({ script_id: id, count }) => [id, count]))
}

/** Adds the newest version, and lets the oldest of too many go. */
export async function addVersion(tx: Transaction, scriptId: string, version: Version): Promise<void> {
  await tx.run(query.insertInto('page_shield_versions').values({ script_id: scriptId, ...toRow(version) }))
  const kept = query
    .selectFrom('page_shield_versions')
    .select('position')
    .where('script_id', '=', scriptId)
    .orderBy('position', 'desc')
    .limit(VERSIONS_KEPT)
  await tx.run(
    query
      .deleteFrom('page_shield_versions')
      .where('script_id', '=', scriptId)
      .where('position', 'not in', kept),
  )
}

/** Replaces the newest version: the same content, looked at again. */
export async function replaceNewestVersion(
  tx: Transaction,
  scriptId: string,
  version: Version,
): Promise<void> {
  const newest = query
    .selectFrom('page_shield_versions')
    .select(({ fn }) => fn.max('position').as('position'))
    .where('script_id', '=', scriptId)
  await tx.run(query.updateTable('page_shield_versions').set(toRow(version)).where('position', '=', newest))
}

export async function browserHashesOf(db: Reader, scriptId: string): Promise<readonly BrowserHash[]> {
  const rows = await db.all(
    query
      .selectFrom('page_shield_browser_hashes')
      .selectAll()
      .where('script_id', '=', scriptId)
      .orderBy('last_seen_at', 'desc')
      .orderBy('hash'),
  )
  return rows.map((row) => ({ hash: row.hash, firstSeenAt: row.first_seen_at, lastSeenAt: row.last_seen_at }))
}

export interface JudgedHash extends BrowserHash {
  /** It is the hash of a content that was fetched, too. */
  readonly isFetched: boolean
}

/** What browsers ran, beside what was fetched. */
export async function judgedHashesOf(
  db: Reader,
  zoneId: string,
  scriptId: string,
): Promise<readonly JudgedHash[]> {
  const known = await browserHashesOf(db, scriptId)
  if (known.length === 0) return []
  const versions = (await versionsOf(db, scriptId)).flatMap(({ contentSha256 }) => contentSha256 ?? [])
  const replaced = await replacedContents(db, zoneId, scriptId)
  const fetched = new Set([...versions, ...replaced].map(asBrowserHash))
  return known.map((one) => ({ ...one, isFetched: fetched.has(one.hash) }))
}

/** `sha256-` and Base64, as browsers report it, of a digest in hexadecimal. */
export const asBrowserHash = (sha256: string): string =>
  `sha256-${Buffer.from(sha256, 'hex').toString('base64')}`

/** Between a fetch and another one that browsers' reports bring forward: anybody can send reports. */
const REPORTED_AGAIN_MILLIS = 600_000

/**
 * Keeps what browsers say they ran. A content that was never fetched brings the next fetch forward, since it may be another
 * for some visitors than for us; but not before ten minutes from the last one, and not where that failed.
 */
export async function saveBrowserHashes(
  tx: Transaction,
  scriptId: string,
  hashes: readonly string[],
  seenAt: string,
  dueAt: string,
): Promise<void> {
  if (hashes.length === 0) return
  const known = await browserHashesOf(tx, scriptId)
  const fresh = hashes.filter((hash) => !known.some((other) => other.hash === hash))
  for (const hash of hashes) {
    const columns = { last_seen_at: seenAt }
    if (!fresh.includes(hash)) {
      const own = query.updateTable('page_shield_browser_hashes').set(columns)
      await tx.run(own.where('script_id', '=', scriptId).where('hash', '=', hash))
    }
  }
  const silent = known.filter(({ hash }) => !hashes.includes(hash))
  const kept = fresh.slice(0, BROWSER_HASHES_KEPT - (known.length - silent.length))
  // Those that nobody ran for longest make room.
  const surplus = Math.max(0, known.length + kept.length - BROWSER_HASHES_KEPT)
  for (const { hash } of silent.toReversed().slice(0, surplus)) {
    const own = query.deleteFrom('page_shield_browser_hashes').where('script_id', '=', scriptId)
    await tx.run(own.where('hash', '=', hash))
  }
  for (const hash of kept) {
    const row = { script_id: scriptId, hash, first_seen_at: seenAt, last_seen_at: seenAt }
    await tx.run(query.insertInto('page_shield_browser_hashes').values(row))
  }
  if (fresh.length === 0) return
  const fetched = (await versionsOf(tx, scriptId)).map(({ contentSha256 }) => contentSha256)
  if (fresh.every((hash) => fetched.some((sha256) => sha256 !== null && asBrowserHash(sha256) === hash)))
    return
  const script = await tx.first(
    query.selectFrom('page_shield_resources').select('fetched_at').where('id', '=', scriptId),
  )
  const fetchedAt = script?.fetched_at ?? null
  if (fetchedAt === null) return // due since it was met, or put off because of failures
  const soonest = wholeSeconds(Date.parse(fetchedAt) + REPORTED_AGAIN_MILLIS)
  const soon = soonest > dueAt ? soonest : dueAt
  await tx.run(
    query
      .updateTable('page_shield_resources')
      .set({ fetch_due_at: soon })
      .where('id', '=', scriptId)
      .where('fetch_failures', '=', 0)
      .where('fetch_due_at', '>', soon),
  )
}

/** Resources that were not held against this version of the feeds yet. */
export async function uncheckedResources(
  db: Reader,
  feedVersion: number,
  limit: number,
): Promise<StoredResource[]> {
  const rows = await db.all(
    query
      .selectFrom('page_shield_resources')
      .selectAll()
      .where('feed_version', '<', feedVersion)
      .orderBy('feed_version')
      .orderBy('id')
      .limit(limit),
  )
  return rows.map(fromResourceRow)
}

const toRow = ({ hash, contentSha256, sri, scores, fetchedAt, reasons }: Version) => ({
  hash,
  content_sha256: contentSha256,
  sri,
  scores: toJson(scores),
  fetched_at: fetchedAt,
  reasons: JSON.stringify(reasons),
})

const toVersion = (row: Omit<Database['page_shield_versions'], 'position'>): Version => ({
  hash: row.hash,
  contentSha256: row.content_sha256,
  sri: row.sri,
  scores: fromJson<Scores>(row.scores),
  fetchedAt: row.fetched_at,
  reasons: JSON.parse(row.reasons) as string[], // written by toRow
})
