// E-mail alerts of monitoring. Like those of webhooks, events after `last_event` are pending.
import type { Migration } from './migration.ts'

export const pageShieldEmailAlerts: Migration = {
  version: 47,
  name: 'page shield email alerts',
  sqlite: [
    `CREATE TABLE page_shield_email_alerts (
      id TEXT PRIMARY KEY, zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE, recipients TEXT NOT NULL,
      kinds TEXT NOT NULL, enabled INTEGER NOT NULL, digest_minutes INTEGER NOT NULL, created_on TEXT NOT NULL,
      last_event INTEGER NOT NULL, delivered_at TEXT, failures INTEGER NOT NULL, problem TEXT, next_attempt_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX page_shield_email_alerts_by_zone ON page_shield_email_alerts (zone_id, created_on)`,
  ],
}
