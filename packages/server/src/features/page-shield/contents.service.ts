// Doors for whoever fetches scripts and holds URLs against threat feeds: what is due, and what was found out.
import type { Clock } from '../../platform/clock.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { isBeyondAnalysis } from './analysis-state.rules.ts'
import {
  addVersion,
  judgedHashesOf,
  replaceNewestVersion,
  uncheckedResources,
  versionsOf,
} from './contents.store.ts'
import { insertEvent, toldUnfetched, type EventKind } from './events.store.ts'
import { createFetchTurns } from './fetch-turns.service.ts'
import { isAnyDue, isAnyWaiting, letDueWait } from './fetch-turns.store.ts'
import type { FetchProblem } from './fetch-problems.rules.ts'
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
import { findSettings, retentionOf } from './settings.store.ts'
import { siteOf } from './sites.rules.ts'

const MINUTE_MILLIS = 60_000
const LEASE_MILLIS = 5 * MINUTE_MILLIS
/** Between two fetches of a script that goes well. */
const FETCH_INTERVAL_MILLIS = 24 * 60 * MINUTE_MILLIS
/** Until it is looked again whether a script is active and its zone monitored. */
const REST_MILLIS = 60 * MINUTE_MILLIS
/** Scripts that come to wait, and scripts whose turn it is, in one transaction. */
const DUE_AT_ONCE = 256
const TURNS_AT_ONCE = 64
/** Between them, everybody else has a turn. */
const MARKED_AT_ONCE = 32
/** After the first failure; each further one doubles it, up to the usual interval. */
const FIRST_BACKOFF_MILLIS = 5 * MINUTE_MILLIS

/** A script that its holder alone may fetch until the lease ends. */
export interface DueScript {
  readonly id: string
  readonly zoneId: string
  readonly url: string
  readonly urlHost: string
  readonly host: string
  /** Which it shares with all that one server may serve. */
  readonly site: string
  /** Of the content that was fetched last; null = none was. */
  readonly contentSha256: string | null
  /** Of the fetch before; null = none to compare with. */
  readonly memory: FetchMemory | null
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
  /** null = nothing that the next one can be compared with. */
  readonly memory: FetchMemory | null
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
  const turns = createFetchTurns()
  return {
    dueForFetch,
    saveFetch,
    saveUnchanged,
    saveFailure,
    putOff,
    dueForCheck,
    markReported,
    clearReported,
  }

  /**
   * Leases up to `limit` scripts whose time has come, by turns of zones and sites, one of each site. A lease ends by itself.
   * Once fetched, a script is due again only as long as it is active and its zone is monitored.
   *
   * @param busySites none of these sites'.
   */
  async function dueForFetch(
    limit: number,
    busySites: ReadonlySet<string> = new Set(),
  ): Promise<DueScript[]> {
    // Asked every second: most often there is nothing to write.
    const now = wholeSeconds(clock.now())
    if (!(await isAnyWaiting(storage)) && !(await isAnyDue(storage, now))) return []
    return storage.write(async (tx) => {
      await letDueWait(tx, now, DUE_AT_ONCE)
      const busy = new Set(busySites)
      const leased: DueScript[] = []
      for (let turn = 0; turn < TURNS_AT_ONCE && leased.length < limit; turn += 1) {
        const script = await turns.next(tx, busy)
        if (script === undefined) break
        const due = await lease(tx, script)
        if (due === undefined) continue
        busy.add(due.site)
        leased.push(due)
      }
      return leased
    })
  }

