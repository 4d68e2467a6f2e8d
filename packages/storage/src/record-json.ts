// The JSON of a record, made of its row when it is read.
import { byEngine } from './engine.ts'
import { BODY } from './migrations/0040-short-bodies.ts'
import { sql } from './query.ts'

/**
 * The record as the API returns it, from a row of dns_records. In SQLite, the JSON of most records is made without `format`, which
 * takes two thirds of the time. It is no column: SQLite computes those when a row is written, too. A new form of the JSON needs an expression of its own: that of the
 * migration never changes.
 */
export const RECORD_JSON = byEngine({
  sqlite: sql<string>`CASE WHEN stored_body IN ('p', 'n') THEN concat('{"id":"', id, '","zone_id":"', zone_id,
    '","zone_name":"', substr(name, -zone_name_length), '","name":"', name, '","type":"', shown_type,
    '","content":"', replace(content, '"', '\\"'),
    CASE stored_body WHEN 'p' THEN '","proxiable":true' ELSE '","proxiable":false' END,
    CASE proxied WHEN 0 THEN ',"proxied":false,"ttl":' ELSE ',"proxied":true,"ttl":' END, ttl,
    ',"locked":false,"settings":', CASE shown_settings WHEN '' THEN '{}' ELSE shown_settings END,
    ',"meta":{"auto_added":false,"managed_by_apps":false,"managed_by_service_tunnel":false,"source":"primary"}',
    ',"comment":null,"tags":[],"created_on":"', created_on, '","modified_on":"',
    CASE modified_on WHEN '' THEN created_on ELSE modified_on END, '"}') ELSE ${sql.raw<string>(BODY)} END`,
  postgres: sql<string>`dns_records.body`,
})
