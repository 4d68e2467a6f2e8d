// Webhooks of monitoring. Events after `last_event` are pending: there is no separate queue.
import type { Migration } from './migration.ts'

export const pageShieldWebhooks: Migration = {
  version: 27,
  name: 'page shield webhooks',
  sqlite: [
    `CREATE TABLE page_shield_webhooks (
      id TEXT PRIMARY KEY, zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE, url TEXT NOT NULL,
      kinds TEXT NOT NULL, enabled INTEGER NOT NULL, secret TEXT NOT NULL, created_on TEXT NOT NULL,
      last_event INTEGER NOT NULL, delivered_at TEXT, failures INTEGER NOT NULL, problem TEXT, next_attempt_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX page_shield_webhooks_by_zone ON page_shield_webhooks (zone_id, created_on)`,
  ],
}
