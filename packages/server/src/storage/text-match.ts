// Text comparisons that mean the same on every database: the pattern characters of the text itself are escaped.
import { sql, type Expression, type SqlBool } from 'kysely'

export type TextPlace = 'anywhere' | 'at-start' | 'at-end'

/** The same, but capitals and small letters differ (the database's own pattern matching folds those of ASCII). */
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
      // With a length of 0, the whole text would be its end.
      return length === 0
        ? sql<SqlBool>`${subject} is not null`
        : sql<SqlBool>`substr(${subject}, ${-length}) = ${text}`
  }
}

/** True where `subject` (already in the case of `text`) has `text` in that place. */
export function textMatch(
  subject: Expression<string | null>,
  text: string,
  place: TextPlace,
): Expression<SqlBool> {
  // The database would take the text to end there.
  if (text.includes('\0')) return sql<SqlBool>`0`
  const escaped = text.replace(/[\\%_]/g, '\\$&')
  const pattern = `${place === 'at-start' ? '' : '%'}${escaped}${place === 'at-end' ? '' : '%'}`
  return sql<SqlBool>`${subject} like ${pattern} escape '\\'`
}
