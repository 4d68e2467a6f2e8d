// The legacy firewall: managed rules in packages, overrides by URL, firewall rules with their filters, page
// rules.
import type { Migration } from './migration.ts'

const ofZone = 'zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE'

export const previousFirewall: Migration = {
  version: 6,
  name: 'previous firewall',
  sqlite: [
    `CREATE TABLE waf_migrations (
      zone_id TEXT PRIMARY KEY REFERENCES zones (id) ON DELETE CASCADE, state TEXT NOT NULL DEFAULT 'start'
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE waf_choices (
      ${ofZone}, package_id TEXT NOT NULL, kind TEXT NOT NULL, object_id TEXT NOT NULL, choice TEXT NOT NULL,
      PRIMARY KEY (zone_id, package_id, kind, object_id)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE waf_overrides (
      id TEXT PRIMARY KEY, ${ofZone}, priority INTEGER NOT NULL, paused INTEGER NOT NULL, description TEXT,
      urls TEXT NOT NULL, groups TEXT NOT NULL, rules TEXT NOT NULL, rewrite_action TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX waf_overrides_by_zone ON waf_overrides (zone_id, priority, id)`,
    `CREATE TABLE filters (
      id TEXT PRIMARY KEY, ${ofZone}, expression TEXT NOT NULL, paused INTEGER NOT NULL, description TEXT, ref TEXT
    ) STRICT, WITHOUT ROWID`,
    `CREATE UNIQUE INDEX filters_by_expression ON filters (zone_id, expression)`,
    `CREATE TABLE firewall_rules (
      id TEXT PRIMARY KEY, ${ofZone}, filter_id TEXT NOT NULL REFERENCES filters (id), action TEXT NOT NULL,
      products TEXT, priority INTEGER, paused INTEGER NOT NULL, description TEXT, ref TEXT,
      created_on TEXT NOT NULL, modified_on TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX firewall_rules_by_zone ON firewall_rules (zone_id)`,
    `CREATE INDEX firewall_rules_by_filter ON firewall_rules (filter_id)`,
    `CREATE TABLE page_rules (
      id TEXT PRIMARY KEY, ${ofZone}, priority INTEGER NOT NULL, status TEXT NOT NULL, targets TEXT NOT NULL,
      actions TEXT NOT NULL, created_on TEXT NOT NULL, modified_on TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX page_rules_by_zone ON page_rules (zone_id, priority)`,
  ],
}
