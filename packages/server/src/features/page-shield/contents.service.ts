// Doors for whoever fetches scripts and holds URLs against threat feeds: what is due, and what was found out.
import type { Clock } from '../../platform/clock.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import {
  addVersion,
  dueResources,
  replaceNewestVersion,
  uncheckedResources,
  versionsOf,
} from './contents.store.ts'
import { insertEvent, type EventKind } from './events.store.ts'
import { cutoffsAt, isForgotten, wholeSeconds } from './life-cycle.rules.ts'
import type { ResourceKind } from './resources.rules.ts'
import { findResource, saveFindings, type StoredResource } from './resources.store.ts'
import { isMalicious, type Reported, type Scores } from './scores.rules.ts'
import { retentionOf } from './settings.store.ts'

const MINUTE_MILLIS = 60_000
const LEASE_MILLIS = 5 * MINUTE_MILLIS
/** Between two fetches of a script that goes well. */
const FETCH_INTERVAL_MILLIS = 24 * 60 * MINUTE_MILLIS
/** After the first failure; each further one doubles it, up to the usual interval. */
const FIRST_BACKOFF_MILLIS = 5 * MINUTE_MILLIS

/** A script that its holder alone may fetch until the lease ends. */
export interface DueScript {
  readonly id: string
  readonly zoneId: string
  readonly url: string
  readonly urlHost: string
  readonly host: string
  /** Of the content that was fetched last; null = none was. */
  readonly contentSha256: string | null
  readonly leasedUntil: string
}

export interface FetchedContent {
  /** Of the content's structure: another one is another version. */
  readonly hash: string
  /** SHA-256 of the octets, hexadecimal. */
  readonly contentSha256: string
  /** `sha384-…`, as in an `integrity` attribute. */
  readonly sri: string
  readonly scores: Scores
  /** What the scores rest on, in words. */
  readonly reasons: readonly string[]
}

export interface CheckedResource {
  readonly id: string
  readonly zoneId: string
  readonly kind: ResourceKind
  readonly url: string
  readonly urlHost: string
  readonly host: string
}

export interface ReportedResource extends Reported {
  readonly id: string
  readonly zoneId: string
}

export interface ContentsDeps {
  readonly storage: Storage
  readonly clock: Clock
}

export function createContents({ storage, clock }: ContentsDeps) {
  return { dueForFetch, saveFetch, saveFailure, dueForCheck, markReported, clearReported }

  /** Leases up to `limit` scripts whose time has come, the longest waiting first. A lease ends by itself. */
  function dueForFetch(limit: number): Promise<DueScript[]> {
    return storage.write(async (tx) => {
      const leasedUntil = wholeSeconds(clock.now() + LEASE_MILLIS)
      const leased: DueScript[] = []
      for (const script of await dueResources(tx, wholeSeconds(clock.now()), limit)) {
        const cutoffs = cutoffsAt(clock.now(), await retentionOf(tx, script.zoneId))
        if (isForgotten(script, cutoffs)) {
          // Not swept yet; and when it is met again, it is a new one.
          await saveFindings(tx, { ...script, fetchDueAt: null })
          continue
        }
        await saveFindings(tx, { ...script, fetchLeasedUntil: leasedUntil })
        const { id, zoneId, url, urlHost, host, contentSha256 } = script
        leased.push({ id, zoneId, url, urlHost, host, contentSha256, leasedUntil })
      }
      return leased
    })
  }

  /**
   * Keeps what was fetched, ends the lease, and sets the next fetch. A new hash is a new version.
   *
   * @returns false where the script is gone.
   */
  function saveFetch(zoneId: string, scriptId: string, content: FetchedContent): Promise<boolean> {
    return storage.write(async (tx) => {
      const before = await findResource(tx, zoneId, scriptId)
      if (before === undefined) return false
      const fetchedAt = wholeSeconds(clock.now())
      const { hash, contentSha256, sri, scores, reasons } = content
      const after: StoredResource = {
        ...before,
        hash,
        contentSha256,
        sri,
        scores,
        fetchedAt,
        fetchDueAt: wholeSeconds(clock.now() + FETCH_INTERVAL_MILLIS),
        fetchLeasedUntil: null,
        fetchFailures: 0,
      }
      await saveFindings(tx, after)
      const version = { hash, contentSha256, sri, scores, fetchedAt, reasons }
      const [newest] = await versionsOf(tx, scriptId)
      if (newest?.hash === hash) await replaceNewestVersion(tx, scriptId, version)
      else await addVersion(tx, scriptId, version)
      if (before.hash !== null && before.hash !== hash) await note(tx, 'script.changed', after, before.hash)
      await noteVerdict(tx, before, after)
      return true
    })
  }

  /** Ends the lease and puts the next try off, longer with each failure. @returns false where the script is gone. */
  function saveFailure(zoneId: string, scriptId: string): Promise<boolean> {
    return storage.write(async (tx) => {
      const before = await findResource(tx, zoneId, scriptId)
      if (before === undefined) return false
      const backoff = Math.min(FIRST_BACKOFF_MILLIS * 2 ** before.fetchFailures, FETCH_INTERVAL_MILLIS)
      await saveFindings(tx, {
        ...before,
        fetchDueAt: wholeSeconds(clock.now() + backoff),
        fetchLeasedUntil: null,
        fetchFailures: before.fetchFailures + 1,
      })
      return true
    })
  }

  /** Resources that were not held against this version of the feeds yet: new ones, and all when the feeds are new. */
  async function dueForCheck(feedVersion: number, limit: number): Promise<CheckedResource[]> {
    const resources = await uncheckedResources(storage, feedVersion, limit)
    return resources.map(({ id, zoneId, kind, url, urlHost, host }) => ({
      id,
      zoneId,
      kind,
      url,
      urlHost,
      host,
    }))
  }

  /** Keeps what the feeds of this version say of resources, null for those that they do not report. */
  function markReported(feedVersion: number, verdicts: readonly ReportedResource[]): Promise<void> {
    return storage.write(async (tx) => {
      for (const { id, zoneId, domainCategories, urlCategories } of verdicts) {
        const before = await findResource(tx, zoneId, id)
        if (before === undefined) continue
        const after = { ...before, domainCategories, urlCategories, feedVersion }
        await saveFindings(tx, after)
        await noteVerdict(tx, before, after)
      }
    })
  }

  /** The feeds of this version report none of these resources. */
  function clearReported(
    feedVersion: number,
    resources: readonly Pick<ReportedResource, 'id' | 'zoneId'>[],
  ): Promise<void> {
    const cleared = { domainCategories: null, urlCategories: null }
    return markReported(
      feedVersion,
      resources.map(({ id, zoneId }) => ({ id, zoneId, ...cleared })),
    )
  }

  async function noteVerdict(tx: Transaction, before: StoredResource, after: StoredResource): Promise<void> {
    const was = isMalicious(before, before.scores)
    const is = isMalicious(after, after.scores)
    if (was !== is) await note(tx, `${after.kind}.${is ? 'reported' : 'cleared'}`, after, before.hash)
  }

  function note(
    tx: Transaction,
    kind: EventKind,
    resource: StoredResource,
    previousHash: string | null,
  ): Promise<void> {
    const { zoneId, id, url, host, pageUrls, firstPageUrl, hash } = resource
    const pageUrl = pageUrls[0] ?? firstPageUrl
    const at = clock.timestamp()
    return insertEvent(tx, { zoneId, at, kind, resourceId: id, url, host, pageUrl, previousHash, hash })
  }
}
