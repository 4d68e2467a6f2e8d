// Scripts that wait to be fetched, by how many page views had them: what many visitors meet has turns of its own.
import type { Migration } from './migration.ts'

export const mostViewedTurns: Migration = {
  version: 26,
  name: 'most viewed turns',
  sqlite: [
    `CREATE INDEX page_shield_resources_most_viewed ON page_shield_resources (zone_id, page_views, waiting_site)
      WHERE waiting_site IS NOT NULL`,
  ],
}
