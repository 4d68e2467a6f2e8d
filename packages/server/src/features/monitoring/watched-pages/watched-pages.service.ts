// Watched pages of zones. They are configuration: each change is a change set of its zone. What is observed on them is
// not, like the inventory.
import { headerChanges, type HeaderChange } from '@zonereeve/csp'
import { type Actor, type Clock, DomainError, type Ids, ifReadable } from '@zonereeve/platform'
import type { Reader, Storage } from '@zonereeve/storage'
import { append, changeOp, type ChangeOp, deletionOp } from '../../changes/index.ts'
import { requireZone, type ZoneContents } from '../../zones/index.ts'
import {
  MAX_WATCHED_PAGES,
  readPageUrl,
  scriptChanges,
  type ScriptChanges,
  type WatchedPage,
} from './watched-pages.rules.ts'
import {
  deletePage,
  deletePages,
  findPage,
  insertPage,
  newestSnapshot,
  type NumberedSnapshot,
  pagesOf,
  savePage,
  type Slice,
  snapshotBefore,
  snapshotsOf,
} from './watched-pages.store.ts'

export interface WatchedPagesDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
}

export interface CurrentPage {
  readonly page: WatchedPage
  /** What was last fetched; undefined = nothing yet. */
  readonly current: NumberedSnapshot | undefined
}

export interface ChangedSnapshot {
  readonly snapshot: NumberedSnapshot
  readonly headers: readonly HeaderChange[]
  readonly scripts: ScriptChanges
}

const MIN_CHECK_GAP_MILLIS = 60_000

export type WatchedPages = ReturnType<typeof createWatchedPages>

