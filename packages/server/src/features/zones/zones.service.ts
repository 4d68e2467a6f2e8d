// Zones: created with their SOA and NS, activated by their first address, deleted with all that is in them.
import { nextSerial, type Name } from '@zonereeve/dns'
import { SYSTEM, type Actor } from '../../platform/actor.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError, refuse, type Notice } from '../../platform/domain-error.ts'
import { demandMatch, etagOf, type Expected } from '../../platform/etag.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { allAccountIds, findAccount } from '../accounts/index.ts'
import { appendChange, type ChangeOp } from '../changes/index.ts'
import type { ServingSettings } from './serving-settings.ts'
import {
  firstSerial,
  readVanityNameServers,
  readZoneName,
  statusAfter,
  USUAL_PLAN,
  type Plan,
  type ZoneType,
} from './zones.rules.ts'
import {
  deleteZone,
  findZone,
  findZoneByName,
  findZoneInAccount,
  insertZone,
  lastSerialOf,
  listZones,
  updateZone,
  type Zone,
  type ZoneInAccount,
  type ZoneQuery,
} from './zones.store.ts'

/** Told after commit, in the order of commits. */
export type ZoneEvent =
  | { readonly kind: 'created'; readonly zone: Zone; readonly settings: ServingSettings }
  | { readonly kind: 'changed'; readonly zone: Zone }
  /** What the zone is served with is another; its serial has moved. */
  | { readonly kind: 'settings'; readonly zone: Zone; readonly settings: ServingSettings }
  /** Its serial has moved, and nothing that is stored with it. */
  | { readonly kind: 'stepped'; readonly zone: Zone }
  | { readonly kind: 'deleted'; readonly zoneId: string }

export interface ZoneDefinition {
  readonly name: string
  readonly accountId?: string | undefined
  readonly type?: ZoneType | undefined
  readonly plan?: Plan | undefined
  readonly vanityNameServers?: readonly string[]
}

export interface ZoneEdit {
  /** The one it has. */
  readonly type?: ZoneType
  readonly paused?: boolean
  readonly plan?: Plan
  readonly vanityNameServers?: readonly string[]
}

export interface ZonesDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  /** Host names that a new zone is delegated to. */
  readonly nameServers: readonly string[]
  readonly publish: (event: ZoneEvent) => void
  /** Whether something that is no zone of a user answers to the name. */
  readonly isNameTaken: (db: Reader, name: Name) => Promise<boolean>
  /** Gives a new zone what it takes from its account. @returns what that adds to its first change set. */
  readonly adopt: (tx: Transaction, zone: Zone) => Promise<readonly ChangeOp[]>
  readonly servingSettings: (db: Reader, zone: Zone) => Promise<ServingSettings>
  /** Removes what other features keep for a zone, writing it to the change set at `position`. */
  readonly clear: (tx: Transaction, zoneId: string, position: number) => Promise<void>
}

const MAY_CREATE = ['Zone Write']
const MAY_READ = ['Zone Read', 'Zone Write']

export type Zones = ReturnType<typeof createZones>

