// Deleted zones that still have rows to delete.
import type { Migration } from './migration.ts'

export const deletedZones: Migration = {
  version: 23,
  name: 'deleted zones',
  sqlite: [
    `CREATE TABLE deleted_zones (zone_id TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  ],
}
