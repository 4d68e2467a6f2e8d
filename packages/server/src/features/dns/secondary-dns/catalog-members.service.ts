// Makes the zones of this server those that secondary catalog zones list: in steps of one zone each, which compare what
// is stored with what is desired, so that any of them can be the last one before the program ends.
import { chunksOf } from '@zonereeve/cooperate'
import { hexFromOctets, type Name } from '@zonereeve/dns'
import type { CatalogEntry, MemberConflict, MemberStep } from '@zonereeve/transfers'
import { type Actor, type Clock, DomainError, fill, type Log, SYSTEM, WIRE_ERRORS } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp } from '../../changes/index.ts'
import { requireZone, type Zone } from '../../zones/index.ts'
import {
  allSecondaryCatalogs,
  deleteSecondaryCatalog,
  findSecondaryCatalog,
  findEntry,
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
/** Time after which conflicts and failures are looked at again: what is in the way may be gone. */
const AGAIN_MILLIS = 60_000
/** Failed steps of a catalog zone that are kept for its status. */
const MAX_FAILURES = 100

/** How the last attempt to apply a catalog zone ended. */
interface Attempt {
  readonly version: string
  readonly atMillis: number
  readonly outcome: 'applied' | 'conflicts' | 'failed' | 'stale'
  readonly failures: readonly MemberConflict[]
}

type Applied = Pick<Attempt, 'outcome' | 'failures'>

export function createCatalogMembers(deps: CatalogMembersDeps) {
  const { storage, clock, log, createZone, removeZone, setPrimaries } = deps
  const attempts = new Map<Name, Attempt>()
  let isDue = true
  let lookedAtMillis = -Infinity
  return { wake: () => void (isDue = true), reconcile, failuresOf }

  /** The steps that failed in the last attempt, on the node that writes. */
  function failuresOf(catalog: SecondaryCatalog): readonly MemberConflict[] {
    const attempt = attempts.get(catalog.name)
    return attempt?.version === versionOf(catalog) ? attempt.failures : []
  }

  /** Of several nodes, only the one that writes calls it. One catalog zone that fails does not stop the others. */
  async function reconcile(signal: AbortSignal): Promise<void> {
    const now = clock.now()
    if (!isDue && Math.abs(now - lookedAtMillis) < AGAIN_MILLIS) return
    const isWoken = isDue
    isDue = true // until all are read
    const catalogs = await allSecondaryCatalogs(storage)
    isDue = false
    lookedAtMillis = now
    forgetOthers(catalogs)
    for (const catalog of catalogs) {
      if (signal.aborted) return void (isDue = true)
      const version = versionOf(catalog)
      if (canWait(attempts.get(catalog.name), { version, now, isWoken })) continue
      const applied = await attempt(catalog, signal)
      attempts.set(catalog.name, { ...applied, version, atMillis: now })
      if (applied.outcome === 'stale') isDue = true
    }
  }

  function forgetOthers(catalogs: readonly SecondaryCatalog[]): void {
    const names = new Set(catalogs.map(({ name }) => name))
    for (const name of attempts.keys()) if (!names.has(name)) attempts.delete(name)
  }

  async function attempt(catalog: SecondaryCatalog, signal: AbortSignal): Promise<Applied> {
    try {
      return await reconcileOne(catalog, signal)
    } catch (error) {
      log.error({ err: error, catalog: catalog.name }, 'catalog zone not applied')
      const problem = 'applying it failed on this server: see the log of this server'
      return { outcome: 'failed', failures: [{ zone: catalog.name, problem }] }
    }
  }

  async function reconcileOne(catalog: SecondaryCatalog, signal: AbortSignal): Promise<Applied> {
    const { name } = catalog
    const { steps, conflicts } = await planOf(storage, catalog)
    const failures: MemberConflict[] = []
    let failed = 0
    for (const some of chunksOf(steps, STEPS_IN_CHUNK)) {
      if (signal.aborted) return { outcome: 'stale', failures }
      const done = await Promise.all(some.map((step) => tryStep(catalog, step)))
      for (const [index, outcome] of done.entries()) {
        const step = some[index]
        if (typeof outcome === 'boolean' || step === undefined) continue
        failed += 1
        const problem = problemOf(outcome)
        if (failed === 1) log.warn({ catalog: name, step: step.kind, problem }, 'member zone not changed')
        if (failed <= MAX_FAILURES) failures.push({ zone: zoneOf(step), problem })
      }
      if (done.includes(false)) return { outcome: 'stale', failures }
    }
    if (failed === 0 && catalog.isEnding) await storage.write((tx) => end(tx, catalog))
    if (steps.length > 0) log.info({ catalog: name, steps: steps.length, failed }, 'catalog zone applied')
    // Names that became free may be listed by a catalog zone that was looked at before.
    if (steps.length > failed && steps.some(({ kind }) => kind === 'remove')) isDue = true
    return { outcome: failed > 0 ? 'failed' : conflicts.length > 0 ? 'conflicts' : 'applied', failures }
  }

  /** The step is rolled back as a whole if it fails. @returns false if it was stale. */
  async function tryStep(catalog: SecondaryCatalog, step: MemberStep): Promise<boolean | DomainError> {
    try {
      return await storage.write((tx) => perform(tx, catalog, step))
    } catch (failure) {
      if (!(failure instanceof DomainError)) throw failure
      return failure
    }
  }

  /** @returns false if the catalog zone or the zone has changed since it was planned. */
  async function perform(tx: Transaction, catalog: SecondaryCatalog, step: MemberStep): Promise<boolean> {
    const now = await findSecondaryCatalog(tx, catalog.name)
    if (now === undefined || versionOf(now) !== versionOf(catalog)) return false
    if (step.kind !== 'create' && !(await mayChange(tx, catalog, step))) return false
    await apply(tx, catalog, step)
    return true
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

/** Conflicts are looked at each minute; failures too, unless there is another version. */
function canWait(
  last: Attempt | undefined,
  { version, now, isWoken }: { readonly version: string; readonly now: number; readonly isWoken: boolean },
): boolean {
  if (last?.version !== version) return false
  if (last.outcome === 'failed') return Math.abs(now - last.atMillis) < AGAIN_MILLIS
  return last.outcome === 'applied' && !isWoken
}

/** Whether the zone is still the catalog zone's, or is still given to it as the step assumes. */
async function mayChange(
  tx: Transaction,
  { name, accountId }: SecondaryCatalog,
  step: Exclude<MemberStep, { readonly kind: 'create' }>,
): Promise<boolean> {
  const member = await findMember(tx, step.zoneId)
  if (member?.catalog === name) return true
  if (member === undefined || step.kind === 'remove' || step.kind === 'configure') return false
  if ((member.label === step.entry.label) !== (step.kind === 'takeOver')) return false
  const entry = await findEntry(tx, member.catalog, member.label)
  if (entry?.zone !== step.entry.zone || entry.newOwner !== name) return false
  return (await findSecondaryCatalog(tx, member.catalog))?.accountId === accountId
}

const zoneOf = (step: MemberStep): Name => (step.kind === 'remove' ? step.zone : step.entry.zone)

const problemOf = ({ issues: [{ reason, values }] }: DomainError): string =>
  fill(WIRE_ERRORS[reason].message, values)

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
