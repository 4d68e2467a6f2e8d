// Rows of feeds, and the version that all of them have together: it counts up whenever what they report may be another.
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'
import type { ThreatCategory } from '../page-shield/index.ts'
import type { FormatName } from './formats/registry.ts'

export type FeedState = 'waiting' | 'imported' | 'held_back' | 'failed'

/** An import: entries under a number of their own. */
export interface Import {
  readonly id: number
  readonly entries: number
  readonly passedOver: number
  readonly unreadable: number
  /** Of what was read, hexadecimal. */
  readonly sha256: string
}

/** What its source said of its content, to ask later whether it is another one (RFC 9110 §13.1). */
export interface Validators {
  /** Where redirects ended: they mean something there alone. */
  readonly url: string
  readonly etag: string | null
  readonly lastModified: string | null
}

export interface Feed {
  readonly id: string
  readonly name: string
  readonly format: FormatName
  /** null = entries are uploaded. */
  readonly url: string | null
  /** null = entries tell their own. */
  readonly categories: readonly ThreatCategory[] | null
  readonly intervalMinutes: number | null
  readonly createdOn: string
  readonly state: FeedState
  readonly problem: string | null
  /** What flags now. */
  readonly current: Import | null
  /** What waits to be accepted. */
  readonly held: Import | null
  readonly importedAt: string | null
  readonly attemptedAt: string | null
  /** In whole seconds. */
  readonly nextAttemptAt: string | null
  readonly failures: number
  readonly validators: Validators | null
  /** False: it is not fetched, and its entries flag nothing. */
  readonly isEnabled: boolean
}

type FeedRow = Database['threat_feeds']

const VERSION = 'threat_feeds.version'

/** 0 before the first import of all. */
export async function feedVersion(db: Reader): Promise<number> {
  const row = await db.first(query.selectFrom('settings').select('value').where('name', '=', VERSION))
  return Number(row?.value ?? 0)
}

export async function raiseVersion(tx: Transaction): Promise<void> {
  const value = String((await feedVersion(tx)) + 1)
  await tx.run(
    query
      .insertInto('settings')
      .values({ name: VERSION, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
  )
}

const MATCHING = 'threat_feeds.matching'

/** Of the rules by which entries were read and held against the inventory; undefined = of a program that did not say. */
export async function matchingRules(db: Reader): Promise<string | undefined> {
  return (await db.first(query.selectFrom('settings').select('value').where('name', '=', MATCHING)))?.value
}

export async function saveMatchingRules(tx: Transaction, value: string): Promise<void> {
  await tx.run(
    query
      .insertInto('settings')
      .values({ name: MATCHING, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
  )
}

/** In the order in which they were made. */
export async function listFeeds(db: Reader): Promise<readonly Feed[]> {
  const rows = await db.all(query.selectFrom('threat_feeds').selectAll().orderBy('created_on').orderBy('id'))
  return rows.map(fromRow)
}

export async function findFeed(db: Reader, id: string): Promise<Feed | undefined> {
  const row = await db.first(query.selectFrom('threat_feeds').selectAll().where('id', '=', id))
  return row && fromRow(row)
}

/** Feeds whose time has come, the longest waiting first. */
export async function dueFeeds(db: Reader, now: string): Promise<readonly Feed[]> {
  const rows = await db.all(
    query
      .selectFrom('threat_feeds')
      .selectAll()
      .where('next_attempt_at', '<=', now)
      .where('is_enabled', '=', 1)
      .orderBy('next_attempt_at')
      .orderBy('id'),
  )
  return rows.map(fromRow)
}

export async function insertFeed(tx: Transaction, feed: Feed): Promise<void> {
  await tx.run(query.insertInto('threat_feeds').values(toRow(feed)))
}

export async function saveFeed(tx: Transaction, feed: Feed): Promise<void> {
  await tx.run(query.updateTable('threat_feeds').set(toRow(feed)).where('id', '=', feed.id))
}

export async function deleteFeed(tx: Transaction, id: string): Promise<void> {
  await tx.run(query.deleteFrom('threat_feeds').where('id', '=', id))
}

const toRow = (feed: Feed): FeedRow => ({
  id: feed.id,
  name: feed.name,
  format: feed.format,
  url: feed.url,
  categories: feed.categories && JSON.stringify(feed.categories),
  interval_minutes: feed.intervalMinutes,
  created_on: feed.createdOn,
  state: feed.state,
  problem: feed.problem,
  import_id: feed.current?.id ?? null,
  current_import: feed.current && JSON.stringify(feed.current),
  held_id: feed.held?.id ?? null,
  held_import: feed.held && JSON.stringify(feed.held),
  imported_at: feed.importedAt,
  attempted_at: feed.attemptedAt,
  next_attempt_at: feed.nextAttemptAt,
  failures: feed.failures,
  validators: feed.validators && JSON.stringify(feed.validators),
  is_enabled: feed.isEnabled ? 1 : 0,
})

const fromRow = (row: FeedRow): Feed => ({
  id: row.id,
  name: row.name,
  format: row.format as FormatName, // written by toRow
  url: row.url,
  categories: row.categories === null ? null : (JSON.parse(row.categories) as ThreatCategory[]), // as above
  intervalMinutes: row.interval_minutes,
  createdOn: row.created_on,
  state: row.state as FeedState, // as above
  problem: row.problem,
  current: importOf(row.current_import),
  held: importOf(row.held_import),
  importedAt: row.imported_at,
  attemptedAt: row.attempted_at,
  nextAttemptAt: row.next_attempt_at,
  failures: row.failures,
  validators: row.validators === null ? null : (JSON.parse(row.validators) as Validators), // as above
  isEnabled: row.is_enabled === 1,
})

const importOf = (text: string | null): Import | null => (text === null ? null : (JSON.parse(text) as Import)) // of toRow
