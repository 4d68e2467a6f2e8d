// Which catalog zones of other nameservers an account follows (RFC 9432): their settings and state.
import { isHostname, ROOT, type Name } from '@zonereeve/dns'
import type { MemberConflict } from '@zonereeve/transfers'
import { type Actor, type Caller, type Clock, DomainError } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp, localEvent, verbOf } from '../../changes/index.ts'
import { findZoneNamed, toAscii } from '../../zones/index.ts'
import { secondaryCatalogId, serialOf } from './catalog-transfers.service.ts'
import { readName, requireAccount } from './catalog-zone.service.ts'
import { findCatalogNamed } from './catalog-zone.store.ts'
import {
  deleteSecondaryCatalog,
  findSecondaryCatalog,
  secondaryCatalogsOf,
  saveSecondaryCatalog,
  type CatalogGroup,
  type SecondaryCatalog,
} from './secondary-catalogs.store.ts'
import { requirePrimaryPeers, requireRefresh } from './incoming.service.ts'
import { authorityOf, withoutPrimary } from './incoming.store.ts'
import { planOf } from './member-plan.ts'

export interface SecondaryCatalogDefinition {
  readonly peerIds: readonly string[]
  readonly groups: readonly CatalogGroup[]
  readonly autoRefreshSeconds: number
}

export interface SecondaryCatalogStatus {
  readonly catalog: SecondaryCatalog
  readonly state: 'waiting' | 'current' | 'expired' | 'ending'
  readonly serial: number | null
  readonly expiresAtMillis: number | undefined
  readonly listed: number
  readonly created: number
  readonly pending: number
  readonly conflicts: readonly MemberConflict[]
}

export interface SecondaryCatalogsDeps {
  readonly storage: Storage
  readonly clock: Clock
  /** Called when the settings have changed. */
  readonly changed: () => void
  /** Steps that failed when the catalog zone was applied. */
  readonly failuresOf: (catalog: SecondaryCatalog) => readonly MemberConflict[]
}

export const MAX_SECONDARY_CATALOGS = 100

export type SecondaryCatalogs = ReturnType<typeof createSecondaryCatalogs>

