// The JSON of a record is no column any more: SQLite computed it for each row that was written, which took a third of the time of
// storing it. Statements that read it have the expression. PostgreSQL has a function of the row (migration 64).
import type { Migration } from './migration.ts'

export const noGeneratedBody: Migration = {
  version: 65,
  name: 'no generated body',
  sqlite: [`ALTER TABLE dns_records DROP COLUMN body`],
  postgres: [],
}
