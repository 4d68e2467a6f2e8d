// Zones: created with their SOA and NS, activated by their first address, deleted with all their contents.
import { nextSerial, parentOf, type Name } from '@zonereeve/dns'
import {
  type Actor,
  type Caller,
  type Clock,
  DomainError,
  etagOf,
  type Expected,
  type Ids,
  type Issue,
  type Notice,
  requireMatch,
  SYSTEM,
  throwIfIssues,
} from '@zonereeve/platform'
import { nameServersFor, type NameServerSet } from '@zonereeve/nodes'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { allAccountIds, findAccount } from '../../accounts/index.ts'
import {
  append,
  appendOps,
  beginChangeSet,
  changeOp,
  type ChangeHeader,
  type ChangeOp,
} from '../../changes/index.ts'
import { readableDeletion, type ZoneContents } from './zone-contents.ts'
import {
  firstSerial,
  readVanityNameServers,
  readZoneName,
  statusAfter,
  DEFAULT_PLAN,
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

export interface ZoneDefinition {
  readonly name: string
  readonly accountId?: string | undefined
  readonly type?: ZoneType | undefined
  readonly plan?: Plan | undefined
  readonly vanityNameServers?: readonly string[]
}

export interface ZoneEdit {
  /** The current type; it cannot be changed. */
  readonly type?: ZoneType
  readonly paused?: boolean
  readonly plan?: Plan
  readonly vanityNameServers?: readonly string[]
}

export interface ZonesDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  /** Those that a new zone is delegated to are one of them. */
  readonly nameServerSets: readonly NameServerSet[]
  /** Problems that prevent answers for the zone; empty if there are none. */
  readonly quarantineProblems: (zoneId: string) => readonly string[]
  /** Whether something other than a user's zone has the name. */
  readonly isNameTaken: (db: Reader, name: Name) => Promise<boolean>
  /** Applies the account's defaults to a new zone. @returns the operations to add to its first change set. */
  readonly adopt: (tx: Transaction, zone: Zone) => Promise<readonly ChangeOp[]>
  /** Why a zone cannot have this plan; undefined if it can. */
  readonly planIssue: (db: Reader, zone: Zone, plan: Plan) => Promise<Issue | undefined>
  /** Objects of a zone that other features store, in the order of deletion. */
  readonly contents: readonly ZoneContents[]
  /** @throws DomainError if a client cannot delete the zone: zone.catalog_member. */
  readonly requireDeletable: (db: Reader, zone: Zone) => Promise<void>
}

const MAY_CREATE = ['Zone Write']
const MAY_READ = ['Zone Read', 'Zone Write']

export type Zones = ReturnType<typeof createZones>

