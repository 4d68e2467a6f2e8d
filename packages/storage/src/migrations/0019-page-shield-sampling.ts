// Share of a zone's documents that get monitoring's header, for zones that differ from the default.
import type { Migration } from './migration.ts'

export const pageShieldSampling: Migration = {
  version: 19,
  name: 'page shield sampling',
  sqlite: [
    `CREATE TABLE page_shield_sampling (
      zone_id TEXT PRIMARY KEY REFERENCES zones (id) ON DELETE CASCADE, sampling TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],
}
