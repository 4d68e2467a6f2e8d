// Rulesets of zones and accounts, with all their versions. Each version of a rule is stored once.
import type { Migration } from './migration.ts'

export const rulesets: Migration = {
  version: 7,
  name: 'rulesets',
  sqlite: [
    `CREATE TABLE rulesets (
      position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
      zone_id TEXT REFERENCES zones (id) ON DELETE CASCADE,
      account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
      kind TEXT NOT NULL, phase TEXT NOT NULL, version INTEGER NOT NULL, rule_count INTEGER NOT NULL,
      CHECK ((zone_id IS NULL) <> (account_id IS NULL))
    ) STRICT`,
    `CREATE INDEX rulesets_by_zone ON rulesets (zone_id, phase)`,
    `CREATE INDEX rulesets_by_account ON rulesets (account_id, phase)`,
    `CREATE UNIQUE INDEX rulesets_entry_points ON rulesets (coalesce(zone_id, account_id), phase)
      WHERE kind IN ('zone', 'root')`,
    `CREATE TABLE ruleset_versions (
      ruleset_id TEXT NOT NULL REFERENCES rulesets (id) ON DELETE CASCADE, version INTEGER NOT NULL,
      name TEXT NOT NULL, description TEXT NOT NULL, last_updated TEXT NOT NULL, rules TEXT NOT NULL,
      PRIMARY KEY (ruleset_id, version)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE ruleset_rules (
      ruleset_id TEXT NOT NULL REFERENCES rulesets (id) ON DELETE CASCADE, rule_id TEXT NOT NULL,
      version INTEGER NOT NULL, ref TEXT NOT NULL, last_updated TEXT NOT NULL, regex_bytes INTEGER NOT NULL,
      definition TEXT NOT NULL, PRIMARY KEY (ruleset_id, rule_id, version)
    ) STRICT, WITHOUT ROWID`,
  ],
}
