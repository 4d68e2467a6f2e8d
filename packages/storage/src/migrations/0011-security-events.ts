// Security events: what the firewall did about requests.
import type { Migration } from './migration.ts'

/** Each index ends with the time: every list is read newest first from one of them. */
const INDEXED = ['action', 'source', 'rule_id', 'ruleset_id', 'host', 'path', 'method', 'ip']

export const securityEvents: Migration = {
  version: 11,
  name: 'security events',
  sqlite: [
    // No foreign key to the zone: deleting a zone would take as long as deleting all its events.
    `CREATE TABLE security_events (
      number INTEGER PRIMARY KEY AUTOINCREMENT, zone_id TEXT NOT NULL, ray_id TEXT NOT NULL UNIQUE, at TEXT NOT NULL,
      action TEXT NOT NULL, source TEXT NOT NULL, level TEXT, phase TEXT, ruleset_id TEXT, rule_id TEXT NOT NULL,
      description TEXT, expression TEXT, matched_field TEXT, method TEXT NOT NULL, host TEXT NOT NULL,
      path TEXT NOT NULL, ip TEXT NOT NULL
    ) STRICT`,
    `CREATE INDEX security_events_by_time ON security_events (zone_id, at)`,
    ...INDEXED.map(
      (column) => `CREATE INDEX security_events_by_${column} ON security_events (zone_id, ${column}, at)`,
    ),
  ],
}
