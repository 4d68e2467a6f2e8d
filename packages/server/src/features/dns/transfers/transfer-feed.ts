// Sends zones and fetches them as it is stored, follows what changes that, and keeps the catalog zones.
import type { Name, TsigAlgorithm, TsigKey } from '@zonereeve/dns'
import type { NameserverMetrics, Respond, TransferPolicies, ZoneTable } from '@zonereeve/nameserver'
import type { Clock, Log } from '@zonereeve/platform'
import type { ChangeEvent, Storage } from '@zonereeve/storage'
import { createMessageHandler, createSecondaryRefresher, UnusableCatalog } from '@zonereeve/transfers'
import { UnusableZone } from '../dns-records/index.ts'
import type { Publication } from '../publication/index.ts'
import {
  accountsWithObjects,
  allCatalogs,
  catalogZoneId,
  isMemberKind,
  readAccountTransfers,
  readMemberChanges,
  readOpenZone,
  readPrimaries,
  refreshTimesOf,
  type OpenZone,
  type Received,
} from '../secondary-dns/index.ts'
import { createCatalogZones } from './catalog-zones.ts'
import type { Sending } from './sending.ts'

/** How long a zone waits for the ends of its chains before it is sent without them. */
const SETTLE_MILLIS = 5_000
const LOOK_AGAIN_MILLIS = 50

export interface TransferFeedDeps {
  readonly table: ZoneTable
  readonly sending: Sending
  readonly publication: Publication
  readonly step: (zoneId: string) => Promise<void>
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Pick<NameserverMetrics, 'countQuery'>
  /** Keys that sign updates: questions may be signed with them too, but they open nothing. */
  readonly findUpdateKey: (name: Name, algorithm: TsigAlgorithm) => TsigKey | undefined
  /** Takes what primaries say. */
  readonly incoming: Received
}

export function createTransferFeed(deps: TransferFeedDeps) {
  const { table, sending, publication, step, storage, clock, log, metrics, incoming, findUpdateKey } = deps
  const { policies, progress, notifier, outgoing } = sending
  const follower = createSecondaryRefresher({
    clock,
    log,
    ...incoming,
    isUnusable: (error) => error instanceof UnusableZone || error instanceof UnusableCatalog,
    timesOf: refreshTimesOf,
  })
  const catalogs = createCatalogZones({ table, storage })
  /** What zones that are being opened will be opened with. */
  const opening = new Map<string, OpenZone>()
  let isClosed = false

  return {
    loadAll,
    take,
    saveSeen: sending.saveSeen,
    exchange: (respond: Respond) =>
      createMessageHandler(
        {
          table,
          policies: withKeysOfUpdates(policies, findUpdateKey),
          outgoing,
          clock,
          log,
          metrics,
          observe: sending.observe,
          requested: progress.recordRequest,
          heard: follower.heard,
          expiresAtMillis: follower.expiresAtMillis,
        },
        respond,
      ),
    async close(): Promise<void> {
      isClosed = true
      notifier.close()
      await follower.close()
      await sending.saveSeen()
    },
  }

  /** Puts into force all that is stored. */
  async function loadAll(): Promise<void> {
    for (const { accountId } of await allCatalogs(storage)) await catalogs.load(accountId)
    for (const accountId of await accountsWithObjects(storage)) await loadAccount(accountId)
  }

  /** Puts into force what a change set says about transfers. */
  async function take({ topic, scopeId, number, serial, kinds }: ChangeEvent): Promise<void> {
    const isAbout = (noun: string): boolean => kinds.some((kind) => kind.startsWith(noun))
    if (topic === 'signing') {
      // Peers have to take the zone with all of its signatures.
      if (serial !== null) outgoing.restart(scopeId)
    } else if (topic === 'zone') {
      if (!kinds.includes('zone.delete')) return
      setOpen(scopeId, undefined)
      follower.set(scopeId, undefined)
    } else if (kinds.includes('incoming_transfers.force')) follower.force(scopeId)
    else if (kinds.includes('outgoing_transfers.notify')) notifier.notify(scopeId)
    else if (number !== undefined && kinds.some(isMemberKind))
      for (const change of await readMemberChanges(storage, scopeId, number)) catalogs.change(scopeId, change)
    else if (isAbout('catalog_zone.')) {
      if (await catalogs.load(scopeId)) await loadAccount(scopeId)
      else setOpen(catalogZoneId(scopeId), undefined)
      notifier.notify(catalogZoneId(scopeId))
    } else if (isAbout('transfer_')) await loadAccount(scopeId)
    else {
      if (isAbout('incoming_transfers.')) follower.set(scopeId, await readPrimaries(storage, scopeId))
      if (isAbout('outgoing_transfers.')) await openAndNotify(scopeId)
    }
  }

  async function openAndNotify(zoneId: string): Promise<void> {
    const open = await readOpenZone(storage, zoneId)
    setOpen(zoneId, open)
    // At the start, peers may have the zone already. New transfers and new peers have yet to come.
    progress.expectNewPeers(zoneId)
    if (open !== undefined) notifier.notify(zoneId)
  }

  async function loadAccount(accountId: string): Promise<void> {
    const { keys, open, primaries } = await readAccountTransfers(storage, accountId)
    policies.setKeys({ accountId, keys })
    for (const zone of open) setOpen(zone.zoneId, zone)
    for (const each of primaries) follower.set(each.zoneId, each)
  }

  function setOpen(zoneId: string, open: OpenZone | undefined): void {
    const isOpen = sending.isOpen(zoneId)
    if (open === undefined) {
      opening.delete(zoneId)
      policies.setZone(zoneId, undefined)
      progress.forgetZone(zoneId)
      outgoing.follow(zoneId, false)
    } else if (isOpen) policies.setZone(zoneId, open)
    else if (opening.has(zoneId)) opening.set(zoneId, open)
    else if (publication.hasDerived(zoneId)) {
      opening.set(zoneId, open)
      void openLater(zoneId)
    } else openNow(zoneId, open)
  }

  function openNow(zoneId: string, open: OpenZone): void {
    policies.setZone(zoneId, open)
    outgoing.follow(zoneId, true)
  }

  /**
   * A zone whose answers depend on more than its records may be another than the one with the same serial that peers
   * have: it gets a new serial first, once its chains have been followed, and no way leads there from the old one.
   */
  async function openLater(zoneId: string): Promise<void> {
    const deadline = clock.now() + SETTLE_MILLIS
    while (!isClosed && !publication.isSettled(zoneId) && clock.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MILLIS))
    await step(zoneId)
    const open = opening.get(zoneId)
    opening.delete(zoneId)
    if (open === undefined || isClosed) return
    openNow(zoneId, open)
    progress.zoneChanged(zoneId)
    notifier.notify(zoneId)
  }
}

/** Policies with keys that sign updates, which open nothing. */
function withKeysOfUpdates(policies: TransferPolicies, findUpdateKey: TransferFeedDeps['findUpdateKey']) {
  return {
    findPeer: policies.findPeer,
    findKey: (name: Name, algorithm: TsigAlgorithm) =>
      policies.findKey(name, algorithm) ?? findUpdateKey(name, algorithm),
    // A key that is known for updates alone must not pass for a peer's of that name.
    mayTransfer: (zoneId: string, address: string, key: TsigKey | undefined) =>
      (key === undefined || policies.findKey(key.name, key.algorithm) !== undefined) &&
      policies.mayTransfer(zoneId, address, key),
  }
}
