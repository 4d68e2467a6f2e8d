// What has to be done with the member zones of a secondary catalog zone, as stored.
import { chunksOf, runInChunks } from '@zonereeve/cooperate'
import type { Name } from '@zonereeve/dns'
import {
  planMembers,
  type CatalogEntry,
  type MemberPlan,
  type MemberZone,
  type OtherZone,
} from '@zonereeve/transfers'
import type { Reader } from '@zonereeve/storage'
import { readZoneName } from '../../zones/index.ts'
import { allCatalogs } from './catalog-zone.store.ts'
import {
  allSecondaryCatalogs,
  countMembers,
  entriesOf,
  findEntry,
  matchingMembers,
  membersOf,
  originsOf,
  type SecondaryCatalog,
  type MemberRow,
} from './secondary-catalogs.store.ts'

/** Zones that one statement looks for. */
const NAMES_IN_A_STATEMENT = 500

export interface PlannedMembers extends MemberPlan {
  readonly listed: number
  readonly created: number
}

export async function planOf(db: Reader, catalog: SecondaryCatalog): Promise<PlannedMembers> {
  const { name, isEnding } = catalog
  const counts = await countMembers(db, name)
  // Mostly: ten thousand zones are counted in a tenth of the time.
  if (!isEnding && counts.listed === counts.created && (await countSettled(db, catalog)) === counts.listed)
    return { steps: [], conflicts: [], ...counts }
  const entries: ReadonlyMap<string, CatalogEntry> = isEnding ? new Map() : await entriesOf(db, name)
  const own = (await membersOf(db, name)).map(toMemberZone)
  const known = new Set(own.map((zone) => zone.name))
  const missing = [...entries.values()].map(({ zone }) => zone).filter((zone) => !known.has(zone))
  const catalogs = await allSecondaryCatalogs(db)
  const others = await othersOf(
    db,
    catalogs.filter(({ accountId }) => accountId === catalog.accountId),
    missing,
  )
  const taken = new Set([...(await allCatalogs(db)), ...catalogs].map((each) => each.name))
  const plan = await runInChunks(
    planMembers({
      name,
      entries,
      own,
      others,
      settingsFor: (entry) => settingsText(primariesFor(catalog, entry), catalog.autoRefreshSeconds),
      nameProblem: (zone) => (taken.has(zone) ? 'a catalog zone has this name' : nameProblem(zone)),
    }),
  )
  return { ...plan, listed: entries.size, created: own.length }
}

/** Zones that have the name, the label and the settings of an entry: nothing is to be done. */
async function countSettled(db: Reader, catalog: SecondaryCatalog): Promise<number> {
  let zones = 0
  for (const { groups, count, ...zone } of await matchingMembers(db, catalog.name)) {
    const peerIds = primariesFor(catalog, { groups: groups.split('\n') })
    if (storedSettings(zone) === settingsText(peerIds, catalog.autoRefreshSeconds)) zones += count
  }
  return zones
}

/** The peers of the first configured group that the member has. */
export const primariesFor = (
  { peerIds, groups }: Pick<SecondaryCatalog, 'peerIds' | 'groups'>,
  entry: Pick<CatalogEntry, 'groups'>,
): readonly string[] => groups.find(({ name }) => entry.groups.includes(name))?.peerIds ?? peerIds

const settingsText = (peerIds: readonly string[], autoRefreshSeconds: number | null): string =>
  `${JSON.stringify(peerIds)} ${autoRefreshSeconds}`

const storedSettings = ({ peers, autoRefreshSeconds }: Pick<MemberRow, 'peers' | 'autoRefreshSeconds'>) =>
  `${peers} ${autoRefreshSeconds}`

const toMemberZone = ({ zoneId, name, label, ...row }: MemberRow): MemberZone => ({
  zoneId,
  name,
  label,
  settings: storedSettings(row),
})

/** @param siblings the catalog zones of the same account: those of other accounts are like zones made by hand. */
async function othersOf(
  db: Reader,
  siblings: readonly SecondaryCatalog[],
  names: readonly Name[],
): Promise<ReadonlyMap<Name, OtherZone>> {
  const others = new Map<Name, OtherZone>()
  for (const some of chunksOf(names, NAMES_IN_A_STATEMENT))
    for (const { zoneId, name, ...origin } of await originsOf(db, some)) {
      const catalog = siblings.find((sibling) => sibling.name === origin.catalog)?.name
      const label = origin.label ?? undefined
      const entry =
        catalog === undefined || label === undefined ? undefined : await findEntry(db, catalog, label)
      others.set(name, { zoneId, catalog, label, newOwner: entry?.zone === name ? entry.newOwner : null })
    }
  return others
}

function nameProblem(name: Name): string | undefined {
  const read = readZoneName(name)
  return 'reason' in read ? `no zone can have this name: ${String(read.values?.['problem'])}` : undefined
}
