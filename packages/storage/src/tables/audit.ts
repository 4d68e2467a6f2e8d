// Tables of the audit log.
import { flag, integer, nullable, text } from '../column.ts'
import { defineTable } from '../table.ts'

export const audit_log = defineTable('audit_log', ['number'], {
  number: integer,
  at: text,
  /** Null for users, sign-ins and the server itself. */
  account_id: nullable(text),
  zone_id: nullable(text),
  /** At the time of the entry: the zone may be gone. */
  zone_name: nullable(text),
  actor_kind: text,
  actor_id: text,
  actor_name: text,
  address: nullable(text),
  action: text,
  resource_type: text,
  resource_id: text,
  succeeded: flag,
  request_id: text,
  /** JSON text, as it was hashed. */
  detail: text,
  hash: text,
})

/** One row: the last entry that was deleted. */
export const audit_log_start = defineTable('audit_log_start', ['id'], {
  id: integer,
  number: integer,
  hash: text,
})
