// Text comparisons that mean the same on every database: the pattern characters of the text itself are escaped.
import { sql, type Expression, type SqlBool } from 'kysely'

export type TextPlace = 'anywhere' | 'at-start' | 'at-end'

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
