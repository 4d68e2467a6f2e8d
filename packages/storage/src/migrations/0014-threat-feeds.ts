// Threat feeds and their entries.
import type { Migration } from './migration.ts'

export const threatFeeds: Migration = {
  version: 14,
  name: 'threat feeds',
  sqlite: [
    `CREATE TABLE threat_feeds (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, format TEXT NOT NULL, url TEXT, categories TEXT,
      interval_minutes INTEGER, created_on TEXT NOT NULL, state TEXT NOT NULL, problem TEXT, import_id INTEGER,
      current_import TEXT, held_id INTEGER, held_import TEXT, imported_at TEXT, attempted_at TEXT,
      next_attempt_at TEXT, failures INTEGER NOT NULL, validators TEXT
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE threat_imports (id INTEGER PRIMARY KEY AUTOINCREMENT, feed_id TEXT NOT NULL) STRICT`,
    `CREATE TABLE threat_entries (
      import_id INTEGER NOT NULL, key TEXT NOT NULL, categories INTEGER NOT NULL, PRIMARY KEY (import_id, key)
    ) STRICT, WITHOUT ROWID`,
  ],
}
