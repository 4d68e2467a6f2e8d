// Zones that their primary is to sign.
import type { Migration } from './migration.ts'

export const presigned: Migration = {
  version: 61,
  name: 'presigned',
  sqlite: [`ALTER TABLE zone_dnssec ADD COLUMN presigned INTEGER NOT NULL DEFAULT 0`],
}
