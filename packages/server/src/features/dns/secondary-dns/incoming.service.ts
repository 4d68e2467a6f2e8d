// The primaries of secondary zones, and what is done with their transfers. The nameserver does the querying.
import { compareOctets, encodeRdata, type Name, serialAfter, type Soa } from '@zonereeve/dns'
import { type Actor, type Clock, DomainError, SYSTEM } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, beginChangeSet, changeOp, localEvent, verbOf, type ChangeOp } from '../../changes/index.ts'
import type { SecondaryContents } from '../dns-records/index.ts'
import { requireZone, findZone, type Zone } from '../../zones/index.ts'
import {
  authorityOf,
  deleteIncoming,
  findSecondary,
  findIncoming,
  saveSecondary,
  saveIncoming,
  type SecondaryState,
  type Incoming,
} from './incoming.store.ts'
import { requireNoCatalog } from './catalog-members.service.ts'
import { findMember } from './secondary-catalogs.store.ts'
import { requireName, requirePeers, type TransferDefinition } from './outgoing.service.ts'
import { findObject } from './transfer-objects.store.ts'

export interface IncomingDefinition extends TransferDefinition {
  readonly autoRefreshSeconds: number
}

export interface ZoneIncoming {
  readonly zone: Zone
  readonly incoming: Incoming
  readonly secondary: SecondaryState
}

/** How far the transfers of a secondary zone are, with problems that could not be stored. */
export interface TransferState {
  readonly secondary: SecondaryState
  /**
   * `waiting` for its first transfer; `expired`: too long without its primary. In both states the zone is not
   * answered.
   */
  readonly state: 'waiting' | 'current' | 'expired'
  readonly expiresAtMillis: number | undefined
}

export interface IncomingStatus extends ZoneIncoming, TransferState {
  /** Undefined if the primary sent no digest by which the zone was verified. */
  readonly verifiedSerial: number | undefined
  /** The catalog zone that created the zone. */
  readonly catalog: Name | undefined
}

/** A checked transfer from a primary. */
export interface ReceivedZone {
  readonly soa: Soa
  readonly soaTtlSeconds: number
  /** The serial that a difference starts from; undefined for a whole zone. */
  readonly fromSerial: number | undefined
  readonly contents: SecondaryContents
}

const MIN_REFRESH_SECONDS = 300
const MAX_REFRESH_SECONDS = 2_419_200

/** The last representable time: a zone without a primary does not expire. */
const UNENDING_MILLIS = 8_640_000_000_000_000

export interface IncomingDeps {
  readonly storage: Storage
  readonly clock: Clock
  /** Makes the zone's records those of its primary. */
  readonly follow: (tx: Transaction, zone: Zone, contents: SecondaryContents, serial: number) => Promise<Zone>
  /** Serial of a zone that was verified by its primary's digest. */
  readonly verifiedSerial: (zoneId: string) => number | undefined
}

export type IncomingTransfers = ReturnType<typeof createIncomingTransfers>

