// Which primaries a zone follows, and what becomes of what they say. How they are asked is the nameserver's affair.
import { encodeRdata, serialAfter, type Soa } from '@zonereeve/dns'
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError } from '../../platform/domain-error.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { appendChange, appendOps, type ChangeOp } from '../changes/index.ts'
import type { FollowedContents } from '../dns-records/index.ts'
import { demandZone, findZone, type Zone } from '../zones/index.ts'
import type { Announcements } from './announcements.ts'
import {
  authorityOf,
  deleteIncoming,
  findFollowed,
  findIncoming,
  saveFollowed,
  saveIncoming,
  type Followed,
  type Incoming,
} from './incoming.store.ts'
import { demandFitting, type TransferDefinition } from './outgoing.service.ts'
import { findObject } from './transfer-objects.store.ts'

export interface IncomingDefinition extends TransferDefinition {
  readonly autoRefreshSeconds: number
}

export interface ZoneIncoming {
  readonly zone: Zone
  readonly incoming: Incoming
  readonly followed: Followed
}

/** How it stands with a zone that follows a primary. */
export interface IncomingStatus extends ZoneIncoming {
  /** `waiting` for its first transfer; `expired`: not heard of for too long. Neither is answered. */
  readonly state: 'waiting' | 'current' | 'expired'
  readonly expiresAtMillis: number | undefined
}

/** What a primary has sent: all of it checked. */
export interface ReceivedZone {
  readonly soa: Soa
  readonly soaTtlSeconds: number
  /** The serial that it leads from; undefined: any. */
  readonly fromSerial: number | undefined
  readonly contents: FollowedContents
}

const MIN_REFRESH_SECONDS = 300
const MAX_REFRESH_SECONDS = 2_419_200

/** The last instant that there is: what follows nobody does not grow old. */
const UNENDING_MILLIS = 8_640_000_000_000_000

export interface IncomingDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly announcements: Announcements
  /** Makes the zone's records those of its primary. */
  readonly follow: (tx: Transaction, zone: Zone, contents: FollowedContents, serial: number) => Promise<Zone>
  /** Tells what the zone is served with from now on. */
  readonly announceServing: (tx: Transaction, zone: Zone) => Promise<void>
}

export type IncomingTransfers = ReturnType<typeof createIncomingTransfers>

