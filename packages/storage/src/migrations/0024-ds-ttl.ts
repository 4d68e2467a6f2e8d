// How long caches keep the parent's DS: known only while the parent has one.
import type { Migration } from './migration.ts'

export const dsTtl: Migration = {
  version: 24,
  name: 'ds ttl',
  sqlite: [`ALTER TABLE zone_dnssec ADD COLUMN ds_ttl_seconds INTEGER`],
}
