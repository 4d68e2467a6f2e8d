// Imports of feeds: entries are stored under a new import number and take effect in the transaction that
// makes this number the feed's current one. Until then, and on any error, the last good import stays in
// effect.
import { createHash } from 'node:crypto'
import { type Actor, type Clock, DomainError, type Log } from '@zonereeve/platform'
import { CHUNK_SIZE, runInChunks, yieldNow } from '@zonereeve/cooperate'
import type { Storage, Transaction } from '@zonereeve/storage'
import { beginImport, deleteEntries, endImport, insertEntries, unusedImports } from './entries.store.ts'
import { FORMATS } from './formats/registry.ts'
import { SHARED_HOSTS_SHA256 } from './hosts.rules.ts'
import { createPushStream } from './push-stream.ts'
import { ImportProblem, readText, type Octets } from './octets.ts'
import { beginReading, type KeyedEntry } from './reading.rules.ts'
import { formatProblem, isKeptBack, pauseMillis, sizeProblem } from './threat-feeds.rules.ts'
import { requireFeed, recordFeedChange } from './threat-feeds.service.ts'
import {
  dueFeeds,
  feedVersion,
  findFeed,
  listFeeds,
  matchingRules,
  raiseVersion,
  saveFeed,
  saveMatchingRules,
  type Feed,
  type Import,
  type Validators,
} from './threat-feeds.store.ts'

/**
 * A request for a feed, with the validators of the last fetch so that unchanged content is not transferred
 * again.
 */
export interface FeedRequest {
  readonly url: string
  readonly validators: Validators | null
  readonly signal: AbortSignal
}

export type FetchedFeed =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'content'; readonly validators: Validators | null }
  | { readonly kind: 'failed'; readonly problem: string }

/** Fetches a feed, never from a private network. Passes its bytes to `take` and waits for it each time. */
export type FetchFeed = (
  request: FeedRequest,
  take: (part: Uint8Array) => Promise<void>,
) => Promise<FetchedFeed>

export interface ImportsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly fetchFeed: FetchFeed
}

/** No content has this hash, so that any fetched content counts as new. */
const NOT_READ = ''
/** Entries written per transaction; other writers run in between. */
const ENTRIES_PER_TRANSACTION = 4000

export type Imports = ReturnType<typeof createImports>

