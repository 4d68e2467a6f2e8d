// Records are stored once: the JSON for replies is made from the other columns when it is read. Existing rows keep
// the whole text until they are written again.
import type { Migration } from './migration.ts'

/** The members of every record up to the value of `content`. Part of the schema, like the rest: never edit it. */
const START = `{"id":"%s","zone_id":"%s","zone_name":"%s","name":"%s","type":"%s","content":`
const STARTING = `id, zone_id, substr(name, -zone_name_length), name, shown_type`
const END = `,"meta":{"auto_added":false,"managed_by_apps":false,"managed_by_service_tunnel":false,"source":"primary"},"comment":null,"tags":[],"created_on":"%s","modified_on":"%s"}`
const ENDING = `created_on, CASE modified_on WHEN '' THEN created_on ELSE modified_on END`
const SETTINGS = `CASE shown_settings WHEN '' THEN '{}' ELSE shown_settings END`

/**
 * The stored text begins with `p` or `n`: the members between `content` and `proxiable`, which is true or false,
 * follow. `m`: all from the value of `content` to `settings` follow. `{`: it is the whole JSON. One call of `format`
 * takes half the time of joining the parts one by one.
 */
export const BODY = `CASE substr(stored_body, 1, 1) WHEN '{' THEN stored_body
  WHEN 'm' THEN format('${START}%s${END}', ${STARTING}, substr(stored_body, 2), ${ENDING})
  ELSE format('${START}"%s"%s,"proxiable":%s,"proxied":%s,"ttl":%d,"locked":false,"settings":%s${END}',
    ${STARTING}, replace(content, '"', '\\"'), substr(stored_body, 2),
    CASE substr(stored_body, 1, 1) WHEN 'p' THEN 'true' ELSE 'false' END,
    CASE proxied WHEN 0 THEN 'false' ELSE 'true' END, ttl, ${SETTINGS}, ${ENDING}) END`

/** PostgreSQL stores generated columns, and accepts only functions that always return the same: `format` may not. */
const joined = (format: string, values: readonly string[]): string =>
  format
    .split('%s')
    .map((text, index) => (index === 0 ? `'${text}'` : `${values[index - 1]} || '${text}'`))
    .join(' || ')
/** @param row ends with a period, where the columns are those of a row of this name. */
export function postgresBody(row = ''): string {
  const starting = [
    `${row}id`,
    `${row}zone_id`,
    `right(${row}name, ${row}zone_name_length::int4)`,
    `${row}name`,
    `${row}shown_type`,
  ]
  const ending = [
    `${row}created_on`,
    `CASE ${row}modified_on WHEN '' THEN ${row}created_on ELSE ${row}modified_on END`,
  ]
  const rest = `substr(${row}stored_body, 2)`
  return `CASE substr(${row}stored_body, 1, 1) WHEN '{' THEN ${row}stored_body
  WHEN 'm' THEN ${joined(`${START}%s${END}`, [...starting, rest, ...ending])}
  ELSE ${joined(`${START}"%s"%s,"proxiable":%s,"proxied":%s,"ttl":%s,"locked":false,"settings":%s${END}`, [
    ...starting,
    `replace(${row}content, '"', '\\"')`,
    rest,
    `CASE substr(${row}stored_body, 1, 1) WHEN 'p' THEN 'true' ELSE 'false' END`,
    `CASE ${row}proxied WHEN 0 THEN 'false' ELSE 'true' END`,
    `${row}ttl::text`,
    `CASE ${row}shown_settings WHEN '' THEN '{}' ELSE ${row}shown_settings END`,
    ...ending,
  ])} END`
}

export const shortBodies: Migration = {
  version: 40,
  name: 'short-bodies',
  sqlite: [
    `ALTER TABLE dns_records RENAME COLUMN body TO stored_body`,
    `ALTER TABLE dns_records ADD COLUMN zone_name_length INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE dns_records ADD COLUMN shown_type TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE dns_records ADD COLUMN shown_settings TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE dns_records ADD COLUMN body TEXT NOT NULL GENERATED ALWAYS AS (${BODY}) VIRTUAL`,
  ],
  postgres: [
    `ALTER TABLE dns_records RENAME COLUMN body TO stored_body`,
    `ALTER TABLE dns_records ADD COLUMN zone_name_length int8 NOT NULL DEFAULT 0,
      ADD COLUMN shown_type text COLLATE "C" NOT NULL DEFAULT '',
      ADD COLUMN shown_settings text COLLATE "C" NOT NULL DEFAULT ''`,
    `ALTER TABLE dns_records ADD COLUMN body text COLLATE "C" NOT NULL GENERATED ALWAYS AS (${postgresBody()}) STORED`,
  ],
}
