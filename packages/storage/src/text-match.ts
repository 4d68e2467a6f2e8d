// String comparisons with the same result on every database: pattern characters in the string are escaped.
import { sql, type Expression, type SqlBool } from 'kysely'

export type TextPlace = 'anywhere' | 'at-start' | 'at-end'

/** The same, but case-sensitive (the database's own pattern matching ignores ASCII case). */
export function exactTextMatch(
  subject: Expression<string | null>,
  text: string,
  place: TextPlace,
): Expression<SqlBool> {
  if (text.includes('\0')) return sql<SqlBool>`0`
  const length = [...text].length
  switch (place) {
    case 'anywhere':
      return sql<SqlBool>`instr(${subject}, ${text}) > 0`
    case 'at-start':
      return sql<SqlBool>`substr(${subject}, 1, ${length}) = ${text}`
    case 'at-end':
      // substr with length 0 would return the whole string.
      return length === 0
        ? sql<SqlBool>`${subject} is not null`
        : sql<SqlBool>`substr(${subject}, ${-length}) = ${text}`
  }
}

/** True if `subject` (already in the case of `text`) contains `text` at that place. */
export function textMatch(
  subject: Expression<string | null>,
  text: string,
  place: TextPlace,
): Expression<SqlBool> {
  // The database would end the string at the NUL.
  if (text.includes('\0')) return sql<SqlBool>`0`
  const escaped = text.replace(/[\\%_]/g, '\\$&')
  const pattern = `${place === 'at-start' ? '' : '%'}${escaped}${place === 'at-end' ? '' : '%'}`
  return sql<SqlBool>`${subject} like ${pattern} escape '\\'`
}
