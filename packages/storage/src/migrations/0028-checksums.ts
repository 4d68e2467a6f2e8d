// Checksums of stored values, and an ID that identifies the database. `checksum` is a function of the program.
import type { Migration } from './migration.ts'

export const checksums: Migration = {
  version: 28,
  name: 'checksums',
  sqlite: [
    `CREATE TABLE database_identity (id TEXT NOT NULL) STRICT`,
    `INSERT INTO database_identity (id) VALUES (lower(hex(randomblob(16))))`,
    `ALTER TABLE dns_records ADD COLUMN served_checksum INTEGER`,
    `ALTER TABLE dns_records ADD COLUMN body_checksum INTEGER`,
    `UPDATE dns_records SET served_checksum = checksum(name, type, ttl, proxied, settings, rdata),
      body_checksum = checksum(id, body)`,
    `ALTER TABLE change_ops ADD COLUMN checksum INTEGER`,
    `UPDATE change_ops SET checksum = checksum(kind, object_id, "before", "after")`,
  ],
  // No database is older.
  postgres: [
    `CREATE TABLE database_identity (id text NOT NULL)`,
    `INSERT INTO database_identity (id) VALUES (replace(gen_random_uuid()::text, '-', ''))`,
    `ALTER TABLE dns_records ADD COLUMN served_checksum int8, ADD COLUMN body_checksum int8`,
    `ALTER TABLE change_ops ADD COLUMN checksum int8`,
  ],
}
