// IP access rules, user-agent rules and zone lockdown.
import type { Migration } from './migration.ts'

export const accessRules: Migration = {
  version: 43,
  name: 'access rules',
  sqlite: [
    // Without a zone and an account, a rule is for all zones.
    `CREATE TABLE access_rules (
      position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
      zone_id TEXT REFERENCES zones (id) ON DELETE CASCADE,
      account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE, target TEXT NOT NULL, value TEXT NOT NULL,
      mode TEXT NOT NULL, notes TEXT NOT NULL, created_on TEXT NOT NULL, modified_on TEXT NOT NULL
    ) STRICT`,
    `CREATE INDEX access_rules_by_zone ON access_rules (zone_id, value)`,
    `CREATE INDEX access_rules_by_account ON access_rules (account_id, value)`,
    `CREATE TABLE ua_rules (
      position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
      zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE, user_agent TEXT NOT NULL, mode TEXT NOT NULL,
      description TEXT NOT NULL, paused INTEGER NOT NULL
    ) STRICT`,
    `CREATE INDEX ua_rules_by_zone ON ua_rules (zone_id, position)`,
    `CREATE TABLE lockdowns (
      position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
      zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE, urls TEXT NOT NULL,
      configurations TEXT NOT NULL, priority INTEGER, description TEXT NOT NULL, paused INTEGER NOT NULL,
      created_on TEXT NOT NULL, modified_on TEXT NOT NULL
    ) STRICT`,
    `CREATE INDEX lockdowns_by_zone ON lockdowns (zone_id, position)`,
  ],
}
