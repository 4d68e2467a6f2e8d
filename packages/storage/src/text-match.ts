// String comparisons with the same result on every database: pattern characters in the string are escaped.
import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { byEngine } from './engine.ts'

export type TextPlace = 'anywhere' | 'at-start' | 'at-end'

/** The same, but case-sensitive (the database's own pattern matching ignores ASCII case). */
export function exactTextMatch(
  subject: Expression<string | null>,
  text: string,
  place: TextPlace,
): Expression<SqlBool> {
  if (text.includes('\0')) return sql<SqlBool>`false`
  const length = [...text].length
  switch (place) {
    case 'anywhere':
      return sql<SqlBool>`${placeOf(subject, text)} > 0`
    case 'at-start':
      return sql<SqlBool>`substr(${subject}, 1, ${length}) = ${text}`
    case 'at-end':
      // substr with length 0 would return the whole string.
      return length === 0
        ? sql<SqlBool>`${subject} is not null`
        : byEngine({
            sqlite: sql<SqlBool>`substr(${subject}, ${-length}) = ${text}`,
            postgres: sql<SqlBool>`right(${subject}, ${length}) = ${text}`,
          })
  }
}

/** Where the string begins in `subject`, from 1; 0 if it does not occur. */
export const placeOf = (subject: Expression<string | null>, text: string): RawBuilder<number> =>
  byEngine({
    sqlite: sql<number>`instr(${subject}, ${text})`,
    postgres: sql<number>`strpos(${subject}, ${text})`,
  })

/** True if `subject` (already in the case of `text`) contains `text` at that place. */
export function textMatch(
  subject: Expression<string | null>,
  text: string,
  place: TextPlace,
): Expression<SqlBool> {
  // The database would end the string at the NUL.
  if (text.includes('\0')) return sql<SqlBool>`false`
  const escaped = text.replace(/[\\%_]/g, '\\$&')
  const pattern = `${place === 'at-start' ? '' : '%'}${escaped}${place === 'at-end' ? '' : '%'}`
  return sql<SqlBool>`${subject} like ${pattern} escape '\\'`
}
