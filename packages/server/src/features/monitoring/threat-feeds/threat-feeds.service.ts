// Management of feeds: create, list, delete, refresh, and accept held-back imports. Feeds belong to the
// server, not to a zone, so their change sets have a scope of their own.
import { type Actor, type Clock, DomainError, type Ids, throwIfIssues } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp, subjectOf, type ChangeHeader } from '../../changes/index.ts'
import { matchesOf, type ThreatMatch } from './judge.ts'
import { isLookedUp } from './matching.rules.ts'
import {
  feedIssues,
  MAX_FEEDS,
  patchIssues,
  pauseMillis,
  DEFAULT_INTERVAL_MINUTES,
  type FeedDraft,
  type FeedPatch,
} from './threat-feeds.rules.ts'
import {
  deleteFeed,
  findFeed,
  insertFeed,
  listFeeds,
  raiseVersion,
  saveFeed,
  type Feed,
} from './threat-feeds.store.ts'

export interface ThreatFeedsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
}

/** Scope of their change sets. */
export const FEEDS_SCOPE = 'threat_feeds'

export type ThreatFeeds = ReturnType<typeof createThreatFeeds>

export function createThreatFeeds({ storage, clock, ids }: ThreatFeedsDeps) {
  return { list: () => listFeeds(storage), matches, get, create, edit, remove, refresh, accept }

  /**
   * Why a URL is flagged.
   * @throws DomainError: request.invalid.
   */
  async function matches(url: string): Promise<readonly ThreatMatch[]> {
    if (!isLookedUp(url)) {
      const problem = 'url must be an http, https, ws or wss URL'
      throw new DomainError({ reason: 'request.invalid', pointer: '/url', values: { problem } })
    }
    return matchesOf(storage, url)
  }

  /** @throws DomainError: threat_feed.unknown. */
  function get(id: string): Promise<Feed> {
    return requireFeed(storage, id)
  }

  /**
   * A feed with a URL is fetched immediately.
   * @throws DomainError: threat_feed.quota, or the violated rules of a draft.
   */
  function create(draft: FeedDraft, actor: Actor): Promise<Feed> {
    return storage.write(async (tx) => {
      throwIfIssues(feedIssues(draft))
      if ((await listFeeds(tx)).length >= MAX_FEEDS)
        throw new DomainError({ reason: 'threat_feed.quota', values: { limit: MAX_FEEDS } })
      const createdOn = clock.timestamp()
      const { name, format, url, categories, intervalMinutes, isEnabled } = draft
      const feed: Feed = {
        ...NEVER_FETCHED,
        id: ids.id(),
        name,
        format,
        url: url ?? null,
        categories: categories ?? null,
        intervalMinutes: url === undefined ? null : (intervalMinutes ?? DEFAULT_INTERVAL_MINUTES),
        createdOn,
        nextAttemptAt: url === undefined ? null : createdOn,
        isEnabled,
      }
      await insertFeed(tx, feed)
      await recordFeedChange(tx, 'threat_feed.create', null, feed, { actor })
      return feed
    })
  }

  /**
   * Applies a patch. The inventory is rechecked against the feed.
   * @throws DomainError: threat_feed.unknown, or the violated rules of the patch.
   */
  function edit(id: string, patch: FeedPatch, actor: Actor): Promise<Feed> {
    return storage.write(async (tx) => {
      const before = await requireFeed(tx, id)
      throwIfIssues(patchIssues(before, patch))
      const after = applyPatch(before, patch, clock.timestamp())
      if (JSON.stringify(after) === JSON.stringify(before)) return before
      await saveFeed(tx, after)
      const isOther =
        after.isEnabled !== before.isEnabled ||
        JSON.stringify(after.categories) !== JSON.stringify(before.categories)
      if (isOther && after.current !== null) await raiseVersion(tx)
      await recordFeedChange(tx, 'threat_feed.update', before, after, { actor })
      return after
    })
  }

  /**
   * Clears flags that no other feed supports.
   * @throws DomainError: threat_feed.unknown.
   */
  function remove(id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const feed = await requireFeed(tx, id)
      await deleteFeed(tx, id)
      if (feed.current !== null) await raiseVersion(tx)
      await recordFeedChange(tx, 'threat_feed.delete', feed, null, { actor })
    })
  }

  /**
   * Makes it due now; the fetch runs in the background.
   * @throws DomainError: threat_feed.unknown, threat_feed.uploaded, threat_feed.disabled.
   */
  function refresh(id: string): Promise<Feed> {
    return storage.write(async (tx) => {
      const feed = await requireFeed(tx, id)
      if (feed.url === null) throw new DomainError({ reason: 'threat_feed.uploaded' })
      if (!feed.isEnabled) throw new DomainError({ reason: 'threat_feed.disabled' })
      const due = { ...feed, nextAttemptAt: clock.timestamp(), validators: null }
      await saveFeed(tx, due)
      return due
    })
  }

  /**
   * Accepts the import that was held back.
   * @throws DomainError: threat_feed.unknown, threat_feed.nothing_held.
   */
  function accept(id: string, actor: Actor): Promise<Feed> {
    return storage.write(async (tx) => {
      const before = await requireFeed(tx, id)
      if (before.held === null) throw new DomainError({ reason: 'threat_feed.nothing_held' })
      const importedAt = clock.timestamp()
      const after: Feed = {
        ...before,
        state: 'imported',
        problem: null,
        current: before.held,
        held: null,
        importedAt,
      }
      await saveFeed(tx, after)
      await raiseVersion(tx)
      await recordFeedChange(tx, 'threat_feed.import', before, after, { actor })
      return after
    })
  }
}

