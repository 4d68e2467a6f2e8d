// Authorizations of scripts are bound to the exact content; events can be looked up by script.
import type { Migration } from './migration.ts'

export const authorizedContents: Migration = {
  version: 22,
  name: 'authorized contents',
  sqlite: [
    `ALTER TABLE page_shield_authorizations ADD COLUMN content_sha256 TEXT`,
    `CREATE INDEX page_shield_events_by_resource ON page_shield_events (resource_id, kind, at)`,
  ],
}
