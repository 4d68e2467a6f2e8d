// Pages of the zones in catalog zones, by name, for lists.
import type { Name } from '@zonereeve/dns'
import type { PageRange } from '@zonereeve/platform'
import type { CatalogEntry } from '@zonereeve/transfers'
import { countRows, query, type Reader } from '@zonereeve/storage'
import { secondariesOf, type SecondaryState } from './incoming.store.ts'
import { entriesWithLabels } from './secondary-catalogs.store.ts'

interface ListedZone {
  readonly zoneId: string
  readonly name: Name
  readonly serial: number
}

/** A zone in our catalog zone, with the times that its peers were last seen as stored. */
export interface OwnMember extends ListedZone {
  readonly checkedOn: string | null
  readonly transferredOn: string | null
}

/** The zones in the catalog zone of an account. */
const ownZones = (accountId: string) =>
  query
    .selectFrom('outgoing_transfers')
    .innerJoin('zones', 'zones.id', 'outgoing_transfers.zone_id')
    .where('zones.account_id', '=', accountId)
    .where('outgoing_transfers.enabled', '=', 1)

export const countOwnMembers = (db: Reader, accountId: string): Promise<number> =>
  countRows(db, ownZones(accountId))

/** A zone that was created for a secondary catalog zone. */
export interface SecondaryMember extends ListedZone {
  readonly label: string
  readonly groups: readonly string[]
  /** Undefined if its row cannot be read. */
  readonly secondary: SecondaryState | undefined
}

export interface MemberPage<Member> {
  readonly members: readonly Member[]
  readonly totalCount: number
}

export async function ownMembers(
  db: Reader,
  accountId: string,
  { offset, limit }: PageRange,
): Promise<MemberPage<OwnMember>> {
  const page = ownZones(accountId)
    .select(['zones.id as zoneId', 'zones.name as name', 'zones.serial as serial'])
    .select([
      'outgoing_transfers.checked_on as checkedOn',
      'outgoing_transfers.transferred_on as transferredOn',
    ])
    .orderBy('zones.name')
    .limit(limit)
    .offset(offset)
  return { members: (await db.all(page)).map(withName), totalCount: await countOwnMembers(db, accountId) }
}

export async function secondaryMembers(
  db: Reader,
  catalog: Name,
  { offset, limit }: PageRange,
): Promise<MemberPage<SecondaryMember>> {
  const own = query
    .selectFrom('catalog_members')
    .innerJoin('zones', 'zones.id', 'catalog_members.zone_id')
    .where('catalog_members.catalog', '=', catalog)
  const page = own
    .select(['zones.id as zoneId', 'zones.name as name', 'zones.serial as serial'])
    .select('catalog_members.label as label')
    .orderBy('zones.name')
    .limit(limit)
    .offset(offset)
  const rows = (await db.all(page)).map(withName)
  const secondaries = await secondariesOf(
    db,
    rows.map(({ zoneId }) => zoneId),
  )
  const entries = await entriesWithLabels(
    db,
    catalog,
    rows.map(({ label }) => label),
  )
  return {
    members: rows.map((row) => ({
      ...row,
      groups: groupsIn(entries.get(row.label)),
      secondary: secondaries.get(row.zoneId),
    })),
    totalCount: await countRows(db, own),
  }
}

/** A label that is not listed any more has none: the zone is still to be removed. */
const groupsIn = (entry: CatalogEntry | undefined): readonly string[] =>
  entry === undefined ? [] : entry.groups

const withName = <Row extends { readonly name: string }>({ name, ...row }: Row) => ({
  ...row,
  name: name as Name, // stored in canonical form
})
