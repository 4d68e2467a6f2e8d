// What has to be done so that the zones of a server are those that a catalog zone lists (RFC 9432 §5).
import type { Chunked } from '@zonereeve/cooperate'
import type { Name } from '@zonereeve/dns'
import type { CatalogEntry } from './read-catalog.ts'

/** A zone that was created for a catalog zone. */
export interface MemberZone {
  readonly zoneId: string
  readonly name: Name
  /** The unique label in the catalog zone. */
  readonly label: string
  /** Text of the settings that it has; compared with those that it should have. */
  readonly settings: string
}

/** A zone with the name of an entry, which was not created for this catalog zone. */
export interface OtherZone {
  readonly zoneId: string
  /** The catalog zone that it was created for; undefined if it was created by hand. */
  readonly catalog: Name | undefined
  readonly label: string | undefined
  /** The catalog zone that may take it over. */
  readonly newOwner: Name | null
}

export type MemberStep =
  | { readonly kind: 'remove'; readonly zoneId: string; readonly zone: Name }
  /** Removes and creates it: its state is dropped. @param zoneId may belong to another catalog zone. */
  | { readonly kind: 'reset'; readonly zoneId: string; readonly entry: CatalogEntry }
  /** Takes a zone of another catalog zone with its records. */
  | { readonly kind: 'takeOver'; readonly zoneId: string; readonly entry: CatalogEntry }
  | { readonly kind: 'configure'; readonly zoneId: string; readonly entry: CatalogEntry }
  | { readonly kind: 'create'; readonly entry: CatalogEntry }

/** An entry that cannot become a zone. */
export interface MemberConflict {
  readonly zone: Name
  readonly problem: string
}

export interface MemberPlan {
  /** Removals first: they may make room for what follows. */
  readonly steps: readonly MemberStep[]
  readonly conflicts: readonly MemberConflict[]
}

export interface PlannedCatalog {
  readonly name: Name
  readonly entries: ReadonlyMap<string, CatalogEntry>
  readonly own: readonly MemberZone[]
  readonly others: ReadonlyMap<Name, OtherZone>
  /** Text of the settings that the zone of an entry should have. */
  readonly settingsFor: (entry: CatalogEntry) => string
  /** Why a zone cannot have this name; undefined if it can. */
  readonly nameProblem: (name: Name) => string | undefined
}

const ORDER = ['remove', 'reset', 'takeOver', 'configure', 'create'] as const

export function* planMembers(catalog: PlannedCatalog): Chunked<MemberPlan> {
  const { entries, own, settingsFor } = catalog
  const byName = new Map(own.map((zone) => [zone.name, zone]))
  const steps: MemberStep[] = []
  const conflicts: MemberConflict[] = []
  const listed = new Set<Name>()
  for (const entry of entries.values()) {
    yield
    listed.add(entry.zone)
    const zone = byName.get(entry.zone)
    if (zone === undefined) {
      const step = stepForNew(catalog, entry)
      if (typeof step === 'string') conflicts.push({ zone: entry.zone, problem: step })
      else if (step !== undefined) steps.push(step)
    } else if (zone.label !== entry.label) steps.push({ kind: 'reset', zoneId: zone.zoneId, entry })
    else if (zone.settings !== settingsFor(entry))
      steps.push({ kind: 'configure', zoneId: zone.zoneId, entry })
  }
  for (const { name, zoneId } of own)
    if (!listed.has(name)) steps.push({ kind: 'remove', zoneId, zone: name })
  return { steps: ORDER.flatMap((kind) => steps.filter((step) => step.kind === kind)), conflicts }
}

/** @returns a string: why there is no step. Undefined: nothing is to be done. */
function stepForNew(
  { name, others, nameProblem }: PlannedCatalog,
  entry: CatalogEntry,
): MemberStep | string | undefined {
  const other = others.get(entry.zone)
  if (other === undefined) return nameProblem(entry.zone) ?? { kind: 'create', entry }
  const { zoneId, catalog, label, newOwner } = other
  // Zones made by hand are never taken over (RFC 9432 §5.2).
  if (catalog === undefined) return 'the zone exists already, and was not created by a catalog zone'
  if (newOwner === name) return { kind: label === entry.label ? 'takeOver' : 'reset', zoneId, entry }
  // It has been given to the other catalog zone.
  if (entry.newOwner === catalog) return undefined
  return `the zone is a member of the catalog zone ${catalog}, which does not give it away (coo)`
}

/** Members that a new version of a catalog zone would remove, or reset because their label changes. */
export interface MemberLoss {
  readonly members: number
  readonly removed: readonly Name[]
  readonly reset: readonly Name[]
}

/** Losses of more members, and of more than half of them, wait for a confirmation. */
export const MAX_UNCONFIRMED_LOSS = 10

type LabelledZone = Pick<MemberZone, 'name' | 'label'>

/**
 * @param zones its own, and those that other catalog zones give to it: they are reset if it lists them with other labels.
 * @param before the entries that own zones were created for; zones that differ from them are about to change already.
 */
export function* lossOfMembers(
  { own, given }: { readonly own: Iterable<LabelledZone>; readonly given: Iterable<LabelledZone> },
  before: ReadonlyMap<string, CatalogEntry>,
  after: ReadonlyMap<string, CatalogEntry>,
): Chunked<MemberLoss> {
  const labels = new Map<Name, string>()
  for (const { zone, label } of after.values()) {
    labels.set(zone, label)
    yield
  }
  let members = 0
  const removed: Name[] = []
  const reset: Name[] = []
  for (const { name, label } of own) {
    yield
    if (before.get(label)?.zone !== name) continue
    members += 1
    const now = labels.get(name)
    if (now === undefined) removed.push(name)
    else if (now !== label) reset.push(name)
  }
  for (const { name, label } of given) {
    yield
    const now = labels.get(name)
    if (now === undefined || before.get(now)?.zone === name) continue
    members += 1
    if (now !== label) reset.push(name)
  }
  return { members, removed, reset }
}

export function isLossHeld({ members, removed, reset }: MemberLoss): boolean {
  const lost = removed.length + reset.length
  return lost > MAX_UNCONFIRMED_LOSS && lost * 2 > members
}