export function createZones(deps: ZonesDeps) {
  const { storage, clock, ids, nameServers, publish, isNameTaken, adopt, servingSettings, clear } = deps
  return {
    list,
    get,
    accountOf,
    create,
    edit,
    settingsChanged,
    announceServing,
    step,
    remove,
    checkActivation,
  }

  function list(caller: Caller, wanted: ZoneQuery) {
    return listZones(storage, caller.reach(MAY_READ, 'zone'), wanted)
  }

  /** @throws DomainError: zone.unknown. */
  function get(id: string): Promise<ZoneInAccount> {
    return demandWithAccount(storage, id)
  }

  async function accountOf(id: string): Promise<string | undefined> {
    return (await findZone(storage, id))?.accountId
  }

  /** @throws DomainError: zone.name, zone.vanity_name_servers, zone.exists, zone.account, auth.zone_create. */
  async function create(definition: ZoneDefinition, caller: Caller, actor: Actor): Promise<ZoneInAccount> {
    const named = readZoneName(definition.name)
    if ('reason' in named) throw new DomainError(named)
    const vanity = readVanityNameServers(definition.vanityNameServers ?? [], named.name)
    refuse(vanity.issues)
    if (definition.type === 'secondary' && vanity.names.length > 0)
      throw new DomainError({
        reason: 'zone.follows',
        pointer: '/vanity_name_servers',
        values: { name: named.displayName },
      })
    const accountId = await chooseAccount(definition.accountId, caller)
    const at = clock.timestamp()
    const drafted: Zone = {
      id: ids.id(),
      accountId,
      ...named,
      status: 'pending',
      paused: false,
      type: definition.type ?? 'full',
      plan: definition.plan ?? USUAL_PLAN,
      nameServers,
      vanityNameServers: vanity.names,
      serial: 0, // chosen in the transaction
      recordCount: 0,
      addressCount: 0,
      createdOn: at,
      modifiedOn: at,
      activatedOn: null,
    }
    return storage.write(async (tx) => {
      if ((await findZoneByName(tx, drafted.name)) !== undefined || (await isNameTaken(tx, drafted.name))) {
        const values = { name: drafted.displayName }
        throw new DomainError({ reason: 'zone.exists', pointer: '/name', values })
      }
      const zone = { ...drafted, serial: firstSerial(clock.now(), await lastSerialOf(tx, drafted.name)) }
      await insertZone(tx, zone)
      const adopted = await adopt(tx, zone)
      await record(tx, zone, actor, { kind: 'zone.create', before: null, after: zone }, adopted)
      const settings = await servingSettings(tx, zone)
      tx.onCommit(() => publish({ kind: 'created', zone, settings }))
      return demandWithAccount(tx, zone.id)
    })
  }

  async function chooseAccount(wanted: string | undefined, caller: Caller): Promise<string> {
    const candidates =
      wanted === undefined
        ? await allAccountIds(storage)
        : [(await findAccount(storage, wanted))?.id].filter((id) => id !== undefined)
    const allowed = candidates.filter((accountId) => mayCreateIn(caller, accountId))
    const [accountId] = allowed
    if (accountId !== undefined && (wanted !== undefined || allowed.length === 1)) return accountId
    const issue = { pointer: '/account/id' } as const
    const namesNothing = wanted === undefined ? allowed.length > 1 : mayCreateIn(caller, wanted)
    if (namesNothing) throw new DomainError({ reason: 'zone.account', ...issue })
    throw new DomainError({ reason: 'auth.zone_create', ...issue }, [
      {
        notice: 'auth.missing_permission',
        values: { groups: MAY_CREATE.join(' or '), resource: `all zones of account ${wanted ?? '(any)'}` },
      },
    ])
  }

  /**
   * Other name servers move the serial.
   *
   * @throws DomainError: zone.unknown, zone.type_change, zone.vanity_name_servers, zone.follows.
   */
  function edit(id: string, changes: ZoneEdit, actor: Actor, expected?: Expected): Promise<ZoneInAccount> {
    return storage.write(async (tx) => {
      const before = await demandZone(tx, id)
      demandUnchanged(before, expected)
      demandPossible(before, changes)
      const wanted: Zone = { ...before, ...changes, vanityNameServers: vanityAfter(before, changes) }
      if (JSON.stringify(wanted) === JSON.stringify(before)) return demandWithAccount(tx, id)
      const isMoved = wanted.vanityNameServers.join() !== before.vanityNameServers.join()
      const serial = isMoved ? nextSerial(before.serial) : before.serial
      const after: Zone = { ...wanted, serial, modifiedOn: clock.timestamp() }
      await updateZone(tx, after)
      await record(tx, after, actor, { kind: 'zone.update', before, after })
      tx.onCommit(() => publish({ kind: 'changed', zone: after }))
      if (isMoved) await announceServing(tx, after)
      return demandWithAccount(tx, id)
    })
  }

  /**
   * For settings that answers depend on: one change set of the zone, and its serial moves with it.
   *
   * @param settings what the zone is served with from now on, where the caller knows it.
   * @throws DomainError: zone.follows.
   */
  async function settingsChanged(
    tx: Transaction,
    zone: Zone,
    op: ChangeOp,
    actor: Actor,
    settings?: ServingSettings,
  ): Promise<void> {
    demandOwn(zone)
    const at = clock.timestamp()
    const moved = await advanceZone(tx, zone, { records: 0, addresses: 0 }, at)
    await appendChange(tx, { scopeId: zone.id, at, actor, serial: moved.serial, ops: [op] })
    await announceServing(tx, moved, settings)
  }

  /** Moves a zone's serial because what it is answered with has changed elsewhere; nothing where there is no such zone. */
  function step(id: string): Promise<void> {
    return storage.write(async (tx) => {
      const before = await findZone(tx, id)
      // What a primary elsewhere has numbered is not numbered anew.
      if (before === undefined || before.type === 'secondary') return
      const at = clock.timestamp()
      const zone = await advanceZone(tx, before, { records: 0, addresses: 0 }, at)
      const op = { kind: 'zone.answers', objectId: id, before: null, after: null }
      await appendChange(tx, { scopeId: id, at, actor: SYSTEM, serial: zone.serial, ops: [op] })
      tx.onCommit(() => publish({ kind: 'stepped', zone }))
    })
  }

  /** Tells what the zone is served with from now on. */
  async function announceServing(tx: Transaction, zone: Zone, known?: ServingSettings): Promise<void> {
    const settings = known ?? (await servingSettings(tx, zone))
    tx.onCommit(() => publish({ kind: 'settings', zone, settings }))
  }

  /** @throws DomainError: zone.unknown. */
  function remove(id: string, actor: Actor, expected?: Expected): Promise<void> {
    return storage.write(async (tx) => {
      const before = await demandZone(tx, id)
      demandUnchanged(before, expected)
      const position = await record(tx, before, actor, { kind: 'zone.delete', before, after: null })
      await clear(tx, id, position)
      await deleteZone(tx, before)
      tx.onCommit(() => publish({ kind: 'deleted', zoneId: id }))
    })
  }

  /** Activates the zone if it has an address; says so if it has none. @throws DomainError: zone.unknown. */
  function checkActivation(id: string, actor: Actor): Promise<readonly Notice[]> {
    return storage.write(async (tx) => {
      const before = await demandZone(tx, id)
      const status = statusAfter(before.status, before.addressCount)
      if (status !== before.status) {
        const at = clock.timestamp()
        const after: Zone = { ...before, status, activatedOn: at, modifiedOn: at }
        await updateZone(tx, after)
        await record(tx, after, actor, { kind: 'zone.activate', before, after })
      }
      return addressNotices(before)
    })
  }

  /** @returns the place of the change set in the log. */
  function record(
    tx: Transaction,
    zone: Zone,
    actor: Actor,
    { kind, before, after }: { kind: string; before: Zone | null; after: Zone | null },
    more: readonly ChangeOp[] = [],
  ): Promise<number> {
    const text = (state: Zone | null) => state && JSON.stringify(state)
    const ops = [{ kind, objectId: zone.id, before: text(before), after: text(after) }, ...more]
    return appendChange(tx, { scopeId: zone.id, at: clock.timestamp(), actor, serial: zone.serial, ops })
  }
}

