// The last serials of deleted zones, by name; for zones deleted earlier they are taken from the change log.
import type { Migration } from './migration.ts'

export const zoneSerials: Migration = {
  version: 3,
  name: 'zone serials',
  sqlite: [
    `CREATE TABLE zone_serials (name TEXT PRIMARY KEY, serial INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
    `INSERT OR REPLACE INTO zone_serials (name, serial)
      SELECT json_extract("before", '$.name'), json_extract("before", '$.serial')
      FROM change_ops WHERE kind = 'zone.delete' ORDER BY position`,
  ],
  // No database is older.
  postgres: [`CREATE TABLE zone_serials (name text COLLATE "C" PRIMARY KEY, serial int8 NOT NULL)`],
}
