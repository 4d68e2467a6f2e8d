// Secondary DNS as a whole: what belongs to accounts, what to zones, and what the nameserver is told of both.
import { SYSTEM } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { findZone } from '../zones/index.ts'
import { createAnnouncements, type TransferEvent } from './announcements.ts'
import { catalogTransfers, createCatalogZones } from './catalog-zone.service.ts'
import { findCatalog } from './catalog-zone.store.ts'
import { createIncomingTransfers, removeIncoming, type IncomingDeps } from './incoming.service.ts'
import { allIncoming } from './incoming.store.ts'
import { createOutgoingTransfers, removeOutgoing, type OutgoingDeps } from './outgoing.service.ts'
import { allOutgoing } from './outgoing.store.ts'
import { createTransferObjects } from './transfer-objects.service.ts'

export interface SecondaryDnsDeps
  extends Pick<OutgoingDeps, 'lastSeen'>, Pick<IncomingDeps, 'follow' | 'announceServing'> {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  /** Told after commit, in the order of commits. */
  readonly publish: (event: TransferEvent) => void
}

export type SecondaryDns = ReturnType<typeof createSecondaryDns>

export function createSecondaryDns({
  storage,
  clock,
  ids,
  publish,
  lastSeen,
  follow,
  announceServing,
}: SecondaryDnsDeps) {
  const announcements = createAnnouncements({ publish })
  const announceAccount = async (tx: Transaction, accountId: string): Promise<void> =>
    announcements.announceAccount(tx, accountId, await catalogTransfers(tx, accountId))
  const deps = { storage, clock, announcements }
  const catalog = createCatalogZones({ ...deps, announceAccount })
  const outgoing = createOutgoingTransfers({ ...deps, lastSeen, setCatalogMember: catalog.setMember })
  const incoming = createIncomingTransfers({ ...deps, follow, announceServing })
  const objects = createTransferObjects({ storage, clock, ids, announceAccount, isPeerUsed })

  return { ...objects, outgoing, incoming, catalog, announceAll, clearZone }

  /** Tells all that is in force, at the start. */
  async function announceAll(db: Reader): Promise<void> {
    await catalog.announceAll(db)
    await announcements.announceAll(db, catalogTransfers)
  }

  /** Removes what a zone that is deleted has, writing it to the change set at `position`. */
  async function clearZone(tx: Transaction, zoneId: string, position: number): Promise<void> {
    const zone = await findZone(tx, zoneId)
    if (await removeIncoming(tx, zoneId, position))
      tx.onCommit(() => publish({ kind: 'primaries', zoneId, primaries: undefined }))
    if (zone === undefined || !(await removeOutgoing(tx, zoneId, position))) return
    tx.onCommit(() => publish({ kind: 'zone', zoneId, open: undefined }))
    await catalog.setMember(tx, zone, false, SYSTEM)
  }
}

async function isPeerUsed(db: Reader, accountId: string, peerId: string): Promise<boolean> {
  const transfers = [...(await allOutgoing(db, accountId)), ...(await allIncoming(db, accountId))]
  const catalog = await findCatalog(db, accountId)
  return (
    transfers.some(({ peerIds }) => peerIds.includes(peerId)) || (catalog?.peerIds.includes(peerId) ?? false)
  )
}
