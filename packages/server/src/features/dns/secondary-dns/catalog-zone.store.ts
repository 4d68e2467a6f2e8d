// Rows of catalog zones: at most one for each account.
import type { Name } from '@zonereeve/dns'
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'

export interface CatalogZone {
  readonly accountId: string
  readonly name: Name
  readonly serial: number
  readonly peerIds: readonly string[]
  readonly createdOn: string
  readonly modifiedOn: string
}

const catalogs = tables.catalog_zones.of<CatalogZone>()

export const findCatalog = (db: Reader, accountId: string): Promise<CatalogZone | undefined> =>
  catalogs.find(db, { accountId })

/** The catalog zone where it can be read: another one is reported, and keeps nothing else of the account from working. */
export async function findReadableCatalog(db: Reader, accountId: string): Promise<CatalogZone | undefined> {
  const own = query.selectFrom('catalog_zones').selectAll().where('account_id', '=', accountId)
  return (await catalogs.readable(db, own)).at(0)
}

/** Whether a catalog zone of another account has the name. */
export const findCatalogNamed = (db: Reader, name: Name): Promise<CatalogZone | undefined> =>
  catalogs.find(db, { name })

export const allCatalogs = (db: Reader): Promise<CatalogZone[]> =>
  catalogs.readable(db, query.selectFrom('catalog_zones').selectAll().orderBy('name'))

export const saveCatalog = (tx: Transaction, catalog: CatalogZone): Promise<void> =>
  catalogs.save(tx, catalog)

export const deleteCatalog = (tx: Transaction, accountId: string): Promise<number> =>
  catalogs.remove(tx, { accountId })
