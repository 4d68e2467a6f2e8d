// Tables of zones, their settings and the change log.
import { anyJson, bytes, flag, generated, integer, json, lines, nullable, oneOf, text } from '../column.ts'
import { STRINGS, isAnything } from '../json-shapes.ts'
import { defineTable } from '../table.ts'

export const zones = defineTable('zones', ['id'], {
  id: text,
  account_id: text,
  /** Name of the apex in A-labels. */
  name: text,
  /** The name as its owner wrote it, with U-labels. */
  display_name: text,
  status: oneOf<'initializing' | 'pending' | 'active' | 'moved'>(),
  paused: flag,
  type: text,
  plan: text,
  name_servers: json(STRINGS),
  /** Custom nameserver names used instead of the default ones; empty if there are none. */
  vanity_name_servers: json(STRINGS),
  /** SOA serial: increases once per change set. */
  serial: integer,
  record_count: integer,
  /** Number of A and AAAA records. */
  address_count: integer,
  created_on: text,
  modified_on: text,
  activated_on: nullable(text),
})

/** The last serial of each deleted zone name. */
export const zone_serials = defineTable('zone_serials', ['name'], { name: text, serial: integer })

/** Deleted zones whose records are not deleted yet, and the position of their deletion in the change log. */
export const deleted_zones = defineTable('deleted_zones', ['zone_id'], { zone_id: text, position: integer })

/** Values of settings that were ever set. */
export const zone_settings = defineTable('zone_settings', ['zone_id', 'name'], {
  zone_id: text,
  name: text,
  value: anyJson(isAnything),
  modified_on: text,
})

export const changes = defineTable('changes', ['scope_id', 'number'], {
  /** Order across all scopes. */
  position: generated,
  /** ID of the zone, account or user that changed. */
  scope_id: text,
  /** Order within the scope, from 1, without gaps. */
  number: integer,
  at: text,
  actor_kind: oneOf<'token' | 'key' | 'session' | 'anonymous' | 'system'>(),
  actor_id: text,
  actor_name: text,
  request_id: text,
  /** The zone's serial after the change. */
  serial: nullable(integer),
})

export const change_ops = defineTable('change_ops', ['position', 'ordinal'], {
  position: integer,
  ordinal: integer,
  kind: text,
  object_id: text,
  /** JSON, like `after`. */
  before: nullable(text),
  after: nullable(text),
  /** Null in rows of versions without checksums. */
  checksum: nullable(integer),
})

/** Operations of large change sets after those in `change_ops`. */
export const change_op_blocks = defineTable('change_op_blocks', ['position', 'ordinal'], {
  position: integer,
  /** Of the first operation. */
  ordinal: integer,
  operations: integer,
  /** The kinds of its operations. */
  kinds: lines,
  /** Compressed members of the operations. */
  packed: bytes,
  checksum: integer,
})

/** The oldest change set that still has its operations, for each scope with a compacted history. */
export const history_floors = defineTable('history_floors', ['scope_id'], { scope_id: text, number: integer })

/** Settings of the whole program. */
export const settings = defineTable('settings', ['name'], { name: text, value: text })