export function createImports({ storage, clock, log, fetchFeed }: ImportsDeps) {
  /** Imports being read: they belong to no feed yet and must not be cleared away. */
  const underWay = new Set<number>()
  return { upload, renew, fetchDue, clearAway }

  /**
   * After an upgrade, hosts may be classified differently: rechecks the inventory against all imports, and
   * fetches feeds with a URL again even if unchanged. Does nothing if the rules are unchanged.
   * @param program its version, which implies the version of its public suffix list.
   */
  async function renew(program: string): Promise<void> {
    const rules = `${program} ${SHARED_HOSTS_SHA256}`
    if ((await matchingRules(storage)) === rules) return
    await storage.write(async (tx) => {
      await saveMatchingRules(tx, rules)
      if ((await feedVersion(tx)) > 0) await raiseVersion(tx)
      for (const feed of await listFeeds(tx)) {
        if (feed.current === null || feed.url === null) continue
        const current = { ...feed.current, sha256: NOT_READ }
        await saveFeed(tx, { ...feed, current, validators: null, nextAttemptAt: clock.timestamp() })
      }
    })
  }

  /**
   * Replaces the entries of an uploaded feed.
   * @throws DomainError: threat_feed.unknown, threat_feed.fetched, threat_feed.file.
   */
  async function upload(id: string, file: Uint8Array, actor: Actor, signal: AbortSignal): Promise<Feed> {
    const feed = await requireFeed(storage, id)
    if (feed.url !== null) throw new DomainError({ reason: 'threat_feed.fetched', pointer: '/file' })
    const read = await readUpload(feed, file, signal)
    try {
      return await storage.write(async (tx) => {
        const before = await requireFeed(tx, id)
        const at = clock.timestamp()
        const after: Feed = {
          ...before,
          state: 'imported',
          problem: null,
          current: read,
          importedAt: at,
          attemptedAt: at,
        }
        await saveFeed(tx, after)
        await raiseVersion(tx)
        await recordFeedChange(tx, 'threat_feed.import', before, after, { actor, at })
        return after
      })
    } finally {
      underWay.delete(read.id)
    }
  }

  async function readUpload(feed: Feed, file: Uint8Array, signal: AbortSignal): Promise<Import> {
    try {
      return await readImport(feed, [file], signal)
    } catch (error) {
      if (!(error instanceof ImportProblem)) throw error
      const values = { problem: error.message }
      throw new DomainError({ reason: 'threat_feed.file', pointer: '/file', values })
    }
  }

  /** Fetches all due feeds, one after another. */
  async function fetchDue(signal: AbortSignal): Promise<void> {
    for (const feed of await dueFeeds(storage, clock.timestamp())) {
      if (signal.aborted) return
      const problem = await fetchOne(feed, signal)
      if (signal.aborted) return // interrupted by shutdown, not a failure: due again at the next start
      if (problem !== undefined) await fail(feed, problem)
    }
  }

  /** @returns why nothing was imported. */
  async function fetchOne(feed: Feed, signal: AbortSignal): Promise<string | undefined> {
    const { url, validators } = feed
    if (url === null) return undefined
    const pushStream = createPushStream((octets) => readImport(feed, octets, signal))
    try {
      const fetched = await fetchFeed({ url, validators, signal }, pushStream.take).catch(pushStream.fail)
      if (fetched.kind === 'failed') return await pushStream.fail(new ImportProblem(fetched.problem))
      if (fetched.kind === 'unchanged') await settle(feed, validators, undefined)
      else await settle(feed, fetched.validators, await pushStream.end())
      return undefined
    } catch (error) {
      if (error instanceof ImportProblem) return error.message
      // The feed's state says that it failed, the log says why; the other feeds are fetched regardless.
      if (!signal.aborted) log.warn({ err: error, feedId: feed.id }, 'threat feed import failed')
      return 'it could not be read completely'
    }
  }

  /** Reads an import. The caller must end its "under way" state; on failure its entries are deleted. */
  async function readImport(feed: Feed, octets: Octets, signal: AbortSignal): Promise<Import> {
    const id = await storage.write((tx) => beginImport(tx, feed.id))
    underWay.add(id)
    try {
      return await readEntries(id, feed, octets, signal)
    } catch (error) {
      underWay.delete(id)
      throw error
    }
  }

  async function readEntries(id: number, feed: Feed, octets: Octets, signal: AbortSignal): Promise<Import> {
    const reading = beginReading(FORMATS[feed.format], feed.categories ?? []) // only those in its lines
    const sha256 = createHash('sha256')
    let waiting: KeyedEntry[] = []
    for await (const text of readText(octets)) {
      signal.throwIfAborted()
      sha256.update(text)
      for (const entry of await runInChunks(reading.take(text), signal)) waiting.push(entry)
      if (waiting.length >= ENTRIES_PER_TRANSACTION) {
        await write(id, waiting)
        waiting = []
      }
      requireReadable(sizeProblem(reading.tally()))
      await yieldNow() // an upload is read from memory, so only this yields to other work
    }
    await write(id, [...waiting, ...reading.end()])
    requireReadable(sizeProblem(reading.tally()) ?? formatProblem(feed.format, reading.tally()))
    const { entries, passedOver, unreadable } = reading.tally()
    return { id, entries, passedOver, unreadable, sha256: sha256.digest('hex') }
  }

  async function write(id: number, entries: readonly KeyedEntry[]): Promise<void> {
    for (let at = 0; at < entries.length; at += ENTRIES_PER_TRANSACTION)
      await storage.write((tx) => insertEntries(tx, id, entries.slice(at, at + ENTRIES_PER_TRANSACTION)))
  }

  /** Stores the result of a successful fetch: with an import, or without one if nothing is new. */
  async function settle(
    { id, url }: Feed,
    validators: Validators | null,
    read: Import | undefined,
  ): Promise<void> {
    const outcome = await storage
      .write(async (tx) => {
        const feed = await findFeed(tx, id)
        // Meanwhile the feed was deleted, or its URL changed and the new one is due.
        if (feed === undefined || feed.url !== url) return 'outdated'
        const after = { ...afterAttempt(feed, 0), validators }
        if (read === undefined) return keep(tx, after)
        // The source no longer serves the import that was held back.
        if (read.sha256 === feed.current?.sha256) return keep(tx, { ...after, held: null })
        return replace(tx, after, read)
      })
      .finally(() => read && underWay.delete(read.id))
    log.info({ feedId: id, outcome, entries: read?.entries }, 'threat feed fetched')
  }

  async function keep(tx: Transaction, feed: Feed): Promise<string> {
    // If the source is unchanged, the import is still held back.
    const state = feed.held === null ? 'imported' : 'held_back'
    await saveFeed(tx, { ...feed, state, problem: state === 'imported' ? null : feed.problem })
    return 'unchanged'
  }

  async function replace(tx: Transaction, feed: Feed, read: Import): Promise<string> {
    const before = feed.current?.entries ?? 0 // the first import
    if (isKeptBack(read.entries, before)) {
      const problem = `it has ${read.entries} entries; the last import had ${before}: accept it if that is right`
      await saveFeed(tx, { ...feed, state: 'held_back', problem, held: read })
      return 'held back'
    }
    const importedAt = clock.timestamp()
    await saveFeed(tx, { ...feed, state: 'imported', problem: null, current: read, held: null, importedAt })
    await raiseVersion(tx)
    return 'imported'
  }

  async function fail({ id, url }: Feed, problem: string): Promise<void> {
    await storage.write(async (tx) => {
      const feed = await findFeed(tx, id)
      if (feed === undefined || feed.url !== url) return
      await saveFeed(tx, { ...afterAttempt(feed, feed.failures + 1), state: 'failed', problem })
    })
    log.warn({ feedId: id, problem }, 'threat feed not imported')
  }

  function afterAttempt(feed: Feed, failures: number): Feed {
    const millis = pauseMillis(feed.id, feed.intervalMinutes ?? 0, failures) // never fetched by itself
    const nextAttemptAt = new Date(clock.now() + millis).toISOString()
    return { ...feed, attemptedAt: clock.timestamp(), nextAttemptAt, failures }
  }

  /** Deletes entries of unused imports, in chunks. */
  async function clearAway(signal: AbortSignal): Promise<void> {
    for (const id of await unusedImports(storage)) {
      if (underWay.has(id)) continue
      let deleted = CHUNK_SIZE
      while (deleted === CHUNK_SIZE && !signal.aborted)
        deleted = await storage.write((tx) => deleteEntries(tx, id, CHUNK_SIZE))
      if (!signal.aborted) await storage.write((tx) => endImport(tx, id))
    }
  }
}

function requireReadable(problem: string | undefined): void {
  if (problem !== undefined) throw new ImportProblem(problem)
}
