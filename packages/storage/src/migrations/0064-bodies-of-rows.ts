// The JSON of a record is not stored by PostgreSQL any more: for each statement that wrote a record, it read the expression of the
// column again, which took longer than all else. A function of the row has its name, so that `dns_records.body` is read
// as before. Rows lose the stored text when they are written again.
import { postgresBody } from './0040-short-bodies.ts'
import type { Migration } from './migration.ts'

export const bodiesOfRows: Migration = {
  version: 64,
  name: 'bodies of rows',
  sqlite: [],
  postgres: [
    `ALTER TABLE dns_records DROP COLUMN body`,
    `CREATE FUNCTION body(record dns_records) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
      AS $$ SELECT ${postgresBody('record.')} $$`,
  ],
}
