// Indexes of the orders of the zone list. Without them, a page of it sorts all zones.
import type { Migration } from './migration.ts'

export const zoneOrders: Migration = {
  version: 62,
  name: 'zone orders',
  sqlite: [
    `CREATE INDEX zones_by_status ON zones (status, name)`,
    `CREATE INDEX zones_by_plan ON zones (plan, name)`,
  ],
}
