// Outgoing transfers of zones. Peers get the zone as it is answered; the nameserver does the sending.
import { type Actor, type Clock, DomainError } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp, localEvent, verbOf, type ChangeOp } from '../../changes/index.ts'
import { requireZone, toAscii, type Zone } from '../../zones/index.ts'
import { deleteOutgoing, findOutgoing, saveOutgoing, saveSeen, type Outgoing } from './outgoing.store.ts'
import { findObject } from './transfer-objects.store.ts'

export interface TransferDefinition {
  readonly name: string
  readonly peerIds: readonly string[]
}

export interface ZoneOutgoing {
  readonly zone: Zone
  readonly outgoing: Outgoing
}

/** When something last happened, if later than the stored times. */
export interface LastSeen {
  readonly checkedOn: string | null
  readonly transferredOn: string | null
}

export interface PeerProgress {
  readonly peerId: string
  readonly state: 'unknown' | 'current' | 'behind'
  readonly notifiedSerial: number | null
  readonly transferredSerial: number | null
  /** Milliseconds since 1970. */
  readonly behindSince: number | null
}

/** Number of peers by state. */
export type PeerCounts = Readonly<Record<PeerProgress['state'], number>>

export function countPeers(peers: readonly PeerProgress[]): PeerCounts {
  const counts = { current: 0, behind: 0, unknown: 0 }
  for (const { state } of peers) counts[state]++
  return counts
}

/** Whether the digest of a zone (ZONEMD) is answered, or why it is not. */
export interface DigestStatus {
  readonly state: 'off' | 'awaited' | 'at_transfer' | 'answered' | 'too_large'
  /** Of the digest that is answered. */
  readonly serial: number | undefined
}

export interface OutgoingProgress {
  readonly zone: Zone
  readonly isEnabled: boolean
  readonly digest: DigestStatus
  readonly peers: readonly PeerProgress[]
}

export interface OutgoingDeps {
  readonly storage: Storage
  readonly clock: Clock
  /** Adds a zone to its account's catalog zone, or removes it. */
  readonly setCatalogMember: (tx: Transaction, zone: Zone, isMember: boolean, actor: Actor) => Promise<void>
  /** Times that the nameserver has recorded for a zone since the start. */
  readonly lastSeen: (zoneId: string) => LastSeen
  /** Progress of the peers of a zone whose transfers are enabled. */
  readonly peersProgress: (zoneId: string) => readonly PeerProgress[]
  readonly digestStatus: (zoneId: string) => DigestStatus
}

export function createOutgoingTransfers(deps: OutgoingDeps) {
  const { storage, clock, setCatalogMember, lastSeen, peersProgress } = deps
  return { get, create, update, remove, switchTo, isEnabled, progress, forceNotify }

  /** @throws DomainError: zone.unknown, outgoing.unknown. */
  async function get(zoneId: string): Promise<ZoneOutgoing> {
    const zone = await requireZone(storage, zoneId)
    const outgoing = await requireOutgoing(storage, zoneId)
    const seen = lastSeen(zoneId)
    return {
      zone,
      outgoing: {
        ...outgoing,
        checkedOn: seen.checkedOn ?? outgoing.checkedOn,
        transferredOn: seen.transferredOn ?? outgoing.transferredOn,
      },
    }
  }

  /** @throws DomainError: zone.unknown, outgoing.exists, transfers.name, transfers.peer. */
  function create(zoneId: string, definition: TransferDefinition, actor: Actor): Promise<ZoneOutgoing> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      if ((await findOutgoing(tx, zoneId)) !== undefined)
        throw new DomainError({ reason: 'outgoing.exists', values: { name: zone.name } })
      await requireFitting(tx, zone, definition)
      const outgoing: Outgoing = {
        zoneId,
        peerIds: definition.peerIds,
        isEnabled: false,
        createdOn: clock.timestamp(),
        checkedOn: null,
        transferredOn: null,
      }
      await change(tx, zone, { before: null, after: outgoing }, actor)
      return { zone, outgoing }
    })
  }

  /** @throws DomainError: zone.unknown, outgoing.unknown, transfers.name, transfers.peer. */
  function update(zoneId: string, definition: TransferDefinition, actor: Actor): Promise<ZoneOutgoing> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      const before = await requireOutgoing(tx, zoneId)
      await requireFitting(tx, zone, definition)
      const after = { ...before, peerIds: definition.peerIds }
      if (after.peerIds.join() !== before.peerIds.join()) await change(tx, zone, { before, after }, actor)
      return { zone, outgoing: after }
    })
  }

  /** @throws DomainError: zone.unknown, outgoing.unknown. */
  function remove(zoneId: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      const before = await requireOutgoing(tx, zoneId)
      await change(tx, zone, { before, after: null }, actor)
    })
  }

  /** Enables or disables. @throws DomainError: zone.unknown, outgoing.unknown. */
  function switchTo(zoneId: string, isOn: boolean, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      const before = await requireOutgoing(tx, zoneId)
      if (before.isEnabled !== isOn)
        await change(tx, zone, { before, after: { ...before, isEnabled: isOn } }, actor)
    })
  }

  /** @throws DomainError: zone.unknown, outgoing.unknown. */
  async function isEnabled(zoneId: string): Promise<boolean> {
    return (await get(zoneId)).outgoing.isEnabled
  }

  /** Progress of each peer. @throws DomainError: zone.unknown, outgoing.unknown. */
  async function progress(zoneId: string): Promise<OutgoingProgress> {
    const { zone, outgoing } = await get(zoneId)
    const { isEnabled } = outgoing
    const { state, serial } = deps.digestStatus(zoneId)
    // Without transfers, none is made. One that is answered stays until the next change.
    const digest = { state: isEnabled || state === 'answered' ? state : 'off', serial } as const
    return { zone, isEnabled, digest, peers: peersProgress(zoneId) }
  }

  /** @throws DomainError: zone.unknown, outgoing.unknown, outgoing.disabled. */
  function forceNotify(zoneId: string): Promise<void> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      if (!(await requireOutgoing(tx, zoneId)).isEnabled)
        throw new DomainError({ reason: 'outgoing.disabled' })
      tx.publish(() => [localEvent('transfers', zoneId, 'outgoing_transfers.notify')])
    })
  }

  async function change(
    tx: Transaction,
    zone: Zone,
    { before, after }: { readonly before: Outgoing | null; readonly after: Outgoing | null },
    actor: Actor,
  ): Promise<void> {
    if (after === null) await deleteOutgoing(tx, zone.id)
    else await saveOutgoing(tx, after)
    await append(tx, { scopeId: zone.id, actor }, [outgoingOp(zone.id, before, after)])
    const [was, is] = [before?.isEnabled ?? false, after?.isEnabled ?? false]
    if (was !== is) await setCatalogMember(tx, zone, is, actor)
  }
}