export function createZones(deps: ZonesDeps) {
  const { storage, clock, ids, nameServerSets, isNameTaken, adopt, planIssue } = deps
  return {
    list,
    get,
    create,
    createSecondary,
    edit,
    assignNameServers,
    settingsChanged,
    remove,
    removeWithContents,
    checkActivation,
    quarantineNotices,
  }

  /** Notices for the owner of a zone that is not answered. */
  function quarantineNotices(zoneId: string): readonly Notice[] {
    const problems = deps.quarantineProblems(zoneId)
    return problems.length === 0
      ? []
      : [{ notice: 'zone.quarantined', values: { problems: problems.join(', ') } }]
  }

  function list(caller: Caller, desired: ZoneQuery) {
    return listZones(storage, caller.reach(MAY_READ, 'zone'), desired)
  }

  /** @throws DomainError: zone.unknown. */
  function get(id: string): Promise<ZoneInAccount> {
    return requireWithAccount(storage, id)
  }

  /** @throws DomainError: zone.name, zone.vanity_name_servers, zone.exists, zone.account, auth.zone_create. */
  async function create(definition: ZoneDefinition, caller: Caller, actor: Actor): Promise<ZoneInAccount> {
    const { vanityNameServers = [] } = definition
    const named = readZoneName(definition.name)
    if ('reason' in named) throw new DomainError(named)
    const vanity = readVanityNameServers(vanityNameServers, named.name)
    throwIfIssues(vanity.issues)
    if (definition.type === 'secondary' && vanity.names.length > 0)
      throw new DomainError({
        reason: 'zone.follows',
        pointer: '/vanity_name_servers',
        values: { name: named.displayName },
      })
    const accountId = await chooseAccount(definition.accountId, caller)
    const { type = 'full', plan = DEFAULT_PLAN } = definition
    const drafted = { ...named, accountId, type, plan, vanityNameServers: vanity.names }
    return storage.write(async (tx) => requireWithAccount(tx, (await insert(tx, drafted, actor)).id))
  }

  /** For a catalog zone. @throws DomainError: zone.name, zone.exists. */
  async function createSecondary(
    tx: Transaction,
    { name, accountId }: Pick<Zone, 'name' | 'accountId'>,
    actor: Actor,
  ): Promise<Zone> {
    const named = readZoneName(name)
    if ('reason' in named) throw new DomainError(named)
    const drafted = {
      ...named,
      accountId,
      type: 'secondary',
      plan: DEFAULT_PLAN,
      vanityNameServers: [],
    } as const
    return insert(tx, drafted, actor)
  }

  async function insert(
    tx: Transaction,
    drafted: Pick<Zone, 'accountId' | 'name' | 'displayName' | 'type' | 'plan' | 'vanityNameServers'>,
    actor: Actor,
  ): Promise<Zone> {
    const { name, displayName } = drafted
    if ((await findZoneByName(tx, name)) !== undefined || (await isNameTaken(tx, name)))
      throw new DomainError({ reason: 'zone.exists', pointer: '/name', values: { name: displayName } })
    const at = clock.timestamp()
    const zone: Zone = {
      id: ids.id(),
      ...drafted,
      status: 'pending',
      paused: false,
      nameServers: await nameServersFor(nameServerSets, name, () => nameServersAbove(tx, drafted)),
      serial: firstSerial(clock.now(), await lastSerialOf(tx, name)),
      recordCount: 0,
      addressCount: 0,
      createdOn: at,
      modifiedOn: at,
      activatedOn: null,
    }
    await insertZone(tx, zone)
    const adopted = await adopt(tx, zone)
    await append(tx, headerOf(zone, actor), [changeOp('zone.create', zone.id, null, zone), ...adopted])
    return zone
  }

  async function chooseAccount(desired: string | undefined, caller: Caller): Promise<string> {
    const candidates =
      desired === undefined
        ? await allAccountIds(storage)
        : [(await findAccount(storage, desired))?.id].filter((id) => id !== undefined)
    const allowed = candidates.filter((accountId) => mayCreateIn(caller, accountId))
    const [accountId] = allowed
    if (accountId !== undefined && (desired !== undefined || allowed.length === 1)) return accountId
    const issue = { pointer: '/account/id' } as const
    const namesNothing = desired === undefined ? allowed.length > 1 : mayCreateIn(caller, desired)
    if (namesNothing) throw new DomainError({ reason: 'zone.account', ...issue })
    throw new DomainError({ reason: 'auth.zone_create', ...issue }, [
      {
        notice: 'auth.missing_permission',
        values: { groups: MAY_CREATE.join(' or '), resource: `all zones of account ${desired ?? '(any)'}` },
      },
    ])
  }

  /**
   * A change of name servers bumps the serial.
   *
   * @throws DomainError: zone.unknown, zone.type_change, zone.vanity_name_servers, zone.follows, and why the plan
   * cannot change.
   */
  function edit(id: string, changes: ZoneEdit, actor: Actor, expected?: Expected): Promise<ZoneInAccount> {
    return storage.write(async (tx) => {
      const before = await requireZone(tx, id)
      requireUnchanged(before, expected)
      requirePossible(before, changes)
      const refused = await planIssue(tx, before, changes.plan ?? before.plan)
      if (refused !== undefined) throw new DomainError(refused)
      const desired: Zone = { ...before, ...changes, vanityNameServers: vanityAfter(before, changes) }
      if (JSON.stringify(desired) === JSON.stringify(before)) return requireWithAccount(tx, id)
      const isMoved = desired.vanityNameServers.join() !== before.vanityNameServers.join()
      const serial = isMoved ? nextSerial(before.serial) : before.serial
      const after: Zone = { ...desired, serial, modifiedOn: clock.timestamp() }
      await updateZone(tx, after)
      await append(tx, headerOf(after, actor), [changeOp('zone.update', id, before, after)])
      return requireWithAccount(tx, id)
    })
  }

  /** Delegates a zone to others: a new serial, except for a secondary zone, whose name servers are its primary's. */
  async function assignNameServers(
    tx: Transaction,
    before: Zone,
    nameServers: readonly string[],
    actor: Actor,
  ): Promise<Zone> {
    const serial = before.type === 'secondary' ? before.serial : nextSerial(before.serial)
    const after: Zone = { ...before, nameServers, serial, modifiedOn: clock.timestamp() }
    await updateZone(tx, after)
    await append(tx, headerOf(after, actor), [changeOp('zone.update', before.id, before, after)])
    return after
  }

  /**
   * For settings that answers depend on: one change set of the zone, which bumps its serial.
   *
   * @throws DomainError: zone.follows.
   */
  async function settingsChanged(tx: Transaction, zone: Zone, op: ChangeOp, actor: Actor): Promise<void> {
    requireOwn(zone)
    const at = clock.timestamp()
    const moved = await advanceZone(tx, zone, { records: 0, addresses: 0 }, at)
    await append(tx, { scopeId: zone.id, actor, at, serial: moved.serial }, [op])
  }

  /** @throws DomainError: zone.unknown, zone.catalog_member. */
  function remove(id: string, actor: Actor, expected?: Expected): Promise<void> {
    return storage.write(async (tx) => {
      const before = await requireZone(tx, id)
      requireUnchanged(before, expected)
      await deps.requireDeletable(tx, before)
      await removeWithContents(tx, before, actor)
    })
  }

  async function removeWithContents(tx: Transaction, before: Zone, actor: Actor): Promise<void> {
    const { id } = before
    const changeSet = await beginChangeSet(tx, headerOf(before, actor))
    await changeSet.append([changeOp('zone.delete', id, before, null)])
    const { position } = changeSet
    for (const contents of deps.contents) {
      await appendOps(tx, position, await readableDeletion(contents, tx, id))
      await contents.remove(tx, id, position)
    }
    await deleteZone(tx, before)
  }

  /** Activates the zone if it has an address; returns a notice if it has none. @throws DomainError: zone.unknown. */
  function checkActivation(id: string, actor: Actor): Promise<readonly Notice[]> {
    return storage.write(async (tx) => {
      const before = await requireZone(tx, id)
      const status = statusAfter(before.status, before.addressCount)
      if (status !== before.status) {
        const at = clock.timestamp()
        const after: Zone = { ...before, status, activatedOn: at, modifiedOn: at }
        await updateZone(tx, after)
        await append(tx, headerOf(after, actor), [changeOp('zone.activate', id, before, after)])
      }
      return addressNotices(before)
    })
  }
}

