// Contents of scripts: when each was fetched, and its source. Sources are stored once per zone and SHA-256.
import type { Migration } from './migration.ts'

export const scriptSources: Migration = {
  version: 34,
  name: 'script sources',
  sqlite: [
    `CREATE TABLE page_shield_contents (
      position INTEGER PRIMARY KEY, zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE,
      script_id TEXT NOT NULL REFERENCES page_shield_resources (id) ON DELETE CASCADE, content_sha256 TEXT NOT NULL,
      hash TEXT NOT NULL, byte_length INTEGER NOT NULL, first_fetched_at TEXT NOT NULL, last_fetched_at TEXT NOT NULL
    ) STRICT`,
    `CREATE INDEX page_shield_contents_by_script ON page_shield_contents (script_id, position)`,
    `CREATE INDEX page_shield_contents_by_digest ON page_shield_contents (zone_id, content_sha256)`,
    `CREATE TABLE page_shield_sources (
      position INTEGER PRIMARY KEY, zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE,
      content_sha256 TEXT NOT NULL, charset TEXT, stored_bytes INTEGER NOT NULL, source BLOB NOT NULL
    ) STRICT`,
    `CREATE UNIQUE INDEX page_shield_sources_by_digest ON page_shield_sources (zone_id, content_sha256)`,
    `CREATE INDEX page_shield_sources_by_zone ON page_shield_sources (zone_id, position, stored_bytes)`,
    `CREATE TABLE page_shield_fetching (
      zone_id TEXT PRIMARY KEY REFERENCES zones (id) ON DELETE CASCADE, fetching TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],
}
