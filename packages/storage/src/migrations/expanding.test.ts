// Which migrations may run while a program without them uses the database.
import { expect, test } from 'vitest'
import { isExpanding } from './expanding.ts'
import { MIGRATIONS } from './registry.ts'

const TABLE = 'CREATE TABLE a (id TEXT PRIMARY KEY) STRICT'

test.each<[string, readonly string[], boolean]>([
  [
    'a new table with a unique index and rows',
    [TABLE, 'CREATE UNIQUE INDEX i ON a (id)', "INSERT INTO a VALUES ('x')"],
    true,
  ],
  ['an index', ['CREATE INDEX i ON zones (name)'], true],
  ['a column that may be null', ['ALTER TABLE zones ADD COLUMN x TEXT'], true],
  ['a column with a default', ["ALTER TABLE zones ADD COLUMN x TEXT NOT NULL DEFAULT ''"], true],
  [
    'two columns, one without a default',
    ['ALTER TABLE zones ADD COLUMN x int8 NOT NULL DEFAULT 0, ADD COLUMN y int8 NOT NULL'],
    false,
  ],
  ['a column that must be given', ['ALTER TABLE zones ADD COLUMN x TEXT NOT NULL'], false],
  ['a column with a condition', ['ALTER TABLE zones ADD COLUMN x TEXT CHECK (x > 1)'], false],
  ['a unique index of an older table', ['CREATE UNIQUE INDEX i ON zones (name)'], false],
  ['rows of an older table', [TABLE, "UPDATE zones SET name = 'x'"], false],
  ['a new name', ['ALTER TABLE zones RENAME COLUMN name TO title'], false],
  [
    'a column and a new name',
    ['ALTER TABLE zones ADD COLUMN x TEXT', 'ALTER TABLE zones RENAME TO y'],
    false,
  ],
  ['nothing for this engine', [], true],
  ['less', ['DROP INDEX i'], false],
  ['a removed column', ['ALTER TABLE zones DROP COLUMN name'], false],
])('%s', (_, statements, expected) => {
  expect(isExpanding({ version: 1, name: 'case', sqlite: ['DROP TABLE zones'], postgres: statements })).toBe(
    expected,
  )
  expect(isExpanding({ version: 1, name: 'case', sqlite: statements })).toBe(expected)
})

test('of the migrations since the first version with several nodes, all but one are known to expand', () => {
  const recent = MIGRATIONS.filter(({ version }) => version >= 47)
  // With 64, all nodes stop before the new version starts (changelog).
  expect(recent.filter((one) => !isExpanding(one)).map(({ version }) => version)).toEqual([64])
  expect(MIGRATIONS.filter((one) => !isExpanding(one)).map(({ version }) => version)).toContain(40)
})