const headerOf = ({ id, serial }: Zone, actor: Actor): ChangeHeader => ({ scopeId: id, actor, serial })

/**
 * Bumps a zone's serial because its answers have changed through another zone or name; does nothing for an unknown
 * zone.
 */
export function bumpSerial(
  { storage, clock }: Pick<ZonesDeps, 'storage' | 'clock'>,
  id: string,
): Promise<void> {
  return storage.write(async (tx) => {
    const before = await findZone(tx, id)
    // The serial of a secondary zone comes from its primary.
    if (before === undefined || before.type === 'secondary') return
    const at = clock.timestamp()
    const zone = await advanceZone(tx, before, { records: 0, addresses: 0 }, at)
    const op = { kind: 'zone.answers', objectId: id, before: null, after: null }
    await append(tx, { scopeId: id, actor: SYSTEM, at, serial: zone.serial }, [op])
  })
}

/** @throws DomainError: zone.type_change; zone.follows for name servers, which the primary determines. */
function requirePossible(zone: Zone, { type, vanityNameServers = [] }: ZoneEdit): void {
  if (type !== undefined && type !== zone.type)
    throw new DomainError({ reason: 'zone.type_change', pointer: '/type', values: { type: zone.type } })
  if (vanityNameServers.length > 0) requireOwn(zone, '/vanity_name_servers')
}

