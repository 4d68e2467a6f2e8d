// Client-side monitoring: settings, inventory, script contents, authorizations, events.
import type { Migration } from './migration.ts'

export const pageShield: Migration = {
  version: 8,
  name: 'page shield',
  sqlite: [
    `CREATE TABLE page_shield_settings (
      zone_id TEXT PRIMARY KEY REFERENCES zones (id) ON DELETE CASCADE, enabled INTEGER NOT NULL,
      use_service_reporting_endpoint INTEGER NOT NULL, use_connection_url_path INTEGER NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE page_shield_retention (
      zone_id TEXT PRIMARY KEY REFERENCES zones (id) ON DELETE CASCADE, retention TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE page_shield_resources (
      id TEXT PRIMARY KEY, zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE, kind TEXT NOT NULL,
      host TEXT NOT NULL, url TEXT NOT NULL, url_host TEXT NOT NULL, has_cdn_cgi INTEGER NOT NULL,
      added_at TEXT NOT NULL, first_seen_at TEXT NOT NULL, last_seen_at TEXT NOT NULL, page_views INTEGER NOT NULL,
      first_page_url TEXT NOT NULL, page_urls TEXT NOT NULL, is_malicious INTEGER NOT NULL, domain_categories TEXT,
      url_categories TEXT, feed_version INTEGER NOT NULL, hash TEXT, content_sha256 TEXT, sri TEXT, scores TEXT,
      fetched_at TEXT, fetch_due_at TEXT, fetch_leased_until TEXT, fetch_failures INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX page_shield_resources_by_url ON page_shield_resources (zone_id, kind, host, url)`,
    `CREATE INDEX page_shield_resources_to_fetch ON page_shield_resources (fetch_due_at) WHERE fetch_due_at IS NOT NULL`,
    `CREATE INDEX page_shield_resources_to_check ON page_shield_resources (feed_version)`,
    `CREATE TABLE page_shield_versions (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      script_id TEXT NOT NULL REFERENCES page_shield_resources (id) ON DELETE CASCADE,
      hash TEXT, content_sha256 TEXT, sri TEXT, scores TEXT, fetched_at TEXT NOT NULL, reasons TEXT NOT NULL
    ) STRICT`,
    `CREATE INDEX page_shield_versions_by_script ON page_shield_versions (script_id, position)`,
    `CREATE TABLE page_shield_browser_hashes (
      script_id TEXT NOT NULL REFERENCES page_shield_resources (id) ON DELETE CASCADE, hash TEXT NOT NULL,
      first_seen_at TEXT NOT NULL, last_seen_at TEXT NOT NULL, PRIMARY KEY (script_id, hash)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE page_shield_cookies (
      id TEXT PRIMARY KEY, zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE, type TEXT NOT NULL,
      name TEXT NOT NULL, host TEXT NOT NULL, domain_attribute TEXT NOT NULL,
      is_host_only INTEGER NOT NULL, path_attribute TEXT NOT NULL,
      expires_attribute TEXT, max_age_attribute INTEGER, http_only_attribute INTEGER NOT NULL,
      secure_attribute INTEGER NOT NULL, same_site_attribute TEXT, first_seen_at TEXT NOT NULL,
      last_seen_at TEXT NOT NULL, first_page_url TEXT NOT NULL, page_urls TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX page_shield_cookies_by_name ON page_shield_cookies (zone_id, name)`,
    `CREATE TABLE page_shield_authorizations (
      zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE, script_id TEXT NOT NULL, url TEXT NOT NULL,
      host TEXT NOT NULL, owner TEXT NOT NULL, justification TEXT NOT NULL, authorized_by TEXT NOT NULL,
      authorized_at TEXT NOT NULL, expires_at TEXT, hash TEXT, PRIMARY KEY (zone_id, script_id)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE page_shield_events (
      number INTEGER PRIMARY KEY AUTOINCREMENT, zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE,
      at TEXT NOT NULL, kind TEXT NOT NULL, resource_id TEXT NOT NULL, url TEXT NOT NULL, host TEXT NOT NULL,
      page_url TEXT NOT NULL, previous_hash TEXT, hash TEXT
    ) STRICT`,
    `CREATE INDEX page_shield_events_by_zone ON page_shield_events (zone_id, number)`,
  ],
}
