// Options of records, for those who serve them. None could be on before, so old rows have none.
import type { Migration } from './migration.ts'

export const recordSettings: Migration = {
  version: 2,
  name: 'record settings',
  sqlite: [`ALTER TABLE dns_records ADD COLUMN settings TEXT NOT NULL DEFAULT '{}'`],
}
