// Makes the zones of this server those that secondary catalog zones list: in steps of one zone each, which compare what
// is stored with what is desired, so that any of them can be the last one before the program ends.
import { chunksOf } from '@zonereeve/cooperate'
import { hexFromOctets, type Name } from '@zonereeve/dns'
import type { CatalogEntry, MemberStep } from '@zonereeve/transfers'
import { type Actor, type Clock, DomainError, type Log, SYSTEM } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp } from '../../changes/index.ts'
import { requireZone, type Zone } from '../../zones/index.ts'
import {
  allSecondaryCatalogs,
  deleteSecondaryCatalog,
  findSecondaryCatalog,
  findMember,
  saveMember,
  type SecondaryCatalog,
} from './secondary-catalogs.store.ts'
import { planOf, primariesFor } from './member-plan.ts'

export interface CatalogMembersDeps {
  readonly storage: Storage
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** Creates a secondary zone. @throws DomainError: zone.name, zone.exists. */
  readonly createZone: (
    tx: Transaction,
    zone: { readonly name: Name; readonly accountId: string },
    actor: Actor,
  ) => Promise<Zone>
  readonly removeZone: (tx: Transaction, zone: Zone, actor: Actor) => Promise<void>
  readonly setPrimaries: (
    tx: Transaction,
    zone: Zone,
    primaries: { readonly peerIds: readonly string[]; readonly autoRefreshSeconds: number },
    actor: Actor,
  ) => Promise<unknown>
}

/** Steps that share a commit. Other writes, and the answers of this thread, wait for no more than these. */
const STEPS_IN_CHUNK = 8
/** Time after which conflicts are looked at again: the zone in the way may be gone. */
const AGAIN_MILLIS = 60_000

export function createCatalogMembers(deps: CatalogMembersDeps) {
  const { storage, clock, log, createZone, removeZone, setPrimaries } = deps
  let isDue = true
  let lookedAtMillis = -Infinity
  return { wake: () => void (isDue = true), reconcile }

  /** Of several nodes, only the one that writes calls it. */
  async function reconcile(signal: AbortSignal): Promise<void> {
    const now = clock.now()
    if (!isDue && Math.abs(now - lookedAtMillis) < AGAIN_MILLIS) return
    isDue = false
    lookedAtMillis = now
    try {
      for (const catalog of await allSecondaryCatalogs(storage)) await reconcileOne(catalog, signal)
    } catch (failure) {
      isDue = true
      throw failure
    }
  }

  async function reconcileOne(catalog: SecondaryCatalog, signal: AbortSignal): Promise<void> {
    const { steps } = await planOf(storage, catalog)
    for (const some of chunksOf(steps, STEPS_IN_CHUNK)) {
      if (signal.aborted) return
      const done = await Promise.all(some.map((step) => storage.write((tx) => perform(tx, catalog, step))))
      if (done.every(Boolean)) continue
      isDue = true
      return
    }
    if (catalog.isEnding) await storage.write((tx) => end(tx, catalog))
    if (steps.length > 0) log.info({ catalog: catalog.name, steps: steps.length }, 'catalog zone applied')
  }

  /** @returns false if the catalog zone or the zone has changed since it was planned. */
  async function perform(tx: Transaction, catalog: SecondaryCatalog, step: MemberStep): Promise<boolean> {
    const now = await findSecondaryCatalog(tx, catalog.name)
    if (now === undefined || versionOf(now) !== versionOf(catalog)) return false
    try {
      await apply(tx, catalog, step)
      return true
    } catch (failure) {
      // Created or deleted meanwhile: the next plan shows it.
      if (!(failure instanceof DomainError)) throw failure
      log.warn({ catalog: catalog.name, step: step.kind, err: failure }, 'member zone not changed')
      return false
    }
  }

  async function apply(tx: Transaction, catalog: SecondaryCatalog, step: MemberStep): Promise<void> {
    const actor = actorOf(catalog.name)
    const { name: catalogName, accountId } = catalog
    const configure = (zone: Zone, entry: CatalogEntry): Promise<unknown> => {
      const { autoRefreshSeconds } = catalog
      return setPrimaries(tx, zone, { peerIds: primariesFor(catalog, entry), autoRefreshSeconds }, actor)
    }
    const bind = (zone: Zone, { label }: CatalogEntry): Promise<void> =>
      saveMember(tx, { zoneId: zone.id, catalog: catalogName, label })
    if (step.kind === 'configure')
      return void (await configure(await requireZone(tx, step.zoneId), step.entry))
    if (step.kind === 'takeOver') {
      const zone = await requireZone(tx, step.zoneId)
      await bind(zone, step.entry)
      return void (await configure(zone, step.entry))
    }
    if (step.kind !== 'create') await removeZone(tx, await requireZone(tx, step.zoneId), actor)
    if (step.kind === 'remove') return
    const zone = await createZone(tx, { name: step.entry.zone, accountId }, actor)
    await bind(zone, step.entry)
    await configure(zone, step.entry)
  }

  async function end(tx: Transaction, { name, accountId }: SecondaryCatalog): Promise<void> {
    const now = await findSecondaryCatalog(tx, name)
    if (now?.isEnding !== true) return
    await deleteSecondaryCatalog(tx, name)
    const op = changeOp('secondary_catalog.delete', name, { name }, null)
    await append(tx, { scopeId: accountId, actor: actorOf(name) }, [op])
  }
}

/** In the change log and in the audit log, changes by a catalog zone have its name. */
const actorOf = (catalog: Name): Actor => ({ ...SYSTEM, name: `catalog zone ${catalog}` })

/** Changes with each accepted version and with the settings. */
const versionOf = ({ soa, transferredOn, modifiedOn, isEnding }: SecondaryCatalog): string =>
  [soa && hexFromOctets(soa), transferredOn, modifiedOn, isEnding].join(' ')

/** @throws DomainError: zone.catalog_member, if a catalog zone created the zone. */
export async function requireNoCatalog(db: Reader, { id, displayName }: Zone): Promise<void> {
  const member = await findMember(db, id)
  if (member === undefined) return
  const values = { name: displayName, catalog: member.catalog }
  throw new DomainError({ reason: 'zone.catalog_member', values })
}