export function createSecondaryCatalogs({ storage, clock, changed, failuresOf }: SecondaryCatalogsDeps) {
  return {
    list,
    statusOf: (catalog: SecondaryCatalog) => statusOf(storage, catalog),
    get,
    save,
    confirm,
    check,
    remove,
  }

  /** @throws DomainError: account.unknown. */
  async function list(accountId: string): Promise<SecondaryCatalog[]> {
    await requireAccount(storage, accountId)
    return secondaryCatalogsOf(storage, accountId)
  }

  /** @throws DomainError: account.unknown, secondary_catalog.unknown. */
  async function get(accountId: string, name: string): Promise<SecondaryCatalogStatus> {
    return statusOf(storage, await requireSecondaryCatalog(storage, accountId, name))
  }

  /**
   * @throws DomainError: auth.zone_create, account.unknown, secondary_catalog.name, .group, .quota, .ending,
   * incoming.refresh, transfers.peer, incoming.peer_address.
   */
  function save(
    accountId: string,
    text: string,
    definition: SecondaryCatalogDefinition,
    { caller, actor }: { readonly caller: Caller; readonly actor: Actor },
  ): Promise<SecondaryCatalogStatus> {
    requireZonePermission(caller, accountId)
    return writeAndShow(async (tx) => {
      await requireAccount(tx, accountId)
      const name = await requireName(tx, accountId, text)
      await requireDefinition(tx, accountId, definition)
      const before = await findSecondaryCatalog(tx, name)
      throwIfEnding(before)
      if (before === undefined && (await secondaryCatalogsOf(tx, accountId)).length >= MAX_SECONDARY_CATALOGS)
        throw new DomainError({
          reason: 'secondary_catalog.quota',
          values: { limit: MAX_SECONDARY_CATALOGS },
        })
      if (before !== undefined && settingsText(before) === settingsText({ ...before, ...definition }))
        return before
      const after = { ...(before ?? draft(name, accountId)), ...definition, modifiedOn: clock.timestamp() }
      await saveSecondaryCatalog(tx, after)
      await record(tx, before, after, actor)
      return after
    })
  }

  /**
   * Applies the last known version of the primary, whatever it removes.
   *
   * @throws DomainError: auth.zone_create, secondary_catalog.unknown, .ending, .serial.
   */
  function confirm(
    accountId: string,
    text: string,
    serial: number,
    { caller, actor }: { readonly caller: Caller; readonly actor: Actor },
  ): Promise<SecondaryCatalogStatus> {
    requireZonePermission(caller, accountId)
    return writeAndShow(async (tx) => {
      const catalog = await requireSecondaryCatalog(tx, accountId, text)
      const { name, primarySerial } = catalog
      throwIfEnding(catalog)
      if (primarySerial !== serial) {
        const values = { serial: primarySerial ?? 'still unknown' }
        throw new DomainError({ reason: 'secondary_catalog.serial', pointer: '/serial', values })
      }
      const confirmed = { ...catalog, confirmedSerial: serial }
      await saveSecondaryCatalog(tx, confirmed)
      const op = changeOp('secondary_catalog.confirm', name, null, { serial })
      await append(tx, { scopeId: accountId, actor }, [op])
      tx.publish(() => [localEvent('transfers', secondaryCatalogId(name), 'incoming_transfers.force')])
      return confirmed
    })
  }

  /** Queries the primaries now; only newer versions are taken. @throws DomainError: secondary_catalog.unknown, .ending. */
  function check(accountId: string, text: string): Promise<void> {
    return storage.write(async (tx) => {
      const catalog = await requireSecondaryCatalog(tx, accountId, text)
      throwIfEnding(catalog)
      tx.publish(() => [updateOf(catalog.name)])
    })
  }

  /** @throws DomainError: auth.zone_create, secondary_catalog.unknown. */
  function remove(
    accountId: string,
    text: string,
    members: 'keep' | 'delete',
    { caller, actor }: { readonly caller: Caller; readonly actor: Actor },
  ): Promise<void> {
    if (members === 'delete') requireZonePermission(caller, accountId)
    return storage.write(async (tx) => {
      const before = await requireSecondaryCatalog(tx, accountId, text)
      const after = members === 'delete' ? { ...before, isEnding: true } : undefined
      if (after === undefined) await deleteSecondaryCatalog(tx, before.name)
      else await saveSecondaryCatalog(tx, after)
      await record(tx, before, after, actor)
    })
  }

  async function record(
    tx: Transaction,
    before: SecondaryCatalog | undefined,
    after: SecondaryCatalog | undefined,
    actor: Actor,
  ): Promise<void> {
    const { name, accountId } = after ?? before ?? {}
    if (name === undefined || accountId === undefined) return
    const kind = `secondary_catalog.${verbOf(before, after)}`
    await append(tx, { scopeId: accountId, actor }, [changeOp(kind, name, before, after, settingsText)])
    tx.publish(() => [updateOf(name)])
    tx.onCommit(changed)
  }

  /** The plan in the status is computed outside of the transaction: it may take long. */
  async function writeAndShow(
    unit: (tx: Transaction) => Promise<SecondaryCatalog>,
  ): Promise<SecondaryCatalogStatus> {
    return statusOf(storage, await storage.write(unit))
  }

  async function statusOf(db: Reader, catalog: SecondaryCatalog): Promise<SecondaryCatalogStatus> {
    const { listed, created, steps, ...plan } = await planOf(db, catalog)
    const conflicts = [...failuresOf(catalog), ...plan.conflicts]
    const expiresAtMillis = authorityOf(catalog)?.expiresAtMillis
    const state = stateOf(catalog, expiresAtMillis)
    const serial = serialOf(catalog) ?? null
    return { catalog, state, serial, expiresAtMillis, listed, created, pending: steps.length, conflicts }
  }

  function stateOf({ isEnding }: SecondaryCatalog, expiresAtMillis: number | undefined) {
    if (isEnding) return 'ending'
    if (expiresAtMillis === undefined) return 'waiting'
    return clock.now() >= expiresAtMillis ? 'expired' : 'current'
  }

  function draft(name: Name, accountId: string): SecondaryCatalog {
    const at = clock.timestamp()
    const { zoneId: _, ...unknown } = withoutPrimary('')
    return {
      name,
      accountId,
      peerIds: [],
      groups: [],
      autoRefreshSeconds: 0,
      isEnding: false,
      createdOn: at,
      modifiedOn: at,
      ...unknown,
      held: null,
      confirmedSerial: null,
    }
  }
}

