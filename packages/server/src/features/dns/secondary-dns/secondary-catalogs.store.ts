// Rows of secondary catalog zones, of what they list, and of the zones that were created for them.
import type { Name } from '@zonereeve/dns'
import { NO_ZONE, type CatalogEntry } from '@zonereeve/transfers'
import { countRows, query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import type { SecondaryState } from './incoming.store.ts'

export interface CatalogGroup {
  readonly name: string
  readonly peerIds: readonly string[]
}

/** A version that waits for a confirmation, because it removes or resets too many zones. */
export interface HeldVersion {
  readonly serial: number
  readonly members: number
  readonly removed: number
  readonly reset: number
  /** The first of these zones. */
  readonly zones: readonly string[]
}

/** A catalog zone of another nameserver, and the last known state of its primary. */
export interface SecondaryCatalog extends Omit<SecondaryState, 'zoneId'> {
  readonly name: Name
  readonly accountId: string
  readonly peerIds: readonly string[]
  readonly groups: readonly CatalogGroup[]
  readonly autoRefreshSeconds: number
  readonly isEnding: boolean
  readonly createdOn: string
  readonly modifiedOn: string
  readonly held: HeldVersion | null
  readonly confirmedSerial: number | null
}

interface EntryRow extends Omit<CatalogEntry, 'zone'> {
  readonly catalog: Name
  readonly zone: Name
}

export interface CatalogMember {
  readonly zoneId: string
  readonly catalog: Name
  readonly label: string
}

const catalogs = tables.secondary_catalogs.of<SecondaryCatalog>()
const entries = tables.secondary_catalog_entries.of<EntryRow>()
const members = tables.catalog_members.of<CatalogMember>()

export const findSecondaryCatalog = (db: Reader, name: Name): Promise<SecondaryCatalog | undefined> =>
  catalogs.find(db, { name })

/** Of an account, by name. */
export const secondaryCatalogsOf = (db: Reader, accountId: string): Promise<SecondaryCatalog[]> =>
  catalogs.readable(
    db,
    query.selectFrom('secondary_catalogs').selectAll().where('account_id', '=', accountId).orderBy('name'),
  )

/** In the order of their creation: of two that list the same new zone, the first one gets it. */
export const allSecondaryCatalogs = (db: Reader): Promise<SecondaryCatalog[]> =>
  catalogs.readable(
    db,
    query.selectFrom('secondary_catalogs').selectAll().orderBy('created_on').orderBy('name'),
  )

export const saveSecondaryCatalog = (tx: Transaction, catalog: SecondaryCatalog): Promise<void> =>
  catalogs.save(tx, catalog)

/** Its member zones are kept. */
export const deleteSecondaryCatalog = (tx: Transaction, name: Name): Promise<number> =>
  catalogs.remove(tx, { name })

/** What the accepted version lists, by label. */
export async function entriesOf(db: Reader, catalog: Name): Promise<ReadonlyMap<string, CatalogEntry>> {
  return new Map([...(await nodesOf(db, catalog))].filter(([, { zone }]) => zone !== NO_ZONE))
}

/** The same with properties of members that are not there. A row that cannot be read fails: it must not look like a removal. */
export async function nodesOf(db: Reader, catalog: Name): Promise<ReadonlyMap<string, CatalogEntry>> {
  const rows = query.selectFrom('secondary_catalog_entries').selectAll().where('catalog', '=', catalog)
  const found = await entries.all(db, rows, toEntry)
  return new Map(found.map((entry) => [entry.label, entry]))
}

/** What the accepted version lists with these labels: as many as fit a statement. Entries that cannot be read are left out. */
export async function entriesWithLabels(
  db: Reader,
  catalog: Name,
  labels: readonly string[],
): Promise<ReadonlyMap<string, CatalogEntry>> {
  if (labels.length === 0) return new Map()
  const rows = query
    .selectFrom('secondary_catalog_entries')
    .selectAll()
    .where('catalog', '=', catalog)
    .where('label', 'in', labels)
  return new Map((await entries.readable(db, rows, toEntry)).map((entry) => [entry.label, entry]))
}

const toEntry = ({ label, zone, groups, newOwner }: EntryRow): CatalogEntry => ({
  label,
  zone,
  groups,
  newOwner,
})

/** Stores the entries of a new version. Only differences are written. */
export async function saveEntries(
  tx: Transaction,
  catalog: Name,
  before: ReadonlyMap<string, CatalogEntry>,
  after: ReadonlyMap<string, CatalogEntry>,
): Promise<void> {
  for (const label of before.keys()) {
    if (!after.has(label)) await entries.remove(tx, { catalog, label })
    await tx.yieldIfDue()
  }
  for (const [label, entry] of after) {
    if (JSON.stringify(before.get(label)) !== JSON.stringify(entry))
      await entries.save(tx, { ...entry, catalog })
    await tx.yieldIfDue()
  }
}

export const findMember = (db: Reader, zoneId: string): Promise<CatalogMember | undefined> =>
  members.find(db, { zoneId })

export const saveMember = (tx: Transaction, member: CatalogMember): Promise<void> => members.save(tx, member)

/** A zone of the catalog zone, with the incoming transfers that it has. */
export interface MemberRow {
  readonly zoneId: string
  readonly name: Name
  readonly label: string
  /** JSON of the ids of its peers; null if it has no primaries. */
  readonly peers: string | null
  readonly autoRefreshSeconds: number | null
}

const memberZones = (catalog: Name) =>
  query
    .selectFrom('catalog_members')
    .innerJoin('zones', 'zones.id', 'catalog_members.zone_id')
    .leftJoin('incoming_transfers', 'incoming_transfers.zone_id', 'catalog_members.zone_id')
    .select(['peers', 'auto_refresh_seconds as autoRefreshSeconds'])
    .where('catalog_members.catalog', '=', catalog)

export async function membersOf(db: Reader, catalog: Name): Promise<MemberRow[]> {
  const rows = memberZones(catalog)
    .select(['zones.id as zoneId', 'zones.name', 'label'])
    .orderBy('zones.name')
  return (await db.all(rows)).map(({ name, ...row }) => ({ ...row, name: name as Name })) // stored in canonical form
}

/** Counts zones with the name and the label of an entry, for each of what their settings and those of the entry are. */
export const matchingMembers = (db: Reader, catalog: Name) =>
  db.all(
    memberZones(catalog)
      .innerJoin('secondary_catalog_entries as entries', (join) =>
        join
          .onRef('entries.catalog', '=', 'catalog_members.catalog')
          .onRef('entries.label', '=', 'catalog_members.label')
          .onRef('entries.zone', '=', 'zones.name'),
      )
      .select(({ fn }) => ['groups', fn.countAll<number>().as('count')])
      .groupBy(['peers', 'auto_refresh_seconds', 'groups']),
  )

/** How many zones a catalog zone lists, and how many were created for it. */
export async function countMembers(db: Reader, catalog: Name) {
  const listed = query.selectFrom('secondary_catalog_entries').where('zone', '<>', NO_ZONE)
  return {
    listed: await countRows(db, listed.where('catalog', '=', catalog)),
    created: await members.count(db, { catalog }),
  }
}

/** A zone, and the catalog zone that it was created for. */
export interface ZoneOrigin {
  readonly zoneId: string
  readonly name: Name
  readonly catalog: Name | null
  readonly label: string | null
}

/** The zones with these names: as many as fit a statement. */
export async function originsOf(db: Reader, names: readonly Name[]): Promise<ZoneOrigin[]> {
  const rows = query
    .selectFrom('zones')
    .leftJoin('catalog_members', 'catalog_members.zone_id', 'zones.id')
    .select([
      'zones.id as zoneId',
      'zones.name as name',
      'catalog_members.catalog as catalog',
      'catalog_members.label as label',
    ])
    .where('zones.name', 'in', names)
  return (await db.all(rows)).map(({ name, catalog, ...row }) => ({
    ...row,
    name: name as Name, // stored in canonical form, like the next one
    catalog: catalog as Name | null,
  }))
}

/** Zones that the other catalog zones of the account give to this one. */
export async function zonesGivenTo(
  db: Reader,
  { name: newOwner, accountId }: SecondaryCatalog,
): Promise<{ readonly name: Name; readonly label: string }[]> {
  const rows = query
    .selectFrom('secondary_catalogs')
    .innerJoin('secondary_catalog_entries', 'secondary_catalog_entries.catalog', 'secondary_catalogs.name')
    .innerJoin('catalog_members', (join) =>
      join
        .onRef('catalog_members.catalog', '=', 'secondary_catalog_entries.catalog')
        .onRef('catalog_members.label', '=', 'secondary_catalog_entries.label'),
    )
    .innerJoin('zones', (join) =>
      join
        .onRef('zones.id', '=', 'catalog_members.zone_id')
        .onRef('zones.name', '=', 'secondary_catalog_entries.zone'),
    )
    .select(['zones.name as name', 'catalog_members.label as label'])
    .where('secondary_catalogs.account_id', '=', accountId)
    .where('secondary_catalogs.name', '<>', newOwner)
    .where('secondary_catalog_entries.new_owner', '=', newOwner)
  return (await db.all(rows)).map(({ name, label }) => ({ name: name as Name, label })) // stored in canonical form
}

/** What a catalog zone lists with this label. */
export async function findEntry(db: Reader, catalog: Name, label: string): Promise<CatalogEntry | undefined> {
  return entries.find(db, { catalog, label })
}