/** For properties that a primary determines. @throws DomainError: zone.follows, for a secondary zone. */
export function requireOwn(zone: Zone, pointer?: string): void {
  if (zone.type !== 'secondary') return
  const at = pointer === undefined ? {} : { pointer }
  throw new DomainError({ reason: 'zone.follows', ...at, values: { name: zone.displayName } })
}

/**
 * Creating needs permission to write all zones of the account: the new zone has no id yet that a policy could name.
 */
const mayCreateIn = (caller: Caller, accountId: string): boolean =>
  caller.can(MAY_CREATE, { kind: 'zone', zoneId: '', accountId })

/** @throws DomainError: zone.vanity_name_servers. */
function vanityAfter(zone: Zone, { vanityNameServers }: ZoneEdit): readonly string[] {
  if (vanityNameServers === undefined) return zone.vanityNameServers
  const { names, issues } = readVanityNameServers(vanityNameServers, zone.name)
  throwIfIssues(issues)
  return names
}

/** Notices for the zone's owner. */
export function addressNotices(zone: Pick<Zone, 'addressCount'>): readonly Notice[] {
  return zone.addressCount > 0 ? [] : [{ notice: 'zone.no_address' }]
}

/** Those of the closest zone above in the same account: zones of other accounts have no influence. */
async function nameServersAbove(db: Reader, { name, accountId }: Pick<Zone, 'name' | 'accountId'>) {
  for (let above = parentOf(name); above !== undefined; above = parentOf(above)) {
    const zone = await findZoneByName(db, above)
    if (zone?.accountId === accountId) return zone.nameServers
  }
  return undefined
}

/** A zone's entity tag: changes with its settings and with every change of its records. */
export const zoneEtag = (zone: Zone): string =>
  etagOf(JSON.stringify([zone.id, zone.serial, zone.modifiedOn, zone.status]))

/** @throws DomainError: request.precondition, if the zone has changed since the client read it. */
export function requireUnchanged(zone: Zone, expected: Expected): void {
  if (expected !== undefined) requireMatch(expected, zoneEtag(zone))
}

/** Finds a zone by name, in any spelling. */
export async function findZoneNamed(db: Reader, text: string): Promise<Zone | undefined> {
  const named = readZoneName(text)
  return 'reason' in named ? undefined : findZoneByName(db, named.name)
}

/** @throws DomainError: zone.unknown. */
export async function requireZone(db: Reader, id: string): Promise<Zone> {
  const zone = await findZone(db, id)
  if (zone === undefined) throw new DomainError({ reason: 'zone.unknown' })
  return zone
}

async function requireWithAccount(db: Reader, id: string): Promise<ZoneInAccount> {
  const zone = await findZoneInAccount(db, id)
  if (zone === undefined) throw new DomainError({ reason: 'zone.unknown' })
  return zone
}

/**
 * Advances a zone by one change set: serial, counts, and activation with the first address.
 *
 * @param serial the successor of the zone's, unless given by a primary.
 * @returns the updated zone.
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