/** Has its primaries queried. */
const updateOf = (name: Name) =>
  localEvent('transfers', secondaryCatalogId(name), 'incoming_transfers.update')

/** @throws DomainError: secondary_catalog.ending. */
function throwIfEnding(catalog: SecondaryCatalog | undefined): void {
  if (catalog?.isEnding === true)
    throw new DomainError({ reason: 'secondary_catalog.ending', values: { name: catalog.name } })
}

/** What a catalog zone lists is created here: that needs the permission to create zones. @throws DomainError: auth.zone_create. */
function requireZonePermission(caller: Caller, accountId: string): void {
  if (!caller.can(['Zone Write'], { kind: 'zone', zoneId: '', accountId }))
    throw new DomainError({ reason: 'auth.zone_create' })
}

/** @throws DomainError: incoming.refresh, secondary_catalog.group, transfers.peer, incoming.peer_address. */
async function requireDefinition(
  db: Reader,
  accountId: string,
  { peerIds, groups, autoRefreshSeconds }: SecondaryCatalogDefinition,
): Promise<void> {
  requireRefresh(autoRefreshSeconds)
  await requirePrimaryPeers(db, accountId, peerIds)
  for (const [index, group] of groups.entries()) {
    if (groups.findIndex(({ name }) => name === group.name) < index)
      throw new DomainError({
        reason: 'secondary_catalog.group',
        pointer: `/groups/${index}/name`,
        values: { name: group.name },
      })
    await requirePrimaryPeers(db, accountId, group.peerIds, `/groups/${index}/peers`)
  }
}

/** @throws DomainError: secondary_catalog.name. */
async function requireName(db: Reader, accountId: string, text: string): Promise<Name> {
  const invalid = (problem: string) =>
    new DomainError({ reason: 'secondary_catalog.name', values: { problem } })
  const name = readName(toAscii(text))
  if (name === undefined || name === ROOT || !isHostname(name, { underscore: true }))
    throw invalid(`"${text}" is not a valid zone name`)
  if ((await findZoneNamed(db, name)) !== undefined) throw invalid(`there is a zone ${name}`)
  if ((await findCatalogNamed(db, name)) !== undefined) throw invalid('this server publishes it itself')
  const holder = await findSecondaryCatalog(db, name)
  if (holder !== undefined && holder.accountId !== accountId) throw invalid('another account follows it')
  return name
}

/** @throws DomainError: account.unknown, secondary_catalog.unknown. */
export async function requireSecondaryCatalog(
  db: Reader,
  accountId: string,
  text: string,
): Promise<SecondaryCatalog> {
  await requireAccount(db, accountId)
  const name = readName(toAscii(text))
  const catalog = name && (await findSecondaryCatalog(db, name))
  if (catalog === undefined || catalog.accountId !== accountId)
    throw new DomainError({ reason: 'secondary_catalog.unknown', values: { name: text } })
  return catalog
}

const settingsText = ({ name, peerIds, groups, autoRefreshSeconds, isEnding }: SecondaryCatalog): string =>
  JSON.stringify({ name, peers: peerIds, groups, auto_refresh_seconds: autoRefreshSeconds, ending: isEnding })

/** Whether the account transfers a secondary catalog zone, or its members, from the peer. */
export async function isPeerOfCatalog(db: Reader, accountId: string, peerId: string): Promise<boolean> {
  const catalogs = await secondaryCatalogsOf(db, accountId)
  return catalogs.some(({ peerIds, groups }) =>
    [peerIds, ...groups.map((group) => group.peerIds)].some((ids) => ids.includes(peerId)),
  )
}
