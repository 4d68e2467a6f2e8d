// Scans of a zone's current nameservers, and their results until they are reviewed.
import type { Migration } from './migration.ts'

export const recordScans: Migration = {
  version: 5,
  name: 'record scans',
  sqlite: [
    `CREATE TABLE record_scans (
      zone_id TEXT PRIMARY KEY REFERENCES zones (id) ON DELETE CASCADE, state TEXT NOT NULL,
      is_complete INTEGER NOT NULL, has_varying_wildcard INTEGER NOT NULL, unusable TEXT NOT NULL,
      started_on TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE found_records (
      id TEXT PRIMARY KEY, zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE, type TEXT NOT NULL,
      name TEXT NOT NULL, identity TEXT NOT NULL, found_on TEXT NOT NULL, body TEXT NOT NULL
    ) STRICT`,
    `CREATE UNIQUE INDEX found_records_by_zone ON found_records (zone_id, type, name, identity)`,
  ],
}