export function createIncomingTransfers(deps: IncomingDeps) {
  const { storage, clock, follow, verifiedSerial } = deps
  /**
   * Problems that could not be stored, for example on a full disk: reported until something of the zone is stored
   * again.
   */
  const unstored = new Map<string, string>()
  return { get, status, stateOf, create, update, setPrimaries, remove, force, take, confirm, fail, expire }

  /** @throws DomainError: zone.unknown, incoming.unknown. */
  async function get(zoneId: string): Promise<ZoneIncoming> {
    const zone = await requireZone(storage, zoneId)
    const incoming = await requireIncoming(storage, zoneId)
    return { zone, incoming, secondary: await findSecondary(storage, zoneId) }
  }

  /** @throws DomainError: zone.unknown, incoming.unknown. */
  async function status(zoneId: string): Promise<IncomingStatus> {
    const stored = await get(zoneId)
    const catalog = (await findMember(storage, zoneId))?.catalog
    return { ...stored, ...stateOf(stored.secondary), verifiedSerial: verifiedSerial(zoneId), catalog }
  }

  function stateOf(stored: SecondaryState): TransferState {
    const problem = unstored.get(stored.zoneId) ?? stored.problem
    const secondary = { ...stored, problem }
    const expiresAtMillis = authorityOf(stored)?.expiresAtMillis
    if (expiresAtMillis === undefined) return { secondary, state: 'waiting', expiresAtMillis }
    return { secondary, state: clock.now() >= expiresAtMillis ? 'expired' : 'current', expiresAtMillis }
  }

  /**
   * Configures primaries.
   *
   * @throws DomainError: zone.unknown, incoming.not_secondary, incoming.exists, incoming.refresh, transfers.name,
   * transfers.peer, incoming.peer_address.
   */
  function create(zoneId: string, definition: IncomingDefinition, actor: Actor): Promise<ZoneIncoming> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      if (zone.type !== 'secondary')
        throw new DomainError({ reason: 'incoming.not_secondary', values: { type: zone.type } })
      if ((await findIncoming(tx, zoneId)) !== undefined)
        throw new DomainError({ reason: 'incoming.exists', values: { name: zone.name } })
      await requirePrimaries(tx, zone, definition)
      return setPrimaries(tx, zone, definition, actor)
    })
  }

  /** @throws DomainError: as create, but incoming.unknown for incoming.exists; zone.catalog_member. */
  function update(zoneId: string, definition: IncomingDefinition, actor: Actor): Promise<ZoneIncoming> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      const before = await requireIncoming(tx, zoneId)
      await requirePrimaries(tx, zone, definition)
      if (stateText(before) === stateText({ ...before, ...definition }))
        return { zone, incoming: before, secondary: await findSecondary(tx, zoneId) }
      await requireNoCatalog(tx, zone)
      return setPrimaries(tx, zone, definition, actor)
    })
  }

  /** Creates or replaces the primaries, which are valid. */
  async function setPrimaries(
    tx: Transaction,
    zone: Zone,
    { peerIds, autoRefreshSeconds }: Omit<IncomingDefinition, 'name'>,
    actor: Actor,
  ): Promise<ZoneIncoming> {
    const before = (await findIncoming(tx, zone.id)) ?? null
    if (before === null) await beginAnew(tx, zone.id, clock.now())
    const at = clock.timestamp()
    const after: Incoming = {
      zoneId: zone.id,
      peerIds,
      autoRefreshSeconds,
      createdOn: before?.createdOn ?? at,
      modifiedOn: at,
    }
    await saveIncoming(tx, after)
    await append(tx, { scopeId: zone.id, actor }, [incomingOp(zone.id, before, after)])
    return { zone, incoming: after, secondary: await findSecondary(tx, zone.id) }
  }

  /**
   * Removes the primaries; the records stay as they are.
   *
   * @throws DomainError: zone.unknown, incoming.unknown, zone.catalog_member.
   */
  function remove(zoneId: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      const before = await requireIncoming(tx, zoneId)
      await requireNoCatalog(tx, zone)
      await deleteIncoming(tx, zoneId)
      await setRefreshed(tx, zoneId, UNENDING_MILLIS)
      await append(tx, { scopeId: zoneId, actor }, [incomingOp(zoneId, before, null)])
      tx.onCommit(() => void unstored.delete(zoneId))
    })
  }

  /** Transfers the whole zone again, whatever its serial. @throws DomainError: zone.unknown, incoming.unknown. */
  function force(zoneId: string): Promise<void> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      await requireIncoming(tx, zoneId)
      tx.publish(() => [localEvent('transfers', zoneId, 'incoming_transfers.force')])
    })
  }

  /**
   * Stores a transfer, in one change set.
   *
   * @returns false if the zone has changed since the transfer started. @throws UnusableZone: nothing has changed.
   */
  function take(zoneId: string, received: ReceivedZone, isForced: boolean): Promise<boolean> {
    return storage.write(async (tx) => {
      const zone = await findZone(tx, zoneId)
      if (zone === undefined || (await findIncoming(tx, zoneId)) === undefined) return false
      const { soa, soaTtlSeconds, fromSerial, contents } = received
      const secondary = await findSecondary(tx, zoneId)
      const isFirst = secondary.soa === null
      if (fromSerial !== undefined && (isFirst || zone.serial !== fromSerial)) return false
      if (!isFirst && !isForced && !serialAfter(soa.serial, zone.serial)) return false
      const moved = await follow(tx, zone, contents, soa.serial)
      const rdata = encodeRdata('SOA', soa)
      // Other nodes learn of another SOA with the same serial and records only by the log.
      if (moved === zone && !isSameSoa(secondary, rdata, soaTtlSeconds))
        await beginChangeSet(tx, { scopeId: zoneId, actor: SYSTEM, serial: soa.serial })
      await saveSecondary(tx, {
        zoneId,
        soa: rdata,
        soaTtlSeconds,
        checkedOn: clock.timestamp(),
        refreshedAtMillis: clock.now(),
        transferredOn: clock.timestamp(),
        primarySerial: soa.serial,
        problem: null,
      })
      refresh(tx, zoneId)
      tx.onCommit(() => void unstored.delete(zoneId))
      return true
    })
  }

  /** Stores that a primary has the same serial. This is not logged: the zone has not changed. */
  function confirm(zoneId: string): Promise<void> {
    return storage.write(async (tx) => {
      const zone = await findZone(tx, zoneId)
      if (zone === undefined) return
      const secondary = await findSecondary(tx, zoneId)
      await saveSecondary(tx, {
        ...secondary,
        checkedOn: clock.timestamp(),
        refreshedAtMillis: clock.now(),
        primarySerial: zone.serial,
        problem: null,
      })
      // Reloading walks the whole zone: only done if it had expired.
      const expiredAtMillis = authorityOf(secondary)?.expiresAtMillis ?? Infinity
      if (clock.now() >= expiredAtMillis) refresh(tx, zoneId)
      tx.onCommit(() => void unstored.delete(zoneId))
    })
  }

  /** Stores why an attempt failed, and the primary's serial. */
  async function fail(zoneId: string, problem: string, serial: number | undefined): Promise<void> {
    unstored.set(zoneId, problem)
    await storage.write(async (tx) => {
      if ((await findZone(tx, zoneId)) === undefined) return
      const secondary = await findSecondary(tx, zoneId)
      const primarySerial = serial ?? secondary.primarySerial
      await saveSecondary(tx, { ...secondary, checkedOn: clock.timestamp(), primarySerial, problem })
    })
    unstored.delete(zoneId)
  }

  /** Publishes the expiry: the stored times say that the zone has expired. */
  function expire(zoneId: string): Promise<void> {
    return storage.write(async (tx) => {
      const zone = await findZone(tx, zoneId)
      if (zone !== undefined) refresh(tx, zoneId)
    })
  }
}

