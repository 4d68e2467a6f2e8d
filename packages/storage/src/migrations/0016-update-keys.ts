// Keys that sign dynamic updates, each with the permissions of a token.
import type { Migration } from './migration.ts'

export const updateKeys: Migration = {
  version: 16,
  name: 'update keys',
  sqlite: [
    `CREATE TABLE update_keys (
      id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, algorithm TEXT NOT NULL, secret TEXT NOT NULL,
      token_id TEXT NOT NULL REFERENCES tokens (id) ON DELETE CASCADE, user_id TEXT NOT NULL, created_on TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX update_keys_by_token ON update_keys (token_id)`,
    `CREATE INDEX update_keys_by_user ON update_keys (user_id)`,
  ],
}
