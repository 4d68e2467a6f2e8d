// Which zones other nameservers get. What they get is the zone as it is answered; how, is the nameserver's affair.
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError } from '../../platform/domain-error.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { appendChange, appendOps, type ChangeOp } from '../changes/index.ts'
import { demandZone, toAscii, type Zone } from '../zones/index.ts'
import type { Announcements } from './announcements.ts'
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

/** When something last happened; later than what is stored. */
export interface LastSeen {
  readonly checkedOn: string | null
  readonly transferredOn: string | null
}

export interface OutgoingDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly announcements: Announcements
  /** Changes whether a zone is in its account's catalog zone. */
  readonly setCatalogMember: (tx: Transaction, zone: Zone, isMember: boolean, actor: Actor) => Promise<void>
  /** What the nameserver has seen of a zone since the start. */
  readonly lastSeen: (zoneId: string) => LastSeen
}

export function createOutgoingTransfers(deps: OutgoingDeps) {
  const { storage, clock, announcements, setCatalogMember, lastSeen } = deps
  return { get, create, update, remove, switchTo, isEnabled, forceNotify, saveAllSeen }

  /** @throws DomainError: zone.unknown, outgoing.unknown. */
  async function get(zoneId: string): Promise<ZoneOutgoing> {
    const zone = await demandZone(storage, zoneId)
    const outgoing = await demandOutgoing(storage, zoneId)
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
      const zone = await demandZone(tx, zoneId)
      if ((await findOutgoing(tx, zoneId)) !== undefined)
        throw new DomainError({ reason: 'outgoing.exists', values: { name: zone.name } })
      await demandFitting(tx, zone, definition)
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
      const zone = await demandZone(tx, zoneId)
      const before = await demandOutgoing(tx, zoneId)
      await demandFitting(tx, zone, definition)
      const after = { ...before, peerIds: definition.peerIds }
      if (after.peerIds.join() !== before.peerIds.join()) await change(tx, zone, { before, after }, actor)
      return { zone, outgoing: after }
    })
  }

  /** @throws DomainError: zone.unknown, outgoing.unknown. */
  function remove(zoneId: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      const before = await demandOutgoing(tx, zoneId)
      await change(tx, zone, { before, after: null }, actor)
    })
  }

  /** Enables or disables. @throws DomainError: zone.unknown, outgoing.unknown. */
  function switchTo(zoneId: string, isOn: boolean, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      const before = await demandOutgoing(tx, zoneId)
      if (before.isEnabled !== isOn)
        await change(tx, zone, { before, after: { ...before, isEnabled: isOn } }, actor)
    })
  }

  /** @throws DomainError: zone.unknown, outgoing.unknown. */
  async function isEnabled(zoneId: string): Promise<boolean> {
    return (await get(zoneId)).outgoing.isEnabled
  }

  /** @throws DomainError: zone.unknown, outgoing.unknown, outgoing.disabled. */
  function forceNotify(zoneId: string): Promise<void> {
    return storage.write(async (tx) => {
      await demandZone(tx, zoneId)
      if (!(await demandOutgoing(tx, zoneId)).isEnabled)
        throw new DomainError({ reason: 'outgoing.disabled' })
      tx.onCommit(() => announcements.publish({ kind: 'notify', zoneId }))
    })
  }

  /** Keeps what the nameserver has seen of zones. It is no change of theirs: the log has none of it. */
  function saveAllSeen(seen: ReadonlyMap<string, LastSeen>): Promise<void> {
    return storage.write(async (tx) => {
      for (const [zoneId, last] of seen) await saveSeen(tx, zoneId, last)
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
    const ops = [changeOp(zone.id, before, after)]
    await appendChange(tx, { scopeId: zone.id, at: clock.timestamp(), actor, serial: null, ops })
    await announcements.announceZone(tx, zone, after ?? undefined)
    const [was, is] = [before?.isEnabled ?? false, after?.isEnabled ?? false]
    if (was !== is) await setCatalogMember(tx, zone, is, actor)
    if (is) tx.onCommit(() => announcements.publish({ kind: 'notify', zoneId: zone.id }))
  }
}

/** Removes what a zone has, writing it to the change set at `position`. @returns whether it was enabled. */
export async function removeOutgoing(tx: Transaction, zoneId: string, position: number): Promise<boolean> {
  const before = await findOutgoing(tx, zoneId)
  if (before === undefined) return false
  await deleteOutgoing(tx, zoneId)
  await appendOps(tx, position, [changeOp(zoneId, before, null)])
  return before.isEnabled
}

async function demandOutgoing(db: Reader, zoneId: string): Promise<Outgoing> {
  const outgoing = await findOutgoing(db, zoneId)
  if (outgoing === undefined) throw new DomainError({ reason: 'outgoing.unknown' })
  return outgoing
}

/** @throws DomainError: transfers.name, transfers.peer. */
export async function demandFitting(
  db: Reader,
  zone: Zone,
  { name, peerIds }: TransferDefinition,
): Promise<void> {
  if (toAscii(name).toLowerCase().replace(/\.$/, '') !== zone.name)
    throw new DomainError({ reason: 'transfers.name', pointer: '/name', values: { name: zone.name } })
  await demandPeers(db, zone.accountId, peerIds)
}

/** @throws DomainError: transfers.peer. */
export async function demandPeers(db: Reader, accountId: string, peerIds: readonly string[]): Promise<void> {
  if (peerIds.length === 0)
    throw new DomainError({
      reason: 'transfers.peer',
      pointer: '/peers',
      values: { problem: 'there is none' },
    })
  for (const [index, id] of peerIds.entries()) {
    const problem =
      peerIds.indexOf(id) < index ? `"${id}" is there twice` : `"${id}" is no peer of the account`
    const isKnown = (await findObject(db, accountId, 'peer', id)) !== undefined
    if (!isKnown || peerIds.indexOf(id) < index)
      throw new DomainError({ reason: 'transfers.peer', pointer: `/peers/${index}`, values: { problem } })
  }
}

function changeOp(zoneId: string, before: Outgoing | null, after: Outgoing | null): ChangeOp {
  const text = (state: Outgoing | null) =>
    state && JSON.stringify({ peers: state.peerIds, enabled: state.isEnabled })
  const verb = before === null ? 'create' : after === null ? 'delete' : 'update'
  return { kind: `outgoing_transfers.${verb}`, objectId: zoneId, before: text(before), after: text(after) }
}
