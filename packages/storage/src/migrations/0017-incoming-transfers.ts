// Secondary zones: their primaries, and the result of the last refresh.
import type { Migration } from './migration.ts'

export const incomingTransfers: Migration = {
  version: 17,
  name: 'incoming transfers',
  sqlite: [
    `CREATE TABLE incoming_transfers (
      zone_id TEXT PRIMARY KEY REFERENCES zones (id) ON DELETE CASCADE, peers TEXT NOT NULL,
      auto_refresh_seconds INTEGER NOT NULL, created_on TEXT NOT NULL, modified_on TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE followed_zones (
      zone_id TEXT PRIMARY KEY REFERENCES zones (id) ON DELETE CASCADE, soa BLOB, soa_ttl INTEGER,
      checked_on TEXT, refreshed_at INTEGER, transferred_on TEXT, primary_serial INTEGER, problem TEXT
    ) STRICT, WITHOUT ROWID`,
  ],
}