export function createWatchedPages({ storage, clock, ids }: WatchedPagesDeps) {
  return { list, get, create, edit, check, history, remove }

  /**
   * In order of creation.
   * @throws DomainError: zone.unknown.
   */
  async function list(zoneId: string): Promise<readonly CurrentPage[]> {
    await requireZone(storage, zoneId)
    return Promise.all((await pagesOf(storage, zoneId)).map(withCurrent))
  }

  /** @throws DomainError: zone.unknown, page_shield_page.unknown. */
  async function get(zoneId: string, id: string): Promise<CurrentPage> {
    await requireZone(storage, zoneId)
    return withCurrent(await requirePage(storage, zoneId, id))
  }

  /**
   * It is checked at once.
   * @throws DomainError: zone.unknown, page_shield_policy.page_url, page_shield_page.exists, page_shield_page.quota.
   */
  function create(
    zoneId: string,
    { url: text, intervalMinutes, isScanned }: Pick<WatchedPage, 'url' | 'intervalMinutes' | 'isScanned'>,
    actor: Actor,
  ): Promise<CurrentPage> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      const url = readPageUrl(text, zone.name)
      if (url === undefined)
        throw new DomainError({
          reason: 'page_shield_policy.page_url',
          pointer: '/url',
          values: { zone: zone.name },
        })
      const others = await pagesOf(tx, zoneId)
      if (others.some((other) => other.url === url))
        throw new DomainError({ reason: 'page_shield_page.exists', pointer: '/url' })
      if (others.length >= MAX_WATCHED_PAGES)
        throw new DomainError({ reason: 'page_shield_page.quota', values: { limit: MAX_WATCHED_PAGES } })
      const createdOn = clock.timestamp()
      const status = { checkedAt: null, nextCheckAt: createdOn, failures: 0, problem: null }
      const page: WatchedPage = {
        id: ids.id(),
        zoneId,
        url,
        intervalMinutes,
        isScanned,
        createdOn,
        ...status,
      }
      await insertPage(tx, page)
      await append(tx, { scopeId: zoneId, actor }, [pageOp(page.id, null, page)])
      return { page, current: undefined }
    })
  }

  /**
   * The next check is at the new interval after the last one.
   * @throws DomainError: zone.unknown, page_shield_page.unknown.
   */
  async function edit(
    zoneId: string,
    id: string,
    patch: Partial<Pick<WatchedPage, 'intervalMinutes' | 'isScanned'>>,
    actor: Actor,
  ): Promise<CurrentPage> {
    const page = await storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await requirePage(tx, zoneId, id)
      const { intervalMinutes = before.intervalMinutes, isScanned = before.isScanned } = patch
      if (before.intervalMinutes === intervalMinutes && before.isScanned === isScanned) return before
      const { checkedAt } = before
      const nextCheckAt =
        checkedAt === null || before.failures > 0
          ? before.nextCheckAt
          : new Date(Date.parse(checkedAt) + intervalMinutes * 60_000).toISOString()
      const after = { ...before, intervalMinutes, isScanned, nextCheckAt }
      await savePage(tx, after)
      await append(tx, { scopeId: zoneId, actor }, [pageOp(id, before, after)])
      return after
    })
    return withCurrent(page)
  }

  /** @throws DomainError: zone.unknown, page_shield_page.unknown, page_shield_page.check_again. */
  async function check(zoneId: string, id: string): Promise<CurrentPage> {
    const page = await storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await requirePage(tx, zoneId, id)
      const { checkedAt } = before
      if (checkedAt !== null && clock.now() - Date.parse(checkedAt) < MIN_CHECK_GAP_MILLIS)
        throw new DomainError({ reason: 'page_shield_page.check_again', values: { checkedAt } })
      const after = { ...before, nextCheckAt: clock.timestamp() }
      await savePage(tx, after)
      return after
    })
    return withCurrent(page)
  }

  /**
   * Newest first, each with its difference from the one before of the same source.
   * @throws DomainError: zone.unknown, page_shield_page.unknown.
   */
  async function history(
    zoneId: string,
    id: string,
    slice: Slice,
  ): Promise<{ readonly items: readonly ChangedSnapshot[]; readonly totalCount: number }> {
    await requireZone(storage, zoneId)
    await requirePage(storage, zoneId, id)
    const { items, totalCount } = await snapshotsOf(storage, id, slice)
    return { items: await Promise.all(items.map(withChanges)), totalCount }

    async function withChanges(snapshot: NumberedSnapshot, index: number): Promise<ChangedSnapshot> {
      const listed = items.slice(index + 1).find(({ source }) => source === snapshot.source)
      const before = listed ?? (await snapshotBefore(storage, snapshot)) // it is beyond the slice, or there is none
      const { headers, scripts } = snapshot
      return {
        snapshot,
        headers: before === undefined ? [] : headerChanges(before.headers, headers),
        scripts: scriptChanges(before === undefined ? null : before.scripts, scripts),
      }
    }
  }

  /** @throws DomainError: zone.unknown, page_shield_page.unknown. */
  function remove(zoneId: string, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await ifReadable(requirePage(tx, zoneId, id))
      await deletePage(tx, id)
      await append(tx, { scopeId: zoneId, actor }, [deletionOp(KIND, id, before, toLogJson)])
    })
  }

  async function withCurrent(page: WatchedPage): Promise<CurrentPage> {
    return { page, current: await newestSnapshot(storage, page.id, 'fetch') }
  }
}

export const zoneWatchedPages: ZoneContents = {
  name: 'watched pages',
  operations: async (db, zoneId) => (await pagesOf(db, zoneId)).map((page) => pageOp(page.id, page, null)),
  remove: deletePages,
}

async function requirePage(db: Reader, zoneId: string, id: string): Promise<WatchedPage> {
  const found = await findPage(db, zoneId, id)
  if (found === undefined) throw new DomainError({ reason: 'page_shield_page.unknown' })
  return found
}

const KIND = 'page_shield.page'

const pageOp = (id: string, before: WatchedPage | null, after: WatchedPage | null): ChangeOp =>
  changeOp(KIND, id, before, after, toLogJson)

const toLogJson = ({ id, url, intervalMinutes, isScanned, createdOn }: WatchedPage): string =>
  JSON.stringify({ id, url, intervalMinutes, isScanned, createdOn })
