// What is observed on watched pages: compared with what they were, stored if it differs, and made an event.
import { missingPolicies, type ReceivedHeader, servedHeaders } from '@zonereeve/csp'
import type { Clock } from '@zonereeve/platform'
import type { PageScripts } from '@zonereeve/script-analysis'
import type { Storage, Transaction } from '@zonereeve/storage'
import { insertEvent, readPage } from '../page-shield/index.ts'
import { deployedPolicies } from '../page-shield-policies/index.ts'
import {
  eventsOf,
  FAILURES_OF_EVENT,
  isSame,
  type PageEvent,
  retryMillis,
  type Snapshot,
  sortScripts,
  toServedScript,
  type WatchedPage,
} from './watched-pages.rules.ts'
import {
  duePages,
  findPage,
  insertSnapshot,
  newestSnapshot,
  noteSeenAgain,
  savePage,
} from './watched-pages.store.ts'

export interface ObservedPage {
  readonly source: Snapshot['source']
  /** After redirects. */
  readonly finalUrl: string
  readonly headers: readonly ReceivedHeader[]
  /** null = not known. */
  readonly scripts: PageScripts | null
}

/** For the time of a check: another node does not take the page, too. */
const LEASE_MILLIS = 5 * 60_000

export type PageObservations = ReturnType<typeof createPageObservations>

export function createPageObservations({
  storage,
  clock,
}: {
  readonly storage: Storage
  readonly clock: Clock
}) {
  return { takeDue, save, saveFailure }

  /** Leases pages whose check is due. */
  function takeDue(limit: number): Promise<readonly WatchedPage[]> {
    return storage.write(async (tx) => {
      const due = await duePages(tx, clock.timestamp(), limit)
      const nextCheckAt = new Date(clock.now() + LEASE_MILLIS).toISOString()
      for (const page of due) await savePage(tx, { ...page, nextCheckAt })
      return due
    })
  }

  /** @param isDone whether it ends a check, which is then no failure. */
  function save(
    { zoneId, id }: Pick<WatchedPage, 'zoneId' | 'id'>,
    observed: ObservedPage,
    isDone = observed.source === 'fetch',
  ): Promise<void> {
    return storage.write(async (tx) => {
      const page = await findPage(tx, zoneId, id)
      if (page === undefined) return // meanwhile deleted
      await saveSnapshot(tx, page, await snapshotOf(tx, page, observed))
      if (!isDone) return
      const nextCheckAt = new Date(clock.now() + page.intervalMinutes * 60_000).toISOString()
      const checkedAt = clock.timestamp()
      await savePage(tx, { ...page, checkedAt, nextCheckAt, failures: 0, problem: null })
    })
  }

  function saveFailure(
    { zoneId, id }: Pick<WatchedPage, 'zoneId' | 'id'>,
    problem: NonNullable<WatchedPage['problem']>,
  ): Promise<void> {
    return storage.write(async (tx) => {
      const page = await findPage(tx, zoneId, id)
      if (page === undefined) return
      const failures = page.failures + 1
      const nextCheckAt = new Date(clock.now() + retryMillis(failures, page.intervalMinutes)).toISOString()
      await savePage(tx, { ...page, checkedAt: clock.timestamp(), nextCheckAt, failures, problem })
      if (failures === FAILURES_OF_EVENT)
        await emit(tx, page, { kind: 'page.failed', previousHash: null, hash: null })
    })
  }

  async function snapshotOf(
    tx: Transaction,
    { id, zoneId }: WatchedPage,
    { source, finalUrl, headers, scripts }: ObservedPage,
  ): Promise<Snapshot> {
    const now = clock.timestamp()
    const deployed = await deployedPolicies(tx, zoneId, new URL(finalUrl))
    return {
      zoneId,
      pageId: id,
      source,
      finalUrl,
      headers: servedHeaders(headers),
      scripts: scripts === null ? null : sortScripts(scripts.scripts.map(toServedScript)),
      omittedScripts: scripts === null ? 0 : scripts.omitted,
      missingPolicies: missingPolicies(deployed, headers)
        .map((policy) => policy.id)
        .toSorted(),
      firstSeenAt: now,
      lastSeenAt: now,
    }
  }

  async function saveSnapshot(tx: Transaction, page: WatchedPage, after: Snapshot): Promise<void> {
    const before = await newestSnapshot(tx, page.id, after.source)
    if (before !== undefined && isSame(before, after)) {
      await noteSeenAgain(tx, before.number, after.lastSeenAt)
      return
    }
    await insertSnapshot(tx, after)
    for (const event of eventsOf(before, after)) await emit(tx, page, event)
  }

  async function emit(tx: Transaction, { id, zoneId, url }: WatchedPage, event: PageEvent): Promise<void> {
    const page = readPage(url)
    if (page === undefined) throw new Error(`the watched page ${id} has no address`)
    const { host, pageUrl } = page
    await insertEvent(tx, { zoneId, at: clock.timestamp(), resourceId: id, url, host, pageUrl, ...event })
  }
}
