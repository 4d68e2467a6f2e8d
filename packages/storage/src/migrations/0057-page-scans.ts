// Watched pages that a browser scans, too; and for a cookie what has set it.
import type { Migration } from './migration.ts'

export const pageScans: Migration = {
  version: 57,
  name: 'page scans',
  sqlite: [
    `ALTER TABLE page_shield_pages ADD COLUMN is_scanned INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE page_shield_cookies ADD COLUMN set_by TEXT`,
  ],
}