export async function incomingDeletion(db: Reader, zoneId: string): Promise<readonly ChangeOp[]> {
  const before = await findIncoming(db, zoneId)
  return before === undefined ? [] : [incomingOp(zoneId, before, null)]
}

const isSameSoa = (before: SecondaryState, rdata: Uint8Array, ttlSeconds: number): boolean =>
  before.soa !== null && before.soaTtlSeconds === ttlSeconds && compareOctets(before.soa, rdata) === 0

/** Publishes the zone with its primary's times, which are not in the log. */
function refresh(tx: Transaction, zoneId: string): void {
  tx.publish(() => [localEvent('zone', zoneId, 'zone.refresh')])
}

/** Restarts the expiry of the current contents; the new primaries have not been queried yet. */
async function beginAnew(tx: Transaction, zoneId: string, nowMillis: number): Promise<void> {
  const secondary = await findSecondary(tx, zoneId)
  if (secondary.soa === null && secondary.checkedOn === null) return
  const refreshedAtMillis = secondary.soa === null ? null : nowMillis
  await saveSecondary(tx, { ...secondary, refreshedAtMillis, checkedOn: null, problem: null })
}

/** Sets the time from which the contents age; does nothing if there are none. */
async function setRefreshed(tx: Transaction, zoneId: string, refreshedAtMillis: number): Promise<void> {
  const secondary = await findSecondary(tx, zoneId)
  if (secondary.soa !== null) await saveSecondary(tx, { ...secondary, refreshedAtMillis })
}

async function requireIncoming(db: Reader, zoneId: string): Promise<Incoming> {
  const incoming = await findIncoming(db, zoneId)
  if (incoming === undefined) throw new DomainError({ reason: 'incoming.unknown' })
  return incoming
}

/** @throws DomainError: incoming.refresh, transfers.name, transfers.peer, incoming.peer_address. */
async function requirePrimaries(db: Reader, zone: Zone, definition: IncomingDefinition): Promise<void> {
  requireRefresh(definition.autoRefreshSeconds)
  requireName(zone, definition)
  await requirePrimaryPeers(db, zone.accountId, definition.peerIds)
}

/** @throws DomainError: incoming.refresh. */
export function requireRefresh(seconds: number): void {
  if (!Number.isInteger(seconds) || seconds < MIN_REFRESH_SECONDS || seconds > MAX_REFRESH_SECONDS)
    throw new DomainError({ reason: 'incoming.refresh', pointer: '/auto_refresh_seconds' })
}

/**
 * @param pointer the list in the body.
 * @throws DomainError: transfers.peer, incoming.peer_address.
 */
export async function requirePrimaryPeers(
  db: Reader,
  accountId: string,
  peerIds: readonly string[],
  pointer = '/peers',
): Promise<void> {
  await requirePeers(db, accountId, peerIds, pointer)
  for (const [index, id] of peerIds.entries()) {
    const peer = await findObject(db, accountId, 'peer', id)
    if (peer?.ip === null)
      throw new DomainError({
        reason: 'incoming.peer_address',
        pointer: `${pointer}/${index}`,
        values: { id },
      })
  }
}

const stateText = ({ peerIds, autoRefreshSeconds }: Incoming): string =>
  JSON.stringify({ peers: peerIds, auto_refresh_seconds: autoRefreshSeconds })

const incomingOp = (zoneId: string, before: Incoming | null, after: Incoming | null): ChangeOp =>
  changeOp(`incoming_transfers.${verbOf(before, after)}`, zoneId, before, after, stateText)
