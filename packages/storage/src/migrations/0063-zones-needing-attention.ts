// Indexes of what needs attention: as large as the number of problems, not as that of zones or scripts.
import type { Migration } from './migration.ts'

export const zonesNeedingAttention: Migration = {
  version: 63,
  name: 'zones needing attention',
  sqlite: [
    `CREATE INDEX page_shield_resources_malicious ON page_shield_resources (zone_id) WHERE is_malicious = 1`,
    `CREATE INDEX followed_zones_with_problem ON followed_zones (zone_id) WHERE problem IS NOT NULL`,
  ],
}