/** Stores times that the nameserver has recorded. They are not changes of the zones, and not logged. */
export function saveAllSeen(storage: Storage, seen: ReadonlyMap<string, LastSeen>): Promise<void> {
  return storage.write(async (tx) => {
    for (const [zoneId, last] of seen) await saveSeen(tx, zoneId, last)
  })
}

export async function outgoingDeletion(db: Reader, zoneId: string): Promise<readonly ChangeOp[]> {
  const before = await findOutgoing(db, zoneId)
  return before === undefined ? [] : [outgoingOp(zoneId, before, null)]
}

async function requireOutgoing(db: Reader, zoneId: string): Promise<Outgoing> {
  const outgoing = await findOutgoing(db, zoneId)
  if (outgoing === undefined) throw new DomainError({ reason: 'outgoing.unknown' })
  return outgoing
}

/** @throws DomainError: transfers.name, transfers.peer. */
async function requireFitting(db: Reader, zone: Zone, definition: TransferDefinition): Promise<void> {
  requireName(zone, definition)
  await requirePeers(db, zone.accountId, definition.peerIds)
}

/** @throws DomainError: transfers.name. */
export function requireName(zone: Zone, { name }: TransferDefinition): void {
  if (toAscii(name).toLowerCase().replace(/\.$/, '') !== zone.name)
    throw new DomainError({ reason: 'transfers.name', pointer: '/name', values: { name: zone.name } })
}

/**
 * @param pointer the list in the body.
 * @throws DomainError: transfers.peer.
 */
export async function requirePeers(
  db: Reader,
  accountId: string,
  peerIds: readonly string[],
  pointer = '/peers',
): Promise<void> {
  if (peerIds.length === 0)
    throw new DomainError({ reason: 'transfers.peer', pointer, values: { problem: 'there is none' } })
  for (const [index, id] of peerIds.entries()) {
    const problem =
      peerIds.indexOf(id) < index ? `"${id}" is listed twice` : `"${id}" is not a peer of the account`
    const isKnown = (await findObject(db, accountId, 'peer', id)) !== undefined
    if (!isKnown || peerIds.indexOf(id) < index)
      throw new DomainError({ reason: 'transfers.peer', pointer: `${pointer}/${index}`, values: { problem } })
  }
}

const outgoingOp = (zoneId: string, before: Outgoing | null, after: Outgoing | null): ChangeOp =>
  changeOp(`outgoing_transfers.${verbOf(before, after)}`, zoneId, before, after, stateText)

const stateText = ({ peerIds, isEnabled }: Outgoing): string =>
  JSON.stringify({ peers: peerIds, enabled: isEnabled })
