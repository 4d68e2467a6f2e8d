// The failure of a script's last fetch, and the data to compare the next one with.
import type { Migration } from './migration.ts'

export const scriptFetches: Migration = {
  version: 12,
  name: 'script fetches',
  sqlite: [
    `ALTER TABLE page_shield_resources ADD COLUMN fetch_problem TEXT`,
    `ALTER TABLE page_shield_resources ADD COLUMN fetch_memory TEXT`,
  ],
}
