// What managed rules did not inspect, in security events.
import type { Migration } from './migration.ts'

export const uninspectedFields: Migration = {
  version: 49,
  name: 'uninspected fields',
  sqlite: [`ALTER TABLE security_events ADD COLUMN uninspected_field TEXT`],
}
