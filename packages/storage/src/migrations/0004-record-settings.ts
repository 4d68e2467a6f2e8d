// Settings of records, for databases created before the first migration contained them.
import type { Migration } from './migration.ts'

export const recordSettings: Migration = {
  version: 4,
  name: 'record settings',
  unless: { table: 'dns_records', column: 'settings' },
  sqlite: [`ALTER TABLE dns_records ADD COLUMN settings TEXT NOT NULL DEFAULT '{}'`],
  postgres: [], // as above
}
