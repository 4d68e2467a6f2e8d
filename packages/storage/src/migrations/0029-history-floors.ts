// Where the history of each scope begins; scopes with a complete history have no row.
import type { Migration } from './migration.ts'

export const historyFloors: Migration = {
  version: 29,
  name: 'history floors',
  sqlite: [
    `CREATE TABLE history_floors (scope_id TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  ],
}
