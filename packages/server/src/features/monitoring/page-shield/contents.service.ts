// The interface for the script fetcher and the threat feed matcher: returns what is due and stores results.
import { backoffMillis } from '@zonereeve/cooperate'
import { type Clock, DomainError, type FetchProblem } from '@zonereeve/platform'
import type { Storage, Transaction } from '@zonereeve/storage'
import { requireZone } from '../../zones/index.ts'
import { isBeyondAnalysis } from './analysis-state.rules.ts'
import {
  addVersion,
  judgedHashesOf,
  replaceNewestVersion,
  uncheckedResources,
  versionsOf,
} from './contents.store.ts'
import { insertEvent, reportedUnfetched, type EventKind } from './events.store.ts'
import { createFetchRoundRobin } from './fetch-round-robin.service.ts'
import { isAnyDue, isAnyWaiting, letDueWait } from './fetch-round-robin.store.ts'
import { cutoffsAt, isForgotten, statusOf, wholeSeconds } from './life-cycle.rules.ts'
import type { ResourceKind } from './resources.rules.ts'
import {
  findResource,
  saveFindings,
  type FetchMemory,
  type StoredResource,
  type Validators,
} from './resources.store.ts'
import { isMalicious, type Reported, type Scores, verdictsOn } from './scores.rules.ts'
import { intervalMillisOf, type Fetching } from './fetching.rules.ts'
import { fetchingOf, findSettings, retentionOf, settingsOf } from './settings.store.ts'
import { siteOf } from './sites.rules.ts'
import { MAX_SOURCE_BYTES, toStoredSource, type ScriptSource } from './sources.service.ts'
import { extendSpan, saveSource, saveSpan } from './sources.store.ts'

const MINUTE_MILLIS = 60_000
const LEASE_MILLIS = 5 * MINUTE_MILLIS
/** Longest delay after failures. */
const LONGEST_BACKOFF_MILLIS = 24 * 60 * MINUTE_MILLIS
/** Minimum interval between fetches that a user asks for. */
const FETCH_AGAIN_MILLIS = MINUTE_MILLIS
/** Interval for rechecking whether a script is active and its zone monitored. */
const REST_MILLIS = 60 * MINUTE_MILLIS
/** Scripts queued or leased per transaction. */
const DUE_PER_TRANSACTION = 256
const LEASES_PER_TRANSACTION = 64
/** Delay after the first failure; each further failure doubles it, up to a day. */
const FIRST_BACKOFF_MILLIS = 5 * MINUTE_MILLIS

/** A script leased to one fetcher until the lease ends. */
export interface DueScript {
  readonly id: string
  readonly zoneId: string
  readonly url: string
  readonly urlHost: string
  readonly host: string
  /** The registrable site: all hosts that one server may serve share it. */
  readonly site: string
  /** Digest of the last fetched content; null = never fetched. */
  readonly contentSha256: string | null
  /** Of the previous fetch; null = nothing to compare with. */
  readonly memory: FetchMemory | null
  readonly leasedUntil: string
}

