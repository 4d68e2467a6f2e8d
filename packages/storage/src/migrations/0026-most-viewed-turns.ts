// Scripts that wait to be fetched, by number of page views: the most viewed scripts have their own turns.
import type { Migration } from './migration.ts'

export const mostViewedTurns: Migration = {
  version: 26,
  name: 'most viewed turns',
  sqlite: [
    `CREATE INDEX page_shield_resources_most_viewed ON page_shield_resources (zone_id, page_views, waiting_site)
      WHERE waiting_site IS NOT NULL`,
  ],
}
