// Settings of zones and accounts, and custom nameservers of zones.
import type { Migration } from './migration.ts'

export const settings: Migration = {
  version: 2,
  name: 'settings',
  sqlite: [
    `ALTER TABLE zones ADD COLUMN vanity_name_servers TEXT NOT NULL DEFAULT '[]'`,
    `CREATE TABLE zone_dns_settings (
      zone_id TEXT PRIMARY KEY REFERENCES zones (id) ON DELETE CASCADE, settings TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE account_dns_settings (
      account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE, settings TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE zone_settings (
      zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE, name TEXT NOT NULL, value TEXT NOT NULL,
      modified_on TEXT NOT NULL, PRIMARY KEY (zone_id, name)
    ) STRICT, WITHOUT ROWID`,
  ],
}
