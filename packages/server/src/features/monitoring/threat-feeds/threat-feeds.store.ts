// Rows of feeds, and their common version: it increases whenever their matches may have changed.
import { query, type Reader, settings, tables, type Transaction } from '@zonereeve/storage'
import type { ThreatCategory } from '../page-shield/index.ts'
import type { FormatName } from './formats/registry.ts'

export type FeedState = 'waiting' | 'imported' | 'held_back' | 'failed'

/** An import: entries under a common number. */
export interface Import {
  readonly id: number
  readonly entries: number
  readonly passedOver: number
  readonly unreadable: number
  /** Of the content, in hexadecimal. */
  readonly sha256: string
}

/** Validators of a content, for conditional requests (RFC 9110 §13.1). */
export interface Validators {
  /** The URL after redirects: the validators are valid only there. */
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
  /** null = entries have their own. */
  readonly categories: readonly ThreatCategory[] | null
  readonly intervalMinutes: number | null
  readonly createdOn: string
  readonly state: FeedState
  readonly problem: string | null
  /** The import in effect. */
  readonly current: Import | null
  /** The import waiting to be accepted. */
  readonly held: Import | null
  readonly importedAt: string | null
  readonly attemptedAt: string | null
  /** In whole seconds. */
  readonly nextAttemptAt: string | null
  readonly failures: number
  readonly validators: Validators | null
  /** False: not fetched, and its entries flag nothing. */
  readonly isEnabled: boolean
}

const feeds = tables.threat_feeds.beside('import_id', 'held_id').of<Feed>()

const VERSION = 'threat_feeds.version'

/** 0 before the first import. */
export async function feedVersion(db: Reader): Promise<number> {
  const version = await settings.find(db, { name: VERSION })
  return version === undefined ? 0 : Number(version.value)
}

export async function raiseVersion(tx: Transaction): Promise<void> {
  await settings.save(tx, { name: VERSION, value: String((await feedVersion(tx)) + 1) })
}

const MATCHING = 'threat_feeds.matching'

/**
 * Fingerprint of the rules that entries were read and matched with; undefined = written by a version that did
 * not store one.
 */
export async function matchingRules(db: Reader): Promise<string | undefined> {
  return (await settings.find(db, { name: MATCHING }))?.value
}

export const saveMatchingRules = (tx: Transaction, value: string): Promise<void> =>
  settings.save(tx, { name: MATCHING, value })

/** In order of creation. */
export async function listFeeds(db: Reader): Promise<readonly Feed[]> {
  return feeds.readable(db, query.selectFrom('threat_feeds').selectAll().orderBy('created_on').orderBy('id'))
}

export const findFeed = (db: Reader, id: string): Promise<Feed | undefined> => feeds.find(db, { id })

/** Due feeds, longest waiting first. */
export async function dueFeeds(db: Reader, now: string): Promise<readonly Feed[]> {
  return feeds.readable(
    db,
    query
      .selectFrom('threat_feeds')
      .selectAll()
      .where('next_attempt_at', '<=', now)
      .where('is_enabled', '=', 1)
      .orderBy('next_attempt_at')
      .orderBy('id'),
  )
}

export const insertFeed = (tx: Transaction, feed: Feed): Promise<void> => feeds.insert(tx, withImports(feed))

export const saveFeed = (tx: Transaction, feed: Feed): Promise<void> => feeds.update(tx, withImports(feed))

export const deleteFeed = (tx: Transaction, id: string): Promise<number> => feeds.remove(tx, { id })

const withImports = (feed: Feed) => ({
  ...feed,
  importId: feed.current === null ? null : feed.current.id,
  heldId: feed.held === null ? null : feed.held.id,
})
