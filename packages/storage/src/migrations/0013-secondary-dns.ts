// Secondary DNS: TSIG keys and addresses of other nameservers, the zones transferred to them, and their catalog
// zone.
import type { Migration } from './migration.ts'

export const secondaryDns: Migration = {
  version: 13,
  name: 'secondary dns',
  sqlite: [
    `CREATE TABLE transfer_objects (
      position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, kind TEXT NOT NULL, name TEXT NOT NULL,
      body TEXT NOT NULL
    ) STRICT`,
    `CREATE INDEX transfer_objects_by_account ON transfer_objects (account_id, kind)`,
    `CREATE UNIQUE INDEX transfer_objects_by_key ON transfer_objects (name) WHERE kind = 'tsig'`,
    `CREATE TABLE outgoing_transfers (
      zone_id TEXT PRIMARY KEY REFERENCES zones (id) ON DELETE CASCADE, peers TEXT NOT NULL,
      enabled INTEGER NOT NULL, created_on TEXT NOT NULL, checked_on TEXT, transferred_on TEXT
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE catalog_zones (
      account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE, name TEXT NOT NULL UNIQUE,
      serial INTEGER NOT NULL, peers TEXT NOT NULL, created_on TEXT NOT NULL, modified_on TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],
}
