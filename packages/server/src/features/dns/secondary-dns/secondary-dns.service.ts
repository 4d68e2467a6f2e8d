// Secondary DNS as a whole: the parts of accounts and of zones, and the notifications of the nameserver about both.
import { type Clock, type Ids, SYSTEM } from '@zonereeve/platform'
import type { Reader, Storage } from '@zonereeve/storage'
import { requireZone, unlessUnreadable, type ZoneContents } from '../../zones/index.ts'
import { createCatalogMemberList } from './catalog-member-list.service.ts'
import { requireNoCatalog } from './catalog-members.service.ts'
import { createCatalogZones, isCatalogName } from './catalog-zone.service.ts'
import { findReadableCatalog } from './catalog-zone.store.ts'
import { isPeerOfCatalog } from './secondary-catalogs.service.ts'
import { createIncomingTransfers, incomingDeletion, type IncomingDeps } from './incoming.service.ts'
import { allIncoming, deleteIncoming } from './incoming.store.ts'
import { createOutgoingTransfers, outgoingDeletion, type OutgoingDeps } from './outgoing.service.ts'
import { allOutgoing, deleteOutgoing, findOutgoing } from './outgoing.store.ts'
import { createTransferObjects } from './transfer-objects.service.ts'

export interface SecondaryDnsDeps
  extends
    Pick<OutgoingDeps, 'lastSeen' | 'peersProgress' | 'digestStatus'>,
    Pick<IncomingDeps, 'follow' | 'verifiedSerial'> {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
}

/** What catalog zones forbid about zones. */
export const catalogGuards = { isNameTaken: isCatalogName, requireDeletable: requireNoCatalog }

export type SecondaryDns = ReturnType<typeof createSecondaryDns>

export function createSecondaryDns({
  storage,
  clock,
  ids,
  lastSeen,
  peersProgress,
  digestStatus,
  verifiedSerial,
  follow,
}: SecondaryDnsDeps) {
  const deps = { storage, clock }
  const catalog = createCatalogZones({ ...deps, peersProgress })
  const outgoing = createOutgoingTransfers({
    ...deps,
    lastSeen,
    peersProgress,
    digestStatus,
    setCatalogMember: catalog.setMember,
  })
  const incoming = createIncomingTransfers({ ...deps, follow, verifiedSerial })
  const memberList = createCatalogMemberList({ storage, lastSeen, peersProgress, stateOf: incoming.stateOf })
  const objects = createTransferObjects({ storage, ids, isPeerUsed })

  const zoneIncoming: ZoneContents = {
    name: 'incoming transfers',
    operations: incomingDeletion,
    remove: deleteIncoming,
  }
  const zoneOutgoing: ZoneContents = {
    name: 'outgoing transfers',
    operations: outgoingDeletion,
    async remove(tx, zoneId) {
      const before = await unlessUnreadable(findOutgoing(tx, zoneId))
      await deleteOutgoing(tx, zoneId)
      if (before?.isEnabled !== true) return
      await catalog.setMember(tx, await requireZone(tx, zoneId), false, SYSTEM)
    },
  }
  return { ...objects, outgoing, incoming, catalog, memberList, contents: [zoneIncoming, zoneOutgoing] }
}

async function isPeerUsed(db: Reader, accountId: string, peerId: string): Promise<boolean> {
  const transfers = [...(await allOutgoing(db, accountId)), ...(await allIncoming(db, accountId))]
  const catalog = await findReadableCatalog(db, accountId)
  const isOfZone = [...transfers, ...(catalog ? [catalog] : [])].some(({ peerIds }) =>
    peerIds.includes(peerId),
  )
  return isOfZone || (await isPeerOfCatalog(db, accountId, peerId))
}