export function createIncomingTransfers(deps: IncomingDeps) {
  const { storage, clock, announcements, follow, announceServing } = deps
  /** Problems that could not be stored, as where the disk is full: told until something of the zone is stored again. */
  const unstored = new Map<string, string>()
  return { get, status, create, update, remove, force, take, confirm, fail, expire }

  /** @throws DomainError: zone.unknown, incoming.unknown. */
  async function get(zoneId: string): Promise<ZoneIncoming> {
    const zone = await demandZone(storage, zoneId)
    const incoming = await demandIncoming(storage, zoneId)
    return { zone, incoming, followed: await findFollowed(storage, zoneId) }
  }

  /** @throws DomainError: zone.unknown, incoming.unknown. */
  async function status(zoneId: string): Promise<IncomingStatus> {
    const stored = await get(zoneId)
    const problem = unstored.get(zoneId) ?? stored.followed.problem
    const known = { ...stored, followed: { ...stored.followed, problem } }
    const expiresAtMillis = authorityOf(known.followed)?.expiresAtMillis
    if (expiresAtMillis === undefined) return { ...known, state: 'waiting', expiresAtMillis }
    return { ...known, state: clock.now() >= expiresAtMillis ? 'expired' : 'current', expiresAtMillis }
  }

  /**
   * Begins to follow.
   *
   * @throws DomainError: zone.unknown, incoming.not_secondary, incoming.exists, incoming.refresh, transfers.name,
   *   transfers.peer, incoming.peer_address.
   */
  function create(zoneId: string, definition: IncomingDefinition, actor: Actor): Promise<ZoneIncoming> {
    return storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      if (zone.type !== 'secondary')
        throw new DomainError({ reason: 'incoming.not_secondary', values: { type: zone.type } })
      if ((await findIncoming(tx, zoneId)) !== undefined)
        throw new DomainError({ reason: 'incoming.exists', values: { name: zone.name } })
      await demandPrimaries(tx, zone, definition)
      await beginAnew(tx, zoneId, clock.now())
      const { peerIds, autoRefreshSeconds } = definition
      const at = clock.timestamp()
      const incoming = { zoneId, peerIds, autoRefreshSeconds, createdOn: at, modifiedOn: at }
      return change(tx, zone, { before: null, after: incoming }, actor)
    })
  }

  /** @throws DomainError: as create, but incoming.unknown for incoming.exists. */
  function update(zoneId: string, definition: IncomingDefinition, actor: Actor): Promise<ZoneIncoming> {
    return storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      const before = await demandIncoming(tx, zoneId)
      await demandPrimaries(tx, zone, definition)
      const { peerIds, autoRefreshSeconds } = definition
      const after = { ...before, peerIds, autoRefreshSeconds, modifiedOn: clock.timestamp() }
      if (stateText(before) === stateText(after))
        return { zone, incoming: before, followed: await findFollowed(tx, zoneId) }
      return change(tx, zone, { before, after }, actor)
    })
  }

  /** Follows nobody any more; what there is stays as it is. @throws DomainError: zone.unknown, incoming.unknown. */
  function remove(zoneId: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      const before = await demandIncoming(tx, zoneId)
      await deleteIncoming(tx, zoneId)
      await setRefreshed(tx, zoneId, UNENDING_MILLIS)
      await log(tx, zone, changeOp(zoneId, before, null), actor)
      await announcements.announceIncoming(tx, zone, undefined)
      tx.onCommit(() => void unstored.delete(zoneId))
    })
  }

  /** Takes the whole zone anew, whatever its serial. @throws DomainError: zone.unknown, incoming.unknown. */
  function force(zoneId: string): Promise<void> {
    return storage.write(async (tx) => {
      await demandZone(tx, zoneId)
      await demandIncoming(tx, zoneId)
      tx.onCommit(() => announcements.publish({ kind: 'force_axfr', zoneId }))
    })
  }

  /**
   * Takes what a primary has sent, in one change set.
   *
   * @returns false where the zone is not any more what was asked about. @throws UnusableZone: nothing has changed.
   */
  function take(zoneId: string, received: ReceivedZone, isForced: boolean): Promise<boolean> {
    return storage.write(async (tx) => {
      const zone = await findZone(tx, zoneId)
      if (zone === undefined || (await findIncoming(tx, zoneId)) === undefined) return false
      const { soa, soaTtlSeconds, fromSerial, contents } = received
      const followed = await findFollowed(tx, zoneId)
      const isFirst = followed.soa === null
      if (fromSerial !== undefined && (isFirst || zone.serial !== fromSerial)) return false
      if (!isFirst && !isForced && !serialAfter(soa.serial, zone.serial)) return false
      const moved = await follow(tx, zone, contents, soa.serial)
      await saveFollowed(tx, {
        zoneId,
        soa: encodeRdata('SOA', soa),
        soaTtlSeconds,
        checkedOn: clock.timestamp(),
        refreshedAtMillis: clock.now(),
        transferredOn: clock.timestamp(),
        primarySerial: soa.serial,
        problem: null,
      })
      await announceServing(tx, moved)
      tx.onCommit(() => void unstored.delete(zoneId))
      return true
    })
  }

  /** A primary has said that the zone is as it is here. The log has none of it: nothing of the zone has changed. */
  function confirm(zoneId: string): Promise<void> {
    return storage.write(async (tx) => {
      const zone = await findZone(tx, zoneId)
      if (zone === undefined) return
      const followed = await findFollowed(tx, zoneId)
      await saveFollowed(tx, {
        ...followed,
        checkedOn: clock.timestamp(),
        refreshedAtMillis: clock.now(),
        primarySerial: zone.serial,
        problem: null,
      })
      // Walks the whole zone: only where it was not answered any more.
      const expiredAtMillis = authorityOf(followed)?.expiresAtMillis ?? Infinity
      if (clock.now() >= expiredAtMillis) await announceServing(tx, zone)
      tx.onCommit(() => void unstored.delete(zoneId))
    })
  }

  /** Keeps why an attempt came to nothing, and what serial the primary named. */
  async function fail(zoneId: string, problem: string, serial: number | undefined): Promise<void> {
    unstored.set(zoneId, problem)
    await storage.write(async (tx) => {
      if ((await findZone(tx, zoneId)) === undefined) return
      const followed = await findFollowed(tx, zoneId)
      const primarySerial = serial ?? followed.primarySerial
      await saveFollowed(tx, { ...followed, checkedOn: clock.timestamp(), primarySerial, problem })
    })
    unstored.delete(zoneId)
  }

  /** The time is up: what the zone is served with says so by itself. */
  function expire(zoneId: string): Promise<void> {
    return storage.write(async (tx) => {
      const zone = await findZone(tx, zoneId)
      if (zone !== undefined) await announceServing(tx, zone)
    })
  }

  async function change(
    tx: Transaction,
    zone: Zone,
    { before, after }: { readonly before: Incoming | null; readonly after: Incoming },
    actor: Actor,
  ): Promise<ZoneIncoming> {
    await saveIncoming(tx, after)
    await log(tx, zone, changeOp(zone.id, before, after), actor)
    await announcements.announceIncoming(tx, zone, after)
    return { zone, incoming: after, followed: await findFollowed(tx, zone.id) }
  }

  async function log(tx: Transaction, zone: Zone, op: ChangeOp, actor: Actor): Promise<void> {
    await appendChange(tx, { scopeId: zone.id, at: clock.timestamp(), actor, serial: null, ops: [op] })
  }
}

