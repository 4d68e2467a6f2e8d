// Rows of catalog zones: at most one for each account.
import type { Name } from '@zonereeve/dns'
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'

export interface CatalogZone {
  readonly accountId: string
  readonly name: Name
  readonly serial: number
  readonly peerIds: readonly string[]
  readonly createdOn: string
  readonly modifiedOn: string
}

export async function findCatalog(db: Reader, accountId: string): Promise<CatalogZone | undefined> {
  const row = await db.first(
    query.selectFrom('catalog_zones').selectAll().where('account_id', '=', accountId),
  )
  return row && fromRow(row)
}

/** Whether a catalog zone of another account has the name. */
export async function findCatalogNamed(db: Reader, name: Name): Promise<CatalogZone | undefined> {
  const row = await db.first(query.selectFrom('catalog_zones').selectAll().where('name', '=', name))
  return row && fromRow(row)
}

export async function allCatalogs(db: Reader): Promise<CatalogZone[]> {
  return (await db.all(query.selectFrom('catalog_zones').selectAll().orderBy('name'))).map(fromRow)
}

export async function saveCatalog(tx: Transaction, catalog: CatalogZone): Promise<void> {
  const columns = {
    name: catalog.name,
    serial: catalog.serial,
    peers: JSON.stringify(catalog.peerIds),
    created_on: catalog.createdOn,
    modified_on: catalog.modifiedOn,
  }
  await tx.run(
    query
      .insertInto('catalog_zones')
      .values({ account_id: catalog.accountId, ...columns })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns)),
  )
}

export async function deleteCatalog(tx: Transaction, accountId: string): Promise<void> {
  await tx.run(query.deleteFrom('catalog_zones').where('account_id', '=', accountId))
}

const fromRow = (row: Database['catalog_zones']): CatalogZone => ({
  accountId: row.account_id,
  name: row.name as Name, // stored in canonical text
  serial: row.serial,
  peerIds: JSON.parse(row.peers),
  createdOn: row.created_on,
  modifiedOn: row.modified_on,
})