export type FeedChange =
  | 'threat_feed.create'
  | 'threat_feed.update'
  | 'threat_feed.delete'
  | 'threat_feed.import'

/** Does not contain entries: an import is recorded by its count and SHA-256. */
export function recordFeedChange(
  tx: Transaction,
  kind: FeedChange,
  before: Feed | null,
  after: Feed | null,
  made: Pick<ChangeHeader, 'actor' | 'at'>,
): Promise<void> {
  const { id } = subjectOf(before, after)
  return append(tx, { scopeId: FEEDS_SCOPE, ...made }, [changeOp(kind, id, before, after, toLogJson)])
}

function toLogJson(feed: Feed): string {
  const { id, name, format, url, categories, intervalMinutes, isEnabled, createdOn, current } = feed
  return JSON.stringify({ id, name, format, url, categories, intervalMinutes, isEnabled, createdOn, current })
}

/** A new URL makes it due immediately; a new interval counts from the last attempt. */
function applyPatch(before: Feed, patch: FeedPatch, now: string): Feed {
  const intervalMinutes = patch.intervalMinutes ?? before.intervalMinutes
  const after: Feed = {
    ...before,
    name: patch.name ?? before.name,
    url: patch.url ?? before.url,
    categories: patch.categories ?? before.categories,
    intervalMinutes,
    isEnabled: patch.isEnabled ?? before.isEnabled,
  }
  if (after.url !== before.url) return { ...after, validators: null, failures: 0, nextAttemptAt: now }
  const { id, attemptedAt, failures } = before
  if (intervalMinutes === null || intervalMinutes === before.intervalMinutes || attemptedAt === null)
    return after
  const nextAttempt = Date.parse(attemptedAt) + pauseMillis(id, intervalMinutes, failures)
  return { ...after, nextAttemptAt: new Date(nextAttempt).toISOString() }
}

const NEVER_FETCHED = {
  state: 'waiting',
  problem: null,
  current: null,
  held: null,
  importedAt: null,
  attemptedAt: null,
  failures: 0,
  validators: null,
} as const

export async function requireFeed(db: Reader, id: string): Promise<Feed> {
  const feed = await findFeed(db, id)
  if (feed === undefined) throw new DomainError({ reason: 'threat_feed.unknown' })
  return feed
}
