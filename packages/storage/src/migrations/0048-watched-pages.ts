// Watched pages of monitoring, and what they were. A snapshot is a row while the page stays as it is.
import type { Migration } from './migration.ts'

export const watchedPages: Migration = {
  version: 48,
  name: 'watched pages',
  sqlite: [
    `CREATE TABLE page_shield_pages (
      id TEXT PRIMARY KEY, zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE, url TEXT NOT NULL,
      interval_minutes INTEGER NOT NULL, created_on TEXT NOT NULL, checked_at TEXT, next_check_at TEXT NOT NULL,
      failures INTEGER NOT NULL, problem TEXT
    ) STRICT, WITHOUT ROWID`,
    `CREATE UNIQUE INDEX page_shield_pages_by_zone ON page_shield_pages (zone_id, url)`,
    `CREATE INDEX page_shield_pages_by_check ON page_shield_pages (next_check_at)`,
    `CREATE TABLE page_shield_page_snapshots (
      position INTEGER PRIMARY KEY, zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE,
      page_id TEXT NOT NULL REFERENCES page_shield_pages (id) ON DELETE CASCADE, source TEXT NOT NULL,
      final_url TEXT NOT NULL, headers TEXT NOT NULL, scripts TEXT NOT NULL, omitted_scripts INTEGER NOT NULL,
      missing_policies TEXT NOT NULL, first_seen_at TEXT NOT NULL, last_seen_at TEXT NOT NULL
    ) STRICT`,
    `CREATE INDEX page_shield_page_snapshots_by_page ON page_shield_page_snapshots (page_id, source, position)`,
    `CREATE INDEX page_shield_page_snapshots_by_zone ON page_shield_page_snapshots (zone_id)`,
  ],
}
