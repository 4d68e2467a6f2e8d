// Imports: what feeds say is read in, entry by entry, under a number of its own, and counts from the transaction on that
// makes this number the feed's. Until then, and where anything goes wrong, the last good import stays.
import { createHash } from 'node:crypto'
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError } from '../../platform/domain-error.ts'
import type { Log } from '../../platform/log.ts'
import { pause } from '../../platform/pause.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { beginImport, deleteEntries, endImport, insertEntries, unusedImports } from './entries.store.ts'
import { FORMATS } from './formats/registry.ts'
import { SHARED_HOSTS_SHA256 } from './hosts.rules.ts'
import { createIntake } from './intake.ts'
import { ImportProblem, readText, type Octets } from './octets.ts'
import { beginReading, type KeyedEntry } from './reading.rules.ts'
import { formatProblem, isKeptBack, pauseMillis, sizeProblem } from './threat-feeds.rules.ts'
import { demandFeed, recordFeedChange } from './threat-feeds.service.ts'
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

/** A feed as it is asked for; what it was when it was fetched last comes along, so that it need not come again. */
export interface FeedRequest {
  readonly url: string
  readonly validators: Validators | null
  readonly signal: AbortSignal
}

export type FetchedFeed =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'content'; readonly validators: Validators | null }
  | { readonly kind: 'failed'; readonly problem: string }

/** Asks for a feed, and never anything on one's own network. Gives its octets to `take`, waiting for it each time. */
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

/** No content has it, so that whatever comes is another one. */
const NOT_READ = ''
/** Entries written in one transaction: others write in between. */
const ENTRIES_AT_ONCE = 4000
/** Entries deleted by one statement, in a transaction of their own. */
const DELETED_AT_ONCE = 500

export type Imports = ReturnType<typeof createImports>

