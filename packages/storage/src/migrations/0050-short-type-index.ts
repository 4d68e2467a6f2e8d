// The index of a zone's records by type has no IDs any more: 33 bytes of each record. Records of one name and type are in
// the order in which they were stored. PostgreSQL has no such order, and keeps its index.
import type { Migration } from './migration.ts'

export const shortTypeIndex: Migration = {
  version: 50,
  name: 'short type index',
  sqlite: [
    `DROP INDEX dns_records_by_type`,
    `CREATE INDEX dns_records_by_type ON dns_records (zone_id, type, name)`,
  ],
  postgres: [],
}
