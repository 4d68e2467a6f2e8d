// Scripts that wait to be fetched, by zone and site, for round robin; and what to evict from a full inventory.
import type { Migration } from './migration.ts'

export const scriptTurns: Migration = {
  version: 21,
  name: 'script turns',
  sqlite: [
    `ALTER TABLE page_shield_resources ADD COLUMN waiting_site TEXT`,
    `DROP INDEX page_shield_resources_to_fetch`,
    `CREATE INDEX page_shield_resources_to_fetch ON page_shield_resources (fetch_due_at)
      WHERE fetch_due_at IS NOT NULL AND waiting_site IS NULL`,
    `CREATE INDEX page_shield_resources_waiting ON page_shield_resources (zone_id, waiting_site, fetch_due_at)
      WHERE waiting_site IS NOT NULL`,
    `CREATE INDEX page_shield_resources_by_silence
      ON page_shield_resources (zone_id, kind, last_seen_at, page_views, is_malicious)`,
    `CREATE INDEX page_shield_events_reported ON page_shield_events (resource_id)
      WHERE kind IN ('script.reported', 'connection.reported')`,
  ],
}