export interface FetchedContent {
  /** Hash of the content's structure: a different hash is a new version. */
  readonly hash: string
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly contentSha256: string
  /** `sha384-…`, as in an `integrity` attribute. */
  readonly sri: string
  readonly scores: Scores
  /** The reasons for the scores, in words. */
  readonly reasons: readonly string[]
  /** null = the next fetch has nothing to compare with. */
  readonly memory: FetchMemory | null
  /** What was fetched. */
  readonly source: ScriptSource
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

export type Contents = ReturnType<typeof createContents>

export function createContents({ storage, clock }: ContentsDeps) {
  const roundRobin = createFetchRoundRobin()
  return {
    dueForFetch,
    saveFetch,
    saveUnchanged,
    saveFailure,
    putOff,
    fetchNow,
    dueForCheck,
    markReported,
    clearReported,
  }

  /**
   * Leases up to `limit` due scripts, round robin by zone and site, at most one per site. Leases expire by
   * themselves. A fetched script becomes due again only while it is active and its zone is monitored.
   * @param busySites sites to skip.
   */
  async function dueForFetch(
    limit: number,
    busySites: ReadonlySet<string> = new Set(),
  ): Promise<DueScript[]> {
    // Polled every second: most calls have nothing to write.
    const now = wholeSeconds(clock.now())
    if (!(await isAnyWaiting(storage)) && !(await isAnyDue(storage, now))) return []
    return storage.write(async (tx) => {
      await letDueWait(tx, now, DUE_PER_TRANSACTION)
      const busy = new Set(busySites)
      const leased: DueScript[] = []
      for (let turn = 0; turn < LEASES_PER_TRANSACTION && leased.length < limit; turn += 1) {
        const script = await roundRobin.next(tx, busy)
        if (script === undefined) break
        const due = await lease(tx, script)
        if (due === undefined) continue
        busy.add(due.site)
        leased.push(due)
      }
      return leased
    })
  }

  /** @returns undefined if it must not be fetched now, or at all. */
  async function lease(tx: Transaction, script: StoredResource): Promise<DueScript | undefined> {
    const done = { ...script, waitingSite: null }
    const cutoffs = cutoffsAt(clock.now(), await retentionOf(tx, script.zoneId))
    if (isForgotten(script, cutoffs)) {
      // Not swept yet; if browsers report it again, it counts as new.
      await saveFindings(tx, { ...done, fetchDueAt: null })
      return undefined
    }
    const isStale = script.fetchedAt !== null && statusOf(script, cutoffs) !== 'active'
    const isMonitored = (await findSettings(tx, script.zoneId))?.enabled === true
    if (isStale || !isMonitored) {
      await saveFindings(tx, { ...done, fetchDueAt: wholeSeconds(clock.now() + REST_MILLIS) })
      return undefined
    }
    const leasedUntil = wholeSeconds(clock.now() + LEASE_MILLIS)
    await saveFindings(tx, { ...done, fetchLeasedUntil: leasedUntil })
    const { id, zoneId, url, urlHost, host, contentSha256, fetchMemory: memory } = script
    return { id, zoneId, url, urlHost, host, site: siteOf(urlHost), contentSha256, memory, leasedUntil }
  }

  /**
   * Stores a fetched content, ends the lease and schedules the next fetch. A new structure hash is a new
   * version. Emits events for changed bytes, once per content whose analysis was stopped, and once per
   * content that browsers ran but that was never fetched. A malicious verdict stays until a content with
   * scores clears it.
   * @returns false if the script no longer exists.
   */
  async function saveFetch(zoneId: string, scriptId: string, content: FetchedContent): Promise<boolean> {
    const source = await toStoredSource(zoneId, content.contentSha256, content.source)
    return storage.write(async (tx) => {
      const before = await findResource(tx, zoneId, scriptId)
      if (before === undefined) return false
      const fetching = await fetchingOf(tx, zoneId)
      const findings = fetchedNow(before, fetching)
      const { fetchedAt } = findings
      const { hash, contentSha256, sri, memory } = content
      const isKept = keepsVerdict(before, content)
      const scores = isKept ? (before.scores ?? content.scores) : content.scores
      const reasons = isKept ? [VERDICT_KEPT, ...content.reasons] : content.reasons
      const after: StoredResource = {
        ...before,
        hash,
        contentSha256,
        sri,
        scores,
        ...findings,
        fetchMemory: memory,
      }
      await saveFindings(tx, after)
      const byteLength = content.source.bytes.length
      await saveSpan(tx, { zoneId, scriptId, contentSha256, hash, byteLength, lastFetchedAt: fetchedAt })
      if (fetching.storesSources) await saveSource(tx, source, MAX_SOURCE_BYTES)
      // If the hashes differ, the scores belong to another content.
      const ownScores = before.hash === hash ? scores : content.scores
      const version = { hash, contentSha256, sri, scores: ownScores, fetchedAt, reasons }
      const [newest] = await versionsOf(tx, scriptId)
      // Equal bytes are the same version, even if another analysis version computes another hash.
      const isSame = before.contentSha256 === contentSha256
      if (newest !== undefined && (newest.hash === hash || isSame))
        await replaceNewestVersion(tx, scriptId, version)
      else await addVersion(tx, scriptId, version)
      if (before.hash !== null && before.hash !== hash && !isSame)
        await note(tx, 'script.changed', after, before.hash)
      if (before.contentSha256 !== null && before.hash === hash && !isSame)
        await note(tx, 'script.bytes_changed', { ...after, hash: contentSha256 }, before.contentSha256)
      if (isBeyondAnalysis(memory) && !(isSame && isBeyondAnalysis(before.fetchMemory)))
        await note(tx, 'script.analysis_ended', after, before.hash)
      await noteVerdict(tx, before, after)
      await noteUnfetched(tx, after)
      return true
    })
  }

  /**
   * For unchanged content: ends the lease and schedules the next fetch.
   * @param validators the server's current validators; undefined = keep the stored ones.
   * @returns false if the script no longer exists, or was never fetched.
   */
  function saveUnchanged(zoneId: string, scriptId: string, validators?: Validators | null): Promise<boolean> {
    return storage.write(async (tx) => {
      const before = await findResource(tx, zoneId, scriptId)
      const memory = before?.fetchMemory ?? null
      if (before === undefined || memory === null) return false
      const fetchMemory = validators === undefined ? memory : { ...memory, validators }
      const findings = fetchedNow(before, await fetchingOf(tx, zoneId))
      const { fetchedAt } = findings
      await saveFindings(tx, { ...before, ...findings, fetchMemory })
      await extendSpan(tx, scriptId, fetchedAt)
      const [newest] = await versionsOf(tx, scriptId)
      if (newest !== undefined) await replaceNewestVersion(tx, scriptId, { ...newest, fetchedAt })
      await noteUnfetched(tx, before)
      return true
    })
  }

  /**
   * Ends the lease and delays the next attempt, longer with each failure.
   * @returns false if the script no longer exists.
   */
  function saveFailure(
    zoneId: string,
    scriptId: string,
    problem: FetchProblem | 'failure',
  ): Promise<boolean> {
    const fail = (before: StoredResource): StoredResource => ({
      ...before,
      fetchDueAt: wholeSeconds(
        clock.now() + backoffMillis(before.fetchFailures + 1, FIRST_BACKOFF_MILLIS, LONGEST_BACKOFF_MILLIS),
      ),
      waitingSite: null,
      fetchLeasedUntil: null,
      fetchFailures: before.fetchFailures + 1,
      fetchProblem: problem,
    })
    // A site may serve browsers but reject our fetches, so unfetched contents are reported here too.
    return change(zoneId, scriptId, fail, noteUnfetched)
  }

  /**
   * Ends the lease of a script that was not fetched; it is due again in `millis`.
   * @returns false if the script no longer exists.
   */
  function putOff(zoneId: string, scriptId: string, millis: number): Promise<boolean> {
    const fetchDueAt = wholeSeconds(clock.now() + millis)
    return change(zoneId, scriptId, (before) => ({
      ...before,
      fetchDueAt,
      waitingSite: null,
      fetchLeasedUntil: null,
    }))
  }

  /**
   * Makes a script due at once, unless it is being fetched.
   * @throws DomainError: zone.unknown, page_shield.disabled, page_shield.script_unknown,
   * page_shield.fetch_inactive, page_shield.fetch_again.
   */
  function fetchNow(zoneId: string, scriptId: string): Promise<void> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      if (!(await settingsOf(tx, zone)).enabled) throw new DomainError({ reason: 'page_shield.disabled' })
      const script = await findResource(tx, zoneId, scriptId)
      const cutoffs = cutoffsAt(clock.now(), await retentionOf(tx, zoneId))
      if (script === undefined || script.kind !== 'script' || isForgotten(script, cutoffs))
        throw new DomainError({ reason: 'page_shield.script_unknown' })
      const { fetchedAt, fetchLeasedUntil } = script
      const status = statusOf(script, cutoffs)
      if (fetchedAt !== null && status !== 'active')
        throw new DomainError({ reason: 'page_shield.fetch_inactive', values: { status } })
      const now = wholeSeconds(clock.now())
      if (fetchLeasedUntil !== null && fetchLeasedUntil > now) return
      if (fetchedAt !== null && fetchedAt > wholeSeconds(clock.now() - FETCH_AGAIN_MILLIS))
        throw new DomainError({ reason: 'page_shield.fetch_again', values: { fetchedAt } })
      await saveFindings(tx, { ...script, fetchDueAt: now })
    })
  }

  function change(
    zoneId: string,
    scriptId: string,
    alter: (before: StoredResource) => StoredResource,
    afterwards?: (tx: Transaction, before: StoredResource) => Promise<void>,
  ): Promise<boolean> {
    return storage.write(async (tx) => {
      const before = await findResource(tx, zoneId, scriptId)
      if (before === undefined) return false
      await saveFindings(tx, alter(before))
      await afterwards?.(tx, before)
      return true
    })
  }

  function fetchedNow({ url }: Pick<StoredResource, 'url'>, fetching: Fetching) {
    return {
      fetchedAt: wholeSeconds(clock.now()),
      fetchDueAt: wholeSeconds(clock.now() + intervalMillisOf(fetching, url)),
      waitingSite: null,
      fetchLeasedUntil: null,
      fetchFailures: 0,
      fetchProblem: null,
    }
  }

  /** Resources not yet checked against this feed version: new ones, and all of them after a feed update. */
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

  /** Stores the verdicts of this feed version; null for resources it does not list. */
  function markReported(feedVersion: number, verdicts: readonly ReportedResource[]): Promise<void> {
    return storage.write(async (tx) => {
      for (const { id, zoneId, domainCategories, urlCategories } of verdicts) {
        await tx.yieldIfDue()
        const before = await findResource(tx, zoneId, id)
        if (before === undefined) continue
        const after = { ...before, domainCategories, urlCategories, feedVersion }
        await saveFindings(tx, after)
        await noteVerdict(tx, before, after)
      }
    })
  }

  /** For resources that this feed version does not list. */
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

  /** If nothing was ever fetched, there is nothing to compare with, and no authorization is valid anyway. */
  async function noteUnfetched(tx: Transaction, script: StoredResource): Promise<void> {
    if (script.contentSha256 === null) return
    const unfetched = (await judgedHashesOf(tx, script.zoneId, script.id)).filter(
      ({ isFetched }) => !isFetched,
    )
    if (unfetched.length === 0) return
    const unfetchedEvents = await reportedUnfetched(tx, script.zoneId, script.id)
    for (const { hash } of unfetched) {
      if (!unfetchedEvents.has(hash)) await note(tx, 'script.unfetched', { ...script, hash }, null)
    }
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

const VERDICT_KEPT =
  'The scores are those of an earlier, malicious content; the current content could not be scored, so the verdict is not cleared.'

/**
 * Otherwise an attacker could clear a malicious verdict by serving content that is too long, too deep or too
 * expensive to analyze.
 */
const keepsVerdict = (before: StoredResource, { scores }: FetchedContent): boolean =>
  scores.jsIntegrity === null && verdictsOn(before, before.scores).includes('js_integrity_score')
