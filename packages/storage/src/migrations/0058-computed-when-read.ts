// The JSON of a record is not computed when it is written any more: SQLite did, only to find that it is not null.
// PostgreSQL stores the column.
import { BODY } from './0040-short-bodies.ts'
import type { Migration } from './migration.ts'

export const computedWhenRead: Migration = {
  version: 58,
  name: 'computed when read',
  sqlite: [
    `ALTER TABLE dns_records DROP COLUMN body`,
    `ALTER TABLE dns_records ADD COLUMN body TEXT GENERATED ALWAYS AS (${BODY}) VIRTUAL`,
  ],
  postgres: [],
}
