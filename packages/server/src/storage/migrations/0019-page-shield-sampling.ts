// With which part of a zone's documents monitoring's header goes, where that is not as usual.
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
