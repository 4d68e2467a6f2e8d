// An account's catalog zone, which lists the zones that other nameservers get (RFC 9432, version 2): peers that read
// it need no configuration per zone. Its members are the zones whose transfers are enabled.
import { isHostname, NameError, nextSerial, parseName, ROOT, serialAfter, type Name } from '@zonereeve/dns'
import { type Actor, type Clock, DomainError } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { findAccount } from '../../accounts/index.ts'
import { append, changeOp, findChange, verbOf, type ChangeOp } from '../../changes/index.ts'
import { findZoneNamed, zonesOfAccount, type Zone } from '../../zones/index.ts'
import {
  deleteCatalog,
  findCatalog,
  findCatalogNamed,
  findReadableCatalog,
  saveCatalog,
  type CatalogZone,
} from './catalog-zone.store.ts'
import { countOwnMembers } from './catalog-member-list.store.ts'
import { findSecondaryCatalog } from './secondary-catalogs.store.ts'
import { countPeers, requirePeers, type OutgoingDeps, type PeerCounts } from './outgoing.service.ts'
import { allOutgoing } from './outgoing.store.ts'

export interface CatalogDefinition {
  readonly name: string
  readonly peerIds: readonly string[]
}

export interface CatalogState {
  readonly catalog: CatalogZone
  readonly members: number
  /** Peers of the catalog zone itself. */
  readonly peers: PeerCounts
}

/** Stands in for a zone id where a catalog zone is transferred. */
export const catalogZoneId = (accountId: string): string => `catalog ${accountId}`

export interface CatalogMember {
  /** The member's label: constant as long as the zone exists (RFC 9432 §4.1). */
  readonly zoneId: string
  readonly name: Name
}

export interface CatalogContents {
  readonly name: Name
  readonly serial: number
  readonly members: readonly CatalogMember[]
}

export interface CatalogDeps {
  readonly storage: Storage
  readonly clock: Clock
  /** Progress of the peers of a zone, or of a catalog zone by its {@link catalogZoneId}. */
  readonly peersProgress: OutgoingDeps['peersProgress']
}

export function createCatalogZones({ storage, clock, peersProgress }: CatalogDeps) {
  return { get, save, remove, setMember }

  /** @throws DomainError: account.unknown, catalog.unknown. */
  async function get(accountId: string): Promise<CatalogState> {
    await requireAccount(storage, accountId)
    const catalog = await requireCatalog(storage, accountId)
    return describe(catalog, await countOwnMembers(storage, accountId))
  }

  function describe(catalog: CatalogZone, members: number): CatalogState {
    return { catalog, members, peers: countPeers(peersProgress(catalogZoneId(catalog.accountId))) }
  }

  /** Creates or changes the catalog zone. @throws DomainError: account.unknown, catalog.name, transfers.peer. */
  async function save(accountId: string, definition: CatalogDefinition, actor: Actor): Promise<CatalogState> {
    const { catalog, members } = await storage.write(async (tx) => {
      await requireAccount(tx, accountId)
      const name = await requireName(tx, accountId, definition.name)
      await requirePeers(tx, accountId, definition.peerIds)
      const before = await findCatalog(tx, accountId)
      const at = clock.timestamp()
      const catalog: CatalogZone = {
        accountId,
        name,
        serial: serialAfterNow(clock.now(), before?.serial),
        peerIds: definition.peerIds,
        createdOn: before?.createdOn ?? at,
        modifiedOn: at,
      }
      await saveCatalog(tx, catalog)
      await record(tx, accountId, before, catalog, actor)
      return { catalog, members: await countOwnMembers(tx, accountId) }
    })
    // After the commit: the nameserver has the new peers.
    return describe(catalog, members)
  }

  /** @throws DomainError: account.unknown, catalog.unknown. */
  function remove(accountId: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      await requireAccount(tx, accountId)
      const before = await requireCatalog(tx, accountId)
      await deleteCatalog(tx, accountId)
      await record(tx, accountId, before, undefined, actor)
    })
  }

  /** Adds a zone to its account's catalog zone, or removes it; does nothing if there is no catalog zone. */
  async function setMember(tx: Transaction, zone: Zone, isMember: boolean, actor: Actor): Promise<void> {
    const { accountId } = zone
    const before = await findReadableCatalog(tx, accountId)
    if (before === undefined) return
    const catalog = { ...before, serial: nextSerial(before.serial), modifiedOn: clock.timestamp() }
    await saveCatalog(tx, catalog)
    const state = JSON.stringify({ name: zone.name, serial: catalog.serial })
    const [was, is] = isMember ? [null, state] : [state, null]
    const op = { kind: MEMBER_KIND, objectId: zone.id, before: was, after: is }
    await record(tx, accountId, before, catalog, actor, [op])
  }
}

