// Threat feeds can be disabled without deleting them.
import type { Migration } from './migration.ts'

export const threatFeedSwitch: Migration = {
  version: 18,
  name: 'threat feed switch',
  sqlite: ['ALTER TABLE threat_feeds ADD COLUMN is_enabled INTEGER NOT NULL DEFAULT 1'],
}