export function createImports({ storage, clock, log, fetchFeed }: ImportsDeps) {
  /** Imports that are being read: no feed has them yet, and nobody may clear them away. */
  const underWay = new Set<number>()
  return { upload, renew, fetchDue, clearAway }

  /**
   * After an upgrade, hosts may be told apart otherwise: what was imported is held against the inventory again, and what has a
   * URL is read again, whether or not it has changed. Does nothing where the rules are those of the last time.
   *
   * @param program its version, which its list of public suffixes came with.
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

  /** Replaces the entries of a feed that is not fetched. @throws DomainError: threat_feed.unknown, threat_feed.fetched, threat_feed.file. */
  async function upload(id: string, file: Uint8Array, actor: Actor): Promise<Feed> {
    const feed = await demandFeed(storage, id)
    if (feed.url !== null) throw new DomainError({ reason: 'threat_feed.fetched', pointer: '/file' })
    const read = await readUpload(feed, file)
    try {
      return await storage.write(async (tx) => {
        const before = await demandFeed(tx, id)
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
        await recordFeedChange(tx, { kind: 'threat_feed.import', before, after, actor, at })
        return after
      })
    } finally {
      underWay.delete(read.id)
    }
  }

  async function readUpload(feed: Feed, file: Uint8Array): Promise<Import> {
    try {
      return await readImport(feed, [file], undefined)
    } catch (error) {
      if (!(error instanceof ImportProblem)) throw error
      const values = { problem: error.message }
      throw new DomainError({ reason: 'threat_feed.file', pointer: '/file', values })
    }
  }

  /** Fetches every feed whose time has come, one after another. */
  async function fetchDue(signal: AbortSignal): Promise<void> {
    for (const feed of await dueFeeds(storage, clock.timestamp())) {
      if (signal.aborted) return
      const problem = await fetchOne(feed, signal)
      if (signal.aborted) return // nobody's failure: it is due again at the next start
      if (problem !== undefined) await fail(feed, problem)
    }
  }

  /** @returns why there is nothing new. */
  async function fetchOne(feed: Feed, signal: AbortSignal): Promise<string | undefined> {
    const { url, validators } = feed
    if (url === null) return undefined
    const intake = createIntake((octets) => readImport(feed, octets, signal))
    try {
      const fetched = await fetchFeed({ url, validators, signal }, intake.take).catch(intake.fail)
      if (fetched.kind === 'failed') return await intake.fail(new ImportProblem(fetched.problem))
      if (fetched.kind === 'unchanged') await settle(feed, validators, undefined)
      else await settle(feed, fetched.validators, await intake.end())
      return undefined
    } catch (error) {
      if (error instanceof ImportProblem) return error.message
      // The feed tells that it failed, the log tells why; the others are fetched all the same.
      if (!signal.aborted) log.warn({ err: error, feedId: feed.id }, 'threat feed import failed')
      return 'it could not be read to its end'
    }
  }

  /** Reads an import in. Whoever takes it over ends its being under way; where it fails, its entries are cleared away. */
  async function readImport(feed: Feed, octets: Octets, signal: AbortSignal | undefined): Promise<Import> {
    const id = await storage.write((tx) => beginImport(tx, feed.id))
    underWay.add(id)
    try {
      return await readEntries(id, feed, octets, signal)
    } catch (error) {
      underWay.delete(id)
      throw error
    }
  }

  async function readEntries(
    id: number,
    feed: Feed,
    octets: Octets,
    signal: AbortSignal | undefined,
  ): Promise<Import> {
    const reading = beginReading(FORMATS[feed.format], feed.categories ?? [])
    const sha256 = createHash('sha256')
    let waiting: KeyedEntry[] = []
    for await (const text of readText(octets)) {
      signal?.throwIfAborted()
      sha256.update(text)
      waiting.push(...reading.take(text))
      if (waiting.length >= ENTRIES_AT_ONCE) {
        await write(id, waiting)
        waiting = []
      }
      demandReadable(sizeProblem(reading.tally()))
      await pause() // an upload is all there: nothing else would let others have their turn
    }
    await write(id, [...waiting, ...reading.end()])
    demandReadable(sizeProblem(reading.tally()) ?? formatProblem(feed.format, reading.tally()))
    const { entries, passedOver, unreadable } = reading.tally()
    return { id, entries, passedOver, unreadable, sha256: sha256.digest('hex') }
  }

  async function write(id: number, entries: readonly KeyedEntry[]): Promise<void> {
    for (let at = 0; at < entries.length; at += ENTRIES_AT_ONCE)
      await storage.write((tx) => insertEntries(tx, id, entries.slice(at, at + ENTRIES_AT_ONCE)))
  }

  /** Ends a fetch that went well: with an import, or without one where nothing is new. */
  async function settle(
    { id, url }: Feed,
    validators: Validators | null,
    read: Import | undefined,
  ): Promise<void> {
    const outcome = await storage
      .write(async (tx) => {
        const feed = await findFeed(tx, id)
        // Meanwhile it is gone, or to be fetched from elsewhere, which is due.
        if (feed === undefined || feed.url !== url) return 'outdated'
        const after = { ...afterAttempt(feed, 0), validators }
        if (read === undefined) return keep(tx, after)
        // What was kept back is gone again at its source.
        if (read.sha256 === feed.current?.sha256) return keep(tx, { ...after, held: null })
        return replace(tx, after, read)
      })
      .finally(() => underWay.delete(read?.id ?? 0))
    log.info({ feedId: id, outcome, entries: read?.entries }, 'threat feed fetched')
  }

  async function keep(tx: Transaction, feed: Feed): Promise<string> {
    // Where the source says that nothing has changed, what was kept back still is.
    const state = feed.held === null ? 'imported' : 'held_back'
    await saveFeed(tx, { ...feed, state, problem: state === 'imported' ? null : feed.problem })
    return 'unchanged'
  }

  async function replace(tx: Transaction, feed: Feed, read: Import): Promise<string> {
    const before = feed.current?.entries ?? 0
    if (isKeptBack(read.entries, before)) {
      const problem = `it has ${read.entries} entries where there were ${before}: accept it, if that is right`
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
    const millis = pauseMillis(feed.id, feed.intervalMinutes ?? 0, failures)
    const nextAttemptAt = new Date(clock.now() + millis).toISOString()
    return { ...feed, attemptedAt: clock.timestamp(), nextAttemptAt, failures }
  }

  /** Deletes entries that do not count any more, in portions. */
  async function clearAway(signal: AbortSignal): Promise<void> {
    for (const id of await unusedImports(storage)) {
      if (underWay.has(id)) continue
      let deleted = DELETED_AT_ONCE
      while (deleted === DELETED_AT_ONCE && !signal.aborted)
        deleted = await storage.write((tx) => deleteEntries(tx, id, DELETED_AT_ONCE))
      if (!signal.aborted) await storage.write((tx) => endImport(tx, id))
    }
  }
}

function demandReadable(problem: string | undefined): void {
  if (problem !== undefined) throw new ImportProblem(problem)
}
