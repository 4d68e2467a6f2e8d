// The first schema.
import type { Migration } from './migration.ts'

export const first: Migration = {
  version: 1,
  name: 'first',
  sqlite: [
    `CREATE TABLE users (
      id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, key_hash TEXT,
      created_on TEXT NOT NULL, modified_on TEXT NOT NULL
    ) STRICT`,
    `CREATE TABLE accounts (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, name_search TEXT NOT NULL, type TEXT NOT NULL, settings TEXT NOT NULL,
      created_on TEXT NOT NULL
    ) STRICT`,
    `CREATE TABLE memberships (
      id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id),
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, UNIQUE (user_id, account_id)
    ) STRICT`,
    `CREATE TABLE tokens (
      id TEXT PRIMARY KEY, owner_kind TEXT NOT NULL, owner_id TEXT NOT NULL, name TEXT NOT NULL,
      status TEXT NOT NULL, value_hash TEXT NOT NULL UNIQUE, policies TEXT NOT NULL, condition TEXT,
      not_before TEXT, expires_on TEXT, issued_on TEXT NOT NULL, modified_on TEXT NOT NULL, last_used_on TEXT
    ) STRICT`,
    `CREATE INDEX tokens_by_owner ON tokens (owner_kind, owner_id, issued_on, id)`,
    `CREATE TABLE zones (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES accounts (id), name TEXT NOT NULL UNIQUE,
      display_name TEXT NOT NULL, status TEXT NOT NULL, paused INTEGER NOT NULL, type TEXT NOT NULL,
      plan TEXT NOT NULL, name_servers TEXT NOT NULL, serial INTEGER NOT NULL, record_count INTEGER NOT NULL,
      address_count INTEGER NOT NULL, created_on TEXT NOT NULL, modified_on TEXT NOT NULL, activated_on TEXT
    ) STRICT`,
    `CREATE INDEX zones_by_account ON zones (account_id, name)`,
    `CREATE TABLE dns_records (
      id TEXT PRIMARY KEY, zone_id TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, content TEXT NOT NULL,
      content_search TEXT NOT NULL, text_search TEXT, identity TEXT NOT NULL, rdata BLOB NOT NULL,
      ttl INTEGER NOT NULL, proxied INTEGER NOT NULL, settings TEXT NOT NULL, comment TEXT,
      comment_search TEXT NOT NULL, tags_search TEXT NOT NULL, created_on TEXT NOT NULL, modified_on TEXT NOT NULL, body TEXT NOT NULL
    ) STRICT`,
    `CREATE UNIQUE INDEX dns_records_by_name ON dns_records (zone_id, name, type, identity)`,
    `CREATE UNIQUE INDEX dns_records_by_type ON dns_records (zone_id, type, name, id)`,
    `CREATE TABLE record_counts (
      zone_id TEXT NOT NULL, type TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (zone_id, type)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE changes (
      position INTEGER PRIMARY KEY AUTOINCREMENT, scope_id TEXT NOT NULL, number INTEGER NOT NULL, at TEXT NOT NULL,
      actor_kind TEXT NOT NULL, actor_id TEXT NOT NULL, actor_name TEXT NOT NULL, request_id TEXT NOT NULL,
      serial INTEGER
    ) STRICT`,
    `CREATE UNIQUE INDEX changes_by_scope ON changes (scope_id, number)`,
    `CREATE TABLE change_ops (
      position INTEGER NOT NULL, ordinal INTEGER NOT NULL, kind TEXT NOT NULL, object_id TEXT NOT NULL,
      "before" TEXT, "after" TEXT, PRIMARY KEY (position, ordinal)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT`,
  ],
}
