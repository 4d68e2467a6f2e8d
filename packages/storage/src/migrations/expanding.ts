// Whether a program without a migration can go on beside programs with it: it only adds what the older one does not
// have to know. A migration that changes or removes something follows in a version after the last that uses it.
import type { Migration } from './migration.ts'

export function isExpanding({ sqlite, postgres }: Migration): boolean {
  const statements = (postgres ?? sqlite).map((text) => text.replaceAll(/\s+/g, ' ').trim())
  const created = statements.map((text) => /^CREATE TABLE (\w+)/.exec(text)?.[1])
  return statements.every((text) => {
    const table = /^(?:CREATE UNIQUE INDEX \w+ ON|INSERT INTO|UPDATE|DELETE FROM) (\w+)/.exec(text)?.[1]
    if (table !== undefined) return created.includes(table)
    return /^CREATE (?:TABLE|INDEX) /.test(text) || addsColumns(text)
  })
}

/** Columns that an INSERT of the older program may leave out. */
function addsColumns(text: string): boolean {
  if (!/^ALTER TABLE \w+ ADD COLUMN /.test(text)) return false
  const columns = text.split(/\bADD COLUMN\b/).slice(1)
  return columns.every(
    (column) =>
      (!/\bNOT NULL\b/.test(column) || /\bDEFAULT\b/.test(column)) &&
      !/\b(?:CHECK|UNIQUE|PRIMARY|RENAME|DROP|ALTER)\b/.test(column),
  )
}