  /** @returns undefined where it is not to be fetched, now or at all. */
  async function lease(tx: Transaction, script: StoredResource): Promise<DueScript | undefined> {
    const done = { ...script, waitingSite: null }
    const cutoffs = cutoffsAt(clock.now(), await retentionOf(tx, script.zoneId))
    if (isForgotten(script, cutoffs)) {
      // Not swept yet; and when it is met again, it is a new one.
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
   * Keeps what was fetched, ends the lease, and sets the next fetch. A new hash is a new version. Events tell of other octets,
   * once of a content whose analysis was ended, and once of each that browsers ran and that was never fetched. A verdict of
   * malicious stays until a content with scores has better ones.
   *
   * @returns false where the script is gone.
   */
  function saveFetch(zoneId: string, scriptId: string, content: FetchedContent): Promise<boolean> {
    return storage.write(async (tx) => {
      const before = await findResource(tx, zoneId, scriptId)
      if (before === undefined) return false
      const { fetchedAt } = fetchedNow()
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
        ...fetchedNow(),
        fetchMemory: memory,
      }
      await saveFindings(tx, after)
      // Of another content, the scores are not.
      const ownScores = before.hash === hash ? scores : content.scores
      const version = { hash, contentSha256, sri, scores: ownScores, fetchedAt, reasons }
      const [newest] = await versionsOf(tx, scriptId)
      // The same octets are the same version, though another analysis may tell another hash of them.
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
   * The content is still what it was: ends the lease, and sets the next fetch.
   *
   * @param validators what the server says of it now; undefined = what it said.
   * @returns false where the script is gone, or was never fetched.
   */
  function saveUnchanged(zoneId: string, scriptId: string, validators?: Validators | null): Promise<boolean> {
    return storage.write(async (tx) => {
      const before = await findResource(tx, zoneId, scriptId)
      const memory = before?.fetchMemory ?? null
      if (before === undefined || memory === null) return false
      const fetchMemory = validators === undefined ? memory : { ...memory, validators }
      await saveFindings(tx, { ...before, ...fetchedNow(), fetchMemory })
      const [newest] = await versionsOf(tx, scriptId)
      if (newest !== undefined)
        await replaceNewestVersion(tx, scriptId, { ...newest, fetchedAt: fetchedNow().fetchedAt })
      await noteUnfetched(tx, before)
      return true
    })
  }

  /** Ends the lease and puts the next try off, longer with each failure. @returns false where the script is gone. */
  function saveFailure(zoneId: string, scriptId: string, problem: FetchProblem): Promise<boolean> {
    const fail = (before: StoredResource): StoredResource => ({
      ...before,
      fetchDueAt: wholeSeconds(clock.now() + backoffAfter(before.fetchFailures)),
      waitingSite: null,
      fetchLeasedUntil: null,
      fetchFailures: before.fetchFailures + 1,
      fetchProblem: problem,
    })
    // A site that serves browsers and refuses us has the more to tell of.
    return change(zoneId, scriptId, fail, noteUnfetched)
  }

  /** Ends the lease of a script that was not fetched; it is due in `millis`. @returns false where the script is gone. */
  function putOff(zoneId: string, scriptId: string, millis: number): Promise<boolean> {
    const fetchDueAt = wholeSeconds(clock.now() + millis)
    return change(zoneId, scriptId, (before) => ({
      ...before,
      fetchDueAt,
      waitingSite: null,
      fetchLeasedUntil: null,
    }))
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

  function fetchedNow() {
    return {
      fetchedAt: wholeSeconds(clock.now()),
      fetchDueAt: wholeSeconds(clock.now() + FETCH_INTERVAL_MILLIS),
      waitingSite: null,
      fetchLeasedUntil: null,
      fetchFailures: 0,
      fetchProblem: null,
    }
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
      for (const [index, { id, zoneId, domainCategories, urlCategories }] of verdicts.entries()) {
        if (index % MARKED_AT_ONCE === MARKED_AT_ONCE - 1) await tx.pause()
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

  /** Where nothing was ever fetched there is nothing to compare with, and no authorisation is valid anyway. */
  async function noteUnfetched(tx: Transaction, script: StoredResource): Promise<void> {
    if (script.contentSha256 === null) return
    const unfetched = (await judgedHashesOf(tx, script.zoneId, script.id)).filter(
      ({ isFetched }) => !isFetched,
    )
    if (unfetched.length === 0) return
    const told = await toldUnfetched(tx, script.zoneId, script.id)
    for (const { hash } of unfetched) {
      if (!told.has(hash)) await note(tx, 'script.unfetched', { ...script, hash }, null)
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
  'The scores are those of an earlier content, which was malicious: this one could not be scored, so that nothing has cleared it.'

/** Whoever wrote a malicious script could else clear it by making it too long, too deep or too much to be analysed. */
const keepsVerdict = (before: StoredResource, { scores }: FetchedContent): boolean =>
  scores.jsIntegrity === null && verdictsOn(before, before.scores).includes('js_integrity_score')

const backoffAfter = (failures: number): number =>
  Math.min(FIRST_BACKOFF_MILLIS * 2 ** failures, FETCH_INTERVAL_MILLIS)
