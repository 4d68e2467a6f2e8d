// DNSSEC: which zones are signed, and with which keys.
import type { Migration } from './migration.ts'

export const dnssec: Migration = {
  version: 15,
  name: 'dnssec',
  sqlite: [
    `CREATE TABLE zone_dnssec (
      zone_id TEXT PRIMARY KEY REFERENCES zones (id) ON DELETE CASCADE, status TEXT NOT NULL,
      multi_signer INTEGER NOT NULL, use_nsec3 INTEGER NOT NULL, ds_gone_millis INTEGER, modified_on TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE dnssec_keys (
      id TEXT PRIMARY KEY, zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE, role TEXT NOT NULL,
      state TEXT NOT NULL, since_millis INTEGER NOT NULL, algorithm INTEGER NOT NULL, public_key BLOB NOT NULL,
      secret BLOB NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX dnssec_keys_by_zone ON dnssec_keys (zone_id)`,
  ],
}