/** Removes what a zone that is deleted follows, writing it to the change set at `position`. */
export async function removeIncoming(tx: Transaction, zoneId: string, position: number): Promise<boolean> {
  const before = await findIncoming(tx, zoneId)
  if (before === undefined) return false
  await deleteIncoming(tx, zoneId)
  await appendOps(tx, position, [changeOp(zoneId, before, null)])
  return true
}

/** What there is grows old from now on, and these primaries have not been asked yet. */
async function beginAnew(tx: Transaction, zoneId: string, nowMillis: number): Promise<void> {
  const followed = await findFollowed(tx, zoneId)
  if (followed.soa === null && followed.checkedOn === null) return
  const refreshedAtMillis = followed.soa === null ? null : nowMillis
  await saveFollowed(tx, { ...followed, refreshedAtMillis, checkedOn: null, problem: null })
}

/** Moves the time from which on what there is grows old; nothing where there is nothing. */
async function setRefreshed(tx: Transaction, zoneId: string, refreshedAtMillis: number): Promise<void> {
  const followed = await findFollowed(tx, zoneId)
  if (followed.soa !== null) await saveFollowed(tx, { ...followed, refreshedAtMillis })
}

async function demandIncoming(db: Reader, zoneId: string): Promise<Incoming> {
  const incoming = await findIncoming(db, zoneId)
  if (incoming === undefined) throw new DomainError({ reason: 'incoming.unknown' })
  return incoming
}

/** @throws DomainError: incoming.refresh, transfers.name, transfers.peer, incoming.peer_address. */
async function demandPrimaries(db: Reader, zone: Zone, definition: IncomingDefinition): Promise<void> {
  const { autoRefreshSeconds: seconds, peerIds } = definition
  if (!Number.isInteger(seconds) || seconds < MIN_REFRESH_SECONDS || seconds > MAX_REFRESH_SECONDS)
    throw new DomainError({ reason: 'incoming.refresh', pointer: '/auto_refresh_seconds' })
  await demandFitting(db, zone, definition)
  for (const [index, id] of peerIds.entries()) {
    const peer = await findObject(db, zone.accountId, 'peer', id)
    if (peer?.ip === null)
      throw new DomainError({ reason: 'incoming.peer_address', pointer: `/peers/${index}`, values: { id } })
  }
}

const stateText = ({ peerIds, autoRefreshSeconds }: Incoming): string =>
  JSON.stringify({ peers: peerIds, auto_refresh_seconds: autoRefreshSeconds })

function changeOp(zoneId: string, before: Incoming | null, after: Incoming | null): ChangeOp {
  const text = (state: Incoming | null) => state && stateText(state)
  const verb = before === null ? 'create' : after === null ? 'delete' : 'update'
  return { kind: `incoming_transfers.${verb}`, objectId: zoneId, before: text(before), after: text(after) }
}
