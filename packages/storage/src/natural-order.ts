// Names in natural order: numbers in them by their value, host2 before host10.
import { sql, type Expression, type RawBuilder } from 'kysely'
import { byEngine } from './engine.ts'

/** A label has at most 63 characters, so no number in a name is longer. */
const MAX_DIGITS = 63

/**
 * What a name is ordered by: each number is filled up with zeros. SQLite has the same function as `natural_key(...)`, on
 * each connection.
 * @param name A name of DNS; anything else is returned as it is.
 */
export const naturalKey = (name: unknown): string =>
  String(name).replaceAll(/\d+/g, (digits) => digits.padStart(MAX_DIGITS, '0'))

/** {@link naturalKey} in SQL. Equal for names that differ in leading zeros: order by the name next. */
export const naturalKeyOf = (name: Expression<string>): RawBuilder<string> =>
  byEngine({
    sqlite: sql<string>`natural_key(${name})`,
    postgres: sql<string>`(select string_agg(case when part[1] ~ '^[0-9]' then lpad(part[1], ${sql.lit(MAX_DIGITS)}, '0') else part[1] end, '' order by place) from regexp_matches(${name}, '[0-9]+|[^0-9]+', 'g') with ordinality as parts (part, place)) collate "C"`,
  })