/** Appends a change of the catalog zone to the log of its account. */
async function record(
  tx: Transaction,
  scopeId: string,
  before: CatalogZone | undefined,
  after: CatalogZone | undefined,
  actor: Actor,
  more: readonly ChangeOp[] = [],
): Promise<void> {
  const kind = `catalog_zone.${verbOf(before, after)}`
  await append(tx, { scopeId, actor }, [changeOp(kind, scopeId, before, after), ...more])
}

/** The kind of operation that adds a zone to a catalog zone or removes it. */
const MEMBER_KIND = 'catalog_zone.member'

export const isMemberKind = (kind: string): boolean => kind === MEMBER_KIND

/** A zone that was added to a catalog zone or removed, and the catalog zone's new serial. */
export interface MemberChange {
  readonly member: CatalogMember
  readonly isMember: boolean
  readonly serial: number
}

/** The changes that a change set of the account made to the members of its catalog zone. */
export async function readMemberChanges(
  db: Reader,
  accountId: string,
  number: number,
): Promise<MemberChange[]> {
  const change = await findChange(db, accountId, number)
  if (change === undefined) return []
  return change.ops.flatMap(({ kind, objectId, before, after }) => {
    const state = after ?? before
    if (!isMemberKind(kind) || state === null) return []
    const { name, serial }: { name: Name; serial: number } = JSON.parse(state) // written by setMember
    return [{ member: { zoneId: objectId, name }, isMember: after !== null, serial }]
  })
}

/** The account's catalog zone; undefined if it has none. */
export async function readCatalog(db: Reader, accountId: string): Promise<CatalogContents | undefined> {
  const catalog = await findCatalog(db, accountId)
  return catalog && { ...catalog, members: await membersOf(db, accountId) }
}

/** Whether a catalog zone has the name, of ours or of another nameserver. */
export async function isCatalogName(db: Reader, name: Name): Promise<boolean> {
  return ((await findCatalogNamed(db, name)) ?? (await findSecondaryCatalog(db, name))) !== undefined
}

/** How the catalog zone of an account is transferred, in addition to its zones. */
export async function catalogTransfers(
  db: Reader,
  accountId: string,
): Promise<{ zoneId: string; peerIds: readonly string[] }[]> {
  const catalog = await findReadableCatalog(db, accountId)
  return catalog === undefined ? [] : [{ zoneId: catalogZoneId(accountId), peerIds: catalog.peerIds }]
}

async function membersOf(db: Reader, accountId: string): Promise<CatalogMember[]> {
  const enabled = new Set(
    (await allOutgoing(db, accountId)).filter(({ isEnabled }) => isEnabled).map(({ zoneId }) => zoneId),
  )
  const zones = await zonesOfAccount(db, accountId)
  return zones.filter(({ id }) => enabled.has(id)).map(({ id, name }) => ({ zoneId: id, name }))
}

/** @throws DomainError: catalog.name. */
async function requireName(db: Reader, accountId: string, text: string): Promise<Name> {
  const invalid = (problem: string) =>
    new DomainError({ reason: 'catalog.name', pointer: '/name', values: { problem } })
  const name = readName(text)
  if (name === undefined || name === ROOT || !isHostname(name, { underscore: true }))
    throw invalid(`"${text}" is not a valid zone name`)
  if ((await findZoneNamed(db, name)) !== undefined) throw invalid(`there is a zone ${name}`)
  const holder = await findCatalogNamed(db, name)
  const isOfOther = holder !== undefined && holder.accountId !== accountId
  if (isOfOther || (await findSecondaryCatalog(db, name)) !== undefined)
    throw invalid(`another catalog zone is called ${name}`)
  return name
}

/** @returns undefined if it is not a name. */
export function readName(text: string): Name | undefined {
  try {
    return parseName(text)
  } catch (error) {
    if (error instanceof NameError) return undefined
    throw error
  }
}

/** The time in seconds, or the serial after `last` if that is later: serials never go back. */
function serialAfterNow(nowMillis: number, last: number | undefined): number {
  const now = Math.floor(nowMillis / 1000) >>> 0
  return last === undefined || serialAfter(now, last) ? now : nextSerial(last)
}

/** @throws DomainError: catalog.unknown. */
export async function requireCatalog(db: Reader, accountId: string): Promise<CatalogZone> {
  const catalog = await findCatalog(db, accountId)
  if (catalog === undefined) throw new DomainError({ reason: 'catalog.unknown' })
  return catalog
}

/** @throws DomainError: account.unknown. */
export async function requireAccount(db: Reader, id: string): Promise<void> {
  if ((await findAccount(db, id)) === undefined) throw new DomainError({ reason: 'account.unknown' })
}
