// Content-security policies, and violation counts.
import type { Migration } from './migration.ts'

export const pageShieldPolicies: Migration = {
  version: 9,
  name: 'page shield policies',
  sqlite: [
    `CREATE TABLE page_shield_policies (
      position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
      zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE, description TEXT NOT NULL, action TEXT NOT NULL,
      expression TEXT NOT NULL, enabled INTEGER NOT NULL, is_enabled_text INTEGER NOT NULL, value TEXT NOT NULL
    ) STRICT`,
    `CREATE INDEX page_shield_policies_by_zone ON page_shield_policies (zone_id, position)`,
    `CREATE TABLE page_shield_violations (
      zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE, policy_id TEXT NOT NULL, action TEXT NOT NULL,
      directive TEXT NOT NULL, url TEXT NOT NULL, resource_type TEXT NOT NULL, count INTEGER NOT NULL,
      first_seen_at TEXT NOT NULL, last_seen_at TEXT NOT NULL, last_page_url TEXT NOT NULL,
      PRIMARY KEY (zone_id, policy_id, action, directive, url)
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX page_shield_violations_by_count ON page_shield_violations (zone_id, count)`,
  ],
}