/** @throws DomainError: zone.type_change; zone.follows, for name servers, which a primary elsewhere chooses. */
function demandPossible(zone: Zone, { type, vanityNameServers = [] }: ZoneEdit): void {
  if (type !== undefined && type !== zone.type)
    throw new DomainError({ reason: 'zone.type_change', pointer: '/type', values: { type: zone.type } })
  if (vanityNameServers.length > 0) demandOwn(zone, '/vanity_name_servers')
}

/** For what a primary decides. @throws DomainError: zone.follows, for a secondary zone. */
export function demandOwn(zone: Zone, pointer?: string): void {
  if (zone.type !== 'secondary') return
  const at = pointer === undefined ? {} : { pointer }
  throw new DomainError({ reason: 'zone.follows', ...at, values: { name: zone.displayName } })
}

/** Creating needs the right to write all zones of the account: the new one has no id yet that a policy could name. */
const mayCreateIn = (caller: Caller, accountId: string): boolean =>
  caller.can(MAY_CREATE, { kind: 'zone', zoneId: '', accountId })

/** @throws DomainError: zone.vanity_name_servers. */
function vanityAfter(zone: Zone, { vanityNameServers }: ZoneEdit): readonly string[] {
  if (vanityNameServers === undefined) return zone.vanityNameServers
  const { names, issues } = readVanityNameServers(vanityNameServers, zone.name)
  refuse(issues)
  return names
}

/** What a zone's owner should know about it. */
export function addressNotices(zone: Pick<Zone, 'addressCount'>): readonly Notice[] {
  return zone.addressCount > 0 ? [] : [{ notice: 'zone.no_address' }]
}

/** A zone's entity tag: moves with its settings and with every change of its records. */
export const zoneEtag = (zone: Zone): string =>
  etagOf(JSON.stringify([zone.id, zone.serial, zone.modifiedOn, zone.status]))

/** @throws DomainError: request.precondition, when the zone is not as the caller has seen it. */
export function demandUnchanged(zone: Zone, expected: Expected): void {
  demandMatch(expected, zoneEtag(zone))
}

/** The zone of this name, written in any way. */
export async function findZoneNamed(db: Reader, text: string): Promise<Zone | undefined> {
  const named = readZoneName(text)
  return 'reason' in named ? undefined : findZoneByName(db, named.name)
}

/** @throws DomainError: zone.unknown. */
export async function demandZone(db: Reader, id: string): Promise<Zone> {
  const zone = await findZone(db, id)
  if (zone === undefined) throw new DomainError({ reason: 'zone.unknown' })
  return zone
}

async function demandWithAccount(db: Reader, id: string): Promise<ZoneInAccount> {
  const zone = await findZoneInAccount(db, id)
  if (zone === undefined) throw new DomainError({ reason: 'zone.unknown' })
  return zone
}

/**
 * Moves a zone on by one change set: serial, counts, and activation with the first address.
 *
 * @param serial the one after the zone's, unless a primary has given another.
 * @returns the zone as it now is.
 */
export async function advanceZone(
  tx: Transaction,
  zone: Zone,
  counts: { readonly records: number; readonly addresses: number },
  at: string,
  serial: number = nextSerial(zone.serial),
): Promise<Zone> {
  const addressCount = zone.addressCount + counts.addresses
  const status = statusAfter(zone.status, addressCount)
  const after: Zone = {
    ...zone,
    serial,
    recordCount: zone.recordCount + counts.records,
    addressCount,
    status,
    activatedOn: status === 'active' ? (zone.activatedOn ?? at) : zone.activatedOn,
  }
  await updateZone(tx, after)
  return after
}
