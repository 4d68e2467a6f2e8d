// Rows of scripts' contents: fetched versions, and hashes reported by browsers.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import { replacedContents } from './events.store.ts'
import { resources, type StoredResource } from './resources.store.ts'
import { wholeSeconds } from './life-cycle.rules.ts'
import type { Scores } from './scores.rules.ts'

export const VERSIONS_KEPT = 10
/** Per script, latest first: contents that differ per visitor must not pile up. */
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

const versions = tables.page_shield_versions.beside('script_id').of<Version>()
const browserHashes = tables.page_shield_browser_hashes.beside('script_id').of<BrowserHash>()

/** The last ten, newest first. */
export async function versionsOf(db: Reader, scriptId: string): Promise<readonly Version[]> {
  return versions.readable(
    db,
    query
      .selectFrom('page_shield_versions')
      .selectAll()
      .where('script_id', '=', scriptId)
      .orderBy('position', 'desc')
      .limit(VERSIONS_KEPT),
  )
}

/** The number of stored versions per script of a zone. */
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

/** Adds a version, and deletes the oldest ones beyond the limit. */
export async function addVersion(tx: Transaction, scriptId: string, version: Version): Promise<void> {
  await versions.insert(tx, { ...version, scriptId })
  const remaining = query
    .selectFrom('page_shield_versions')
    .select('position')
    .where('script_id', '=', scriptId)
    .orderBy('position', 'desc')
    .limit(VERSIONS_KEPT)
  await tx.run(
    query
      .deleteFrom('page_shield_versions')
      .where('script_id', '=', scriptId)
      .where('position', 'not in', remaining),
  )
}

/** Replaces the newest version: same content, analyzed again. */
export async function replaceNewestVersion(
  tx: Transaction,
  scriptId: string,
  version: Version,
): Promise<void> {
  const own = query.selectFrom('page_shield_versions').select('position').where('script_id', '=', scriptId)
  const newest = own.orderBy('position', 'desc').limit(1)
  const deleted = await tx.run(query.deleteFrom('page_shield_versions').where('position', 'in', newest))
  if (deleted > 0) await versions.insert(tx, { ...version, scriptId })
}

export async function browserHashesOf(db: Reader, scriptId: string): Promise<readonly BrowserHash[]> {
  return browserHashes.all(
    db,
    query
      .selectFrom('page_shield_browser_hashes')
      .selectAll()
      .where('script_id', '=', scriptId)
      .orderBy('last_seen_at', 'desc')
      .orderBy('hash'),
  )
}

export type RunTimes = Pick<BrowserHash, 'firstSeenAt' | 'lastSeenAt'>

export const runKey = (scriptId: string, hash: string): string => `${scriptId} ${hash}`

/** When browsers reported the contents of a zone's scripts, by `runKey`. */
export async function runTimes(db: Reader, zoneId: string): Promise<ReadonlyMap<string, RunTimes>> {
  const rows = await db.all(
    query
      .selectFrom('page_shield_browser_hashes')
      .innerJoin('page_shield_resources', 'page_shield_resources.id', 'script_id')
      .select(['script_id', 'page_shield_browser_hashes.hash'])
      .select('page_shield_browser_hashes.first_seen_at')
      .select('page_shield_browser_hashes.last_seen_at')
      .where('zone_id', '=', zoneId),
  )
  return new Map(
    rows.map((row) => [
      runKey(row.script_id, row.hash),
      { firstSeenAt: row.first_seen_at, lastSeenAt: row.last_seen_at },
    ]),
  )
}

export interface JudgedHash extends BrowserHash {
  /** Whether it is also the hash of a fetched content. */
  readonly isFetched: boolean
}

/** Hashes that browsers ran, with whether they were fetched. */
export async function judgedHashesOf(
  db: Reader,
  zoneId: string,
  scriptId: string,
): Promise<readonly JudgedHash[]> {
  const known = await browserHashesOf(db, scriptId)
  if (known.length === 0) return []
  const versions = (await versionsOf(db, scriptId))
    .map(({ contentSha256 }) => contentSha256)
    .filter((digest) => digest !== null)
  const replaced = await replacedContents(db, zoneId, scriptId)
  const fetched = new Set([...versions, ...replaced].map(asBrowserHash))
  return known.map((one) => ({ ...one, isFetched: fetched.has(one.hash) }))
}

/** Converts a hexadecimal digest to `sha256-` and Base64, as browsers report it. */
export const asBrowserHash = (sha256: string): string =>
  `sha256-${Buffer.from(sha256, 'hex').toString('base64')}`

/** Minimum interval between a fetch and one that browser reports bring forward: anybody can send reports. */
const REPORTED_AGAIN_MILLIS = 600_000

/**
 * Stores the hashes that browsers report. Content that was never fetched brings the next fetch forward,
 * because visitors may receive other content than we do; but at the earliest ten minutes after the last
 * fetch, and not after a failed one.
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
  for (const hash of hashes)
    if (!fresh.includes(hash)) await browserHashes.update(tx, { scriptId, hash, lastSeenAt: seenAt })
  const silent = known.filter(({ hash }) => !hashes.includes(hash))
  const remaining = fresh.slice(0, BROWSER_HASHES_KEPT - (known.length - silent.length))
  // Hashes not reported for longest are evicted first.
  const surplus = Math.max(0, known.length + remaining.length - BROWSER_HASHES_KEPT)
  for (const { hash } of silent.toReversed().slice(0, surplus))
    await browserHashes.remove(tx, { scriptId, hash })
  for (const hash of remaining)
    await browserHashes.insert(tx, { scriptId, hash, firstSeenAt: seenAt, lastSeenAt: seenAt })
  if (fresh.length === 0) return
  const fetched = (await versionsOf(tx, scriptId)).map(({ contentSha256 }) => contentSha256)
  if (fresh.every((hash) => fetched.some((sha256) => sha256 !== null && asBrowserHash(sha256) === hash)))
    return
  const script = await tx.first(
    query.selectFrom('page_shield_resources').select('fetched_at').where('id', '=', scriptId),
  )
  if (script === undefined || script.fetched_at === null) return // due since its first detection, or delayed after failures
  const soonest = wholeSeconds(Date.parse(script.fetched_at) + REPORTED_AGAIN_MILLIS)
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

/** Resources not yet checked against this feed version. */
export async function uncheckedResources(
  db: Reader,
  feedVersion: number,
  limit: number,
): Promise<StoredResource[]> {
  return resources.readable(
    db,
    query
      .selectFrom('page_shield_resources')
      .selectAll()
      .where('feed_version', '<', feedVersion)
      .orderBy('feed_version')
      .orderBy('id')
      .limit(limit),
  )
}
