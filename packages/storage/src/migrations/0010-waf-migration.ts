// Snapshots of zones' legacy firewalls at the time of their migration.
import type { Migration } from './migration.ts'

export const wafMigration: Migration = {
  version: 10,
  name: 'waf migration',
  sqlite: [
    `CREATE TABLE waf_migration_snapshots (
      zone_id TEXT PRIMARY KEY REFERENCES zones (id) ON DELETE CASCADE, taken_on TEXT NOT NULL, content TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],
}
