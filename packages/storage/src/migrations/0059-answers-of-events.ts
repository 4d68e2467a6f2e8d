// What the origin answered, and fields that rules log, in security events.
import type { Migration } from './migration.ts'

export const answersOfEvents: Migration = {
  version: 59,
  name: 'answers of events',
  sqlite: [
    `ALTER TABLE security_events ADD COLUMN origin_status INTEGER`,
    `ALTER TABLE security_events ADD COLUMN logged_fields TEXT`,
  ],
}
