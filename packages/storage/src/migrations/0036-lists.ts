// Named lists of accounts, their items, and the bulk operations that changed them.
import type { Migration } from './migration.ts'

export const lists: Migration = {
  version: 36,
  name: 'lists',
  sqlite: [
    `CREATE TABLE lists (
      position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, kind TEXT NOT NULL, name TEXT NOT NULL,
      description TEXT, created_on TEXT NOT NULL, modified_on TEXT NOT NULL, UNIQUE (account_id, name)
    ) STRICT`,
    `CREATE TABLE list_items (
      position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
      list_id TEXT NOT NULL REFERENCES lists (id) ON DELETE CASCADE, key TEXT NOT NULL, value TEXT NOT NULL,
      comment TEXT, created_on TEXT NOT NULL, modified_on TEXT NOT NULL, UNIQUE (list_id, key)
    ) STRICT`,
    `CREATE INDEX list_items_by_list ON list_items (list_id, position)`,
    `CREATE TABLE list_operations (
      number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, completed_on TEXT NOT NULL
    ) STRICT`,
    `CREATE INDEX list_operations_by_account ON list_operations (account_id, number)`,
  ],
}
