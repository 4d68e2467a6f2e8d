// An account's catalog zone, which lists the zones that other nameservers get (RFC 9432, version 2): peers that read it need no
// configuration of their own for each zone. Its members are the zones whose transfers are enabled.
import { isHostname, NameError, nextSerial, parseName, ROOT, serialAfter, type Name } from '@zonereeve/dns'
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError } from '../../platform/domain-error.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { findAccount } from '../accounts/index.ts'
import { appendChange } from '../changes/index.ts'
import { findZoneNamed, zonesOfAccount, type Zone } from '../zones/index.ts'
import type { Announcements, CatalogMember } from './announcements.ts'
import {
  allCatalogs,
  deleteCatalog,
  findCatalog,
  findCatalogNamed,
  saveCatalog,
  type CatalogZone,
} from './catalog-zone.store.ts'
import { demandPeers } from './outgoing.service.ts'
import { allOutgoing } from './outgoing.store.ts'

export interface CatalogDefinition {
  readonly name: string
  readonly peerIds: readonly string[]
}

export interface CatalogState {
  readonly catalog: CatalogZone
  readonly members: number
}

/** What stands for a zone's id where a catalog zone is transferred. */
export const catalogZoneId = (accountId: string): string => `catalog ${accountId}`

export interface CatalogDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly announcements: Announcements
  /** Puts into force all of an account. */
  readonly announceAccount: (tx: Transaction, accountId: string) => Promise<void>
}

export function createCatalogZones({ storage, clock, announcements, announceAccount }: CatalogDeps) {
  return { get, save, remove, setMember, announceAll }

  /** @throws DomainError: account.unknown, catalog.unknown. */
  async function get(accountId: string): Promise<CatalogState> {
    await demandAccount(storage, accountId)
    const catalog = await demandCatalog(storage, accountId)
    return { catalog, members: (await membersOf(storage, accountId)).length }
  }

  /** Makes the catalog zone or changes it. @throws DomainError: account.unknown, catalog.name, transfers.peer. */
  function save(accountId: string, definition: CatalogDefinition, actor: Actor): Promise<CatalogState> {
    return storage.write(async (tx) => {
      await demandAccount(tx, accountId)
      const name = await demandName(tx, accountId, definition.name)
      await demandPeers(tx, accountId, definition.peerIds)
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
      await record(tx, before, catalog, actor)
      const members = await announce(tx, catalog)
      return { catalog, members }
    })
  }

  /** @throws DomainError: account.unknown, catalog.unknown. */
  function remove(accountId: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      await demandAccount(tx, accountId)
      const before = await demandCatalog(tx, accountId)
      await deleteCatalog(tx, accountId)
      await record(tx, before, undefined, actor)
      tx.onCommit(() => {
        announcements.publish({ kind: 'zone', zoneId: catalogZoneId(accountId), open: undefined })
        announcements.publish({ kind: 'catalog', accountId, contents: undefined })
      })
    })
  }

  /** Puts a zone into its account's catalog zone, or takes it out; nothing where there is none. */
  async function setMember(tx: Transaction, zone: Zone, isMember: boolean, actor: Actor): Promise<void> {
    const { accountId } = zone
    const before = await findCatalog(tx, accountId)
    if (before === undefined) return
    const catalog = { ...before, serial: nextSerial(before.serial), modifiedOn: clock.timestamp() }
    await saveCatalog(tx, catalog)
    await record(tx, before, catalog, actor)
    const member = { zoneId: zone.id, name: zone.name }
    const { serial } = catalog
    tx.onCommit(() => announcements.publish({ kind: 'catalog_member', accountId, serial, member, isMember }))
  }

  /** At the start. */
  async function announceAll(db: Reader): Promise<void> {
    for (const catalog of await allCatalogs(db)) {
      const contents = { ...catalog, members: await membersOf(db, catalog.accountId) }
      announcements.publish({ kind: 'catalog', accountId: catalog.accountId, contents })
    }
  }

  /** @returns how many members there are. */
  async function announce(tx: Transaction, catalog: CatalogZone): Promise<number> {
    const { accountId } = catalog
    const contents = { ...catalog, members: await membersOf(tx, accountId) }
    tx.onCommit(() => announcements.publish({ kind: 'catalog', accountId, contents }))
    await announceAccount(tx, accountId)
    tx.onCommit(() => announcements.publish({ kind: 'notify', zoneId: catalogZoneId(accountId) }))
    return contents.members.length
  }

  async function record(
    tx: Transaction,
    before: CatalogZone | undefined,
    after: CatalogZone | undefined,
    actor: Actor,
  ): Promise<void> {
    const scopeId = (after ?? before)?.accountId ?? ''
    const text = (state: CatalogZone | undefined) => (state === undefined ? null : JSON.stringify(state))
    const verb = before === undefined ? 'create' : after === undefined ? 'delete' : 'update'
    const op = { kind: `catalog_zone.${verb}`, objectId: scopeId, before: text(before), after: text(after) }
    await appendChange(tx, { scopeId, at: clock.timestamp(), actor, serial: null, ops: [op] })
  }
}

/** Whether a catalog zone has the name. */
export async function isCatalogName(db: Reader, name: Name): Promise<boolean> {
  return (await findCatalogNamed(db, name)) !== undefined
}

/** What the catalog zone of an account is transferred as, beside its zones. */
export async function catalogTransfers(
  db: Reader,
  accountId: string,
): Promise<{ zoneId: string; peerIds: readonly string[] }[]> {
  const catalog = await findCatalog(db, accountId)
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
async function demandName(db: Reader, accountId: string, text: string): Promise<Name> {
  const invalid = (problem: string) =>
    new DomainError({ reason: 'catalog.name', pointer: '/name', values: { problem } })
  const name = readName(text)
  if (name === undefined || name === ROOT || !isHostname(name, { underscore: true }))
    throw invalid(`"${text}" is no name that a zone can have`)
  if ((await findZoneNamed(db, name)) !== undefined) throw invalid(`there is a zone ${name}`)
  const holder = await findCatalogNamed(db, name)
  if (holder !== undefined && holder.accountId !== accountId)
    throw invalid(`another catalog zone is called ${name}`)
  return name
}

function readName(text: string): Name | undefined {
  try {
    return parseName(text)
  } catch (error) {
    if (error instanceof NameError) return undefined
    throw error
  }
}

/** The time in seconds, or the serial after `last` where that is later: serials never go back. */
function serialAfterNow(nowMillis: number, last: number | undefined): number {
  const now = Math.floor(nowMillis / 1000) >>> 0
  return last === undefined || serialAfter(now, last) ? now : nextSerial(last)
}

async function demandCatalog(db: Reader, accountId: string): Promise<CatalogZone> {
  const catalog = await findCatalog(db, accountId)
  if (catalog === undefined) throw new DomainError({ reason: 'catalog.unknown' })
  return catalog
}

async function demandAccount(db: Reader, id: string): Promise<void> {
  if ((await findAccount(db, id)) === undefined) throw new DomainError({ reason: 'account.unknown' })
}
