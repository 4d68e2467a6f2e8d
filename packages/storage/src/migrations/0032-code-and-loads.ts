// Code that pages run without a URL of its own, and events of frames, images and form targets.
import type { Migration } from './migration.ts'

export const codeAndLoads: Migration = {
  version: 32,
  name: 'code and loads',
  sqlite: [
    `CREATE TABLE page_shield_code (
      id TEXT PRIMARY KEY, zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE, kind TEXT NOT NULL,
      host TEXT NOT NULL, sample TEXT NOT NULL, sample_sha256 TEXT, source_url TEXT NOT NULL, line INTEGER,
      first_seen_at TEXT NOT NULL, last_seen_at TEXT NOT NULL, page_views INTEGER NOT NULL,
      first_page_url TEXT NOT NULL, page_urls TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX page_shield_code_by_zone ON page_shield_code (zone_id, last_seen_at)`,
    `CREATE INDEX page_shield_events_reported_loads ON page_shield_events (resource_id)
      WHERE kind IN ('frame.reported', 'image.reported', 'form.reported')`,
  ],
}
