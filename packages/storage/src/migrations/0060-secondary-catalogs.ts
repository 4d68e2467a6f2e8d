// Catalog zones of other nameservers: what they list, and the zones that were created for them.
import type { Migration } from './migration.ts'

export const secondaryCatalogs: Migration = {
  version: 60,
  name: 'followed catalogs',
  sqlite: [
    `CREATE TABLE secondary_catalogs (
      name TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, peers TEXT NOT NULL,
      groups TEXT NOT NULL, auto_refresh_seconds INTEGER NOT NULL, is_ending INTEGER NOT NULL, created_on TEXT NOT NULL,
      modified_on TEXT NOT NULL, soa BLOB, soa_ttl INTEGER, checked_on TEXT, refreshed_at INTEGER, transferred_on TEXT,
      primary_serial INTEGER, problem TEXT, held TEXT, confirmed_serial INTEGER
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX secondary_catalogs_by_account ON secondary_catalogs (account_id)`,
    `CREATE TABLE secondary_catalog_entries (
      catalog TEXT NOT NULL REFERENCES secondary_catalogs (name) ON DELETE CASCADE, label TEXT NOT NULL,
      zone TEXT NOT NULL, groups TEXT NOT NULL, new_owner TEXT, PRIMARY KEY (catalog, label)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE catalog_members (
      zone_id TEXT PRIMARY KEY REFERENCES zones (id) ON DELETE CASCADE,
      catalog TEXT NOT NULL REFERENCES secondary_catalogs (name) ON DELETE CASCADE, label TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX catalog_members_by_catalog ON catalog_members (catalog)`,
  ],
}
