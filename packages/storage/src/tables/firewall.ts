// Tables of the legacy firewall, of rulesets, and of security events.
import {
  anyJson,
  flag,
  generated,
  integer,
  json,
  listOrNull,
  namedColumn,
  nullable,
  oneOf,
  text,
} from '../column.ts'
import { STRINGS, isAnything, isBoolean, isObject, isText, listOf, objectWith } from '../json-shapes.ts'
import { defineTable } from '../table.ts'

/** Migration state of zones from legacy managed rules to rulesets; zones that never started one have no row. */
export const waf_migrations = defineTable('waf_migrations', ['zone_id'], { zone_id: text, state: text })

/** The legacy firewall at the time of the migration. */
export const waf_migration_snapshots = defineTable('waf_migration_snapshots', ['zone_id'], {
  zone_id: text,
  taken_on: text,
  content: json(isObject),
})

/** Changes to the catalogue of the legacy managed rules: of a package, a group or a rule. */
export const waf_choices = defineTable('waf_choices', ['zone_id', 'package_id', 'kind', 'object_id'], {
  zone_id: text,
  package_id: text,
  kind: oneOf<'package' | 'group' | 'rule'>(),
  object_id: namedColumn('id', text),
  choice: namedColumn('value', anyJson(isAnything)),
})

export const waf_overrides = defineTable('waf_overrides', ['id'], {
  id: text,
  zone_id: text,
  description: nullable(text),
  urls: json(STRINGS),
  priority: integer,
  groups: json(isObject),
  rules: json(isObject),
  rewrite_action: json(isObject),
  paused: flag,
})

export const filters = defineTable('filters', ['id'], {
  id: text,
  zone_id: text,
  expression: text,
  paused: flag,
  description: nullable(text),
  ref: nullable(text),
})

export const firewall_rules = defineTable('firewall_rules', ['id'], {
  id: text,
  zone_id: text,
  filter_id: text,
  action: text,
  /** Only for the action bypass. */
  products: listOrNull(STRINGS),
  /** Lower first, null last. */
  priority: nullable(integer),
  paused: flag,
  description: nullable(text),
  ref: nullable(text),
  created_on: text,
  modified_on: text,
})

export const page_rules = defineTable('page_rules', ['id'], {
  id: text,
  zone_id: text,
  targets: json(listOf(isObject)),
  actions: json(listOf(objectWith({ id: isText }))),
  /** Higher first. */
  priority: integer,
  status: text,
  created_on: text,
  modified_on: text,
})

/** Rulesets of zones and accounts. */
export const rulesets = defineTable('rulesets', ['id'], {
  /** Order in lists. */
  position: generated,
  id: text,
  zone_id: nullable(text),
  account_id: nullable(text),
  kind: oneOf<'managed' | 'custom' | 'root' | 'zone'>(),
  phase: text,
  /** The current version. */
  version: integer,
  rule_count: integer,
})

export const ruleset_versions = defineTable('ruleset_versions', ['ruleset_id', 'version'], {
  ruleset_id: text,
  version: integer,
  name: text,
  description: text,
  last_updated: text,
  /** ID and version of each rule, in order. */
  rules: json(listOf(Array.isArray)),
})

/** Each version of each rule, stored once even if several versions of the ruleset contain it. */
export const ruleset_rules = defineTable('ruleset_rules', ['ruleset_id', 'rule_id', 'version'], {
  ruleset_id: text,
  rule_id: namedColumn('id', text),
  version: integer,
  ref: text,
  last_updated: text,
  /** Estimated size of the automatons of its regular expressions. */
  regex_bytes: integer,
  definition: json(objectWith({ action: isText, expression: isText, enabled: isBoolean })),
})

/** What the firewall did about requests. Deleted zones may have events until the next sweep. */
export const security_events = defineTable('security_events', ['ray_id'], {
  number: generated,
  zone_id: text,
  ray_id: text,
  at: text,
  action: text,
  source: text,
  /** null, like phase and ruleset, for the legacy managed rules. */
  level: nullable(text),
  phase: nullable(text),
  ruleset_id: nullable(text),
  rule_id: text,
  /** null for an account's own rules, like the expression. */
  description: nullable(text),
  expression: nullable(text),
  matched_field: nullable(text),
  uninspected_field: nullable(text),
  method: text,
  host: text,
  /** Without the query, limited in length. */
  path: text,
  ip: text,
  /** null if it is not known. */
  origin_status: nullable(integer),
  logged_fields: nullable(json(isObject)),
})

/** How many requests had which anomaly score, by day. */
export const anomaly_scores = defineTable('anomaly_scores', ['zone_id', 'day', 'score'], {
  zone_id: text,
  /** As in `2026-01-05`, in UTC. */
  day: text,
  score: integer,
  requests: integer,
})

/** Named lists of accounts. */
export const lists = defineTable('lists', ['id'], {
  /** Order in lists. */
  position: generated,
  id: text,
  account_id: text,
  kind: oneOf<'ip' | 'redirect' | 'hostname' | 'asn'>(),
  name: text,
  description: nullable(text),
  created_on: text,
  modified_on: text,
})

export const list_items = defineTable('list_items', ['id'], {
  /** Order in lists. */
  position: generated,
  id: text,
  list_id: text,
  /** Two items of a list never have the same. */
  key: text,
  /** As in the API. */
  value: json(isObject),
  comment: nullable(text),
  created_on: text,
  modified_on: text,
})

/** Finished changes of items. */
export const list_operations = defineTable('list_operations', ['id'], {
  number: generated,
  id: text,
  account_id: text,
  completed_on: text,
})

/** IP access rules of zones, of accounts, and (without either) of all zones. */
export const access_rules = defineTable('access_rules', ['id'], {
  /** Order in lists. */
  position: generated,
  id: text,
  zone_id: nullable(text),
  account_id: nullable(text),
  target: oneOf<'ip' | 'ip6' | 'ip_range' | 'asn' | 'country'>(),
  value: text,
  mode: oneOf<'block' | 'challenge' | 'whitelist' | 'js_challenge' | 'managed_challenge'>(),
  notes: text,
  created_on: text,
  modified_on: text,
})

export const ua_rules = defineTable('ua_rules', ['id'], {
  /** Order in lists. */
  position: generated,
  id: text,
  zone_id: text,
  user_agent: text,
  mode: oneOf<'block' | 'challenge' | 'js_challenge' | 'managed_challenge'>(),
  description: text,
  paused: flag,
})

export const lockdowns = defineTable('lockdowns', ['id'], {
  /** Order in lists. */
  position: generated,
  id: text,
  zone_id: text,
  urls: json(STRINGS),
  configurations: json(listOf(objectWith({ target: isText, value: isText }))),
  /** Lower first, null last. */
  priority: nullable(integer),
  description: text,
  paused: flag,
  created_on: text,
  modified_on: text,
})
