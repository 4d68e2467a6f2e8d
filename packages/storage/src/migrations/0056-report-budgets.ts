// What the reports of each network added to a zone's inventory today, by keyed digests of networks; and for a script
// that only one network has reported, the digest of that network. Also the order in which the history of a watched
// page is read.
import type { Migration } from './migration.ts'

export const reportBudgets: Migration = {
  version: 56,
  name: 'report budgets',
  sqlite: [
    `CREATE TABLE page_shield_reporters (
      digest TEXT PRIMARY KEY, zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE, day TEXT NOT NULL,
      resources INTEGER NOT NULL, code INTEGER NOT NULL, fetches INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX page_shield_reporters_by_zone ON page_shield_reporters (zone_id, day)`,
    `ALTER TABLE page_shield_resources ADD COLUMN sole_reporter TEXT`,
    `CREATE INDEX page_shield_page_snapshots_by_position ON page_shield_page_snapshots (page_id, position)`,
  ],
}
