import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '@zonereeve/platform'
import { sql } from 'kysely'
import { rawQuery } from './engine.ts'
import { createBlockInsert, IN_MEMORY, openSqliteStorage, type Storage } from './index.ts'

interface Note {
  readonly id: string
  readonly owner: string
  readonly text: string | null
  readonly octets: Uint8Array
  readonly more: Uint8Array
  readonly sum: number
  readonly size: number
}

let storage: Storage
let single = 0
beforeEach(async () => {
  single = 0
  storage = await openSqliteStorage(IN_MEMORY, silentLog)
  await storage.write((tx) =>
    tx.run(
      rawQuery(
        sql`create table notes (place integer primary key, id text unique, owner text, kept_owner text, text text, octets blob, more blob, sum integer, size integer) strict`,
      ),
    ),
  )
})
afterEach(() => storage.close())

const insert = createBlockInsert<Note>({
  table: 'notes',
  columns: {
    id: { form: 'text', member: 'id' },
    owner: { form: 'shared', member: 'owner', written: (value) => `upper(${value})` },
    kept_owner: { form: 'shared', member: 'owner' },
    text: { form: 'text or null', member: 'text' },
    octets: { form: 'octets', member: 'octets' },
    more: { form: 'octets', member: 'more' },
    sum: { form: 'number', member: 'sum' },
    size: { form: 'number', member: 'size' },
  },
  one: async (tx, { id, owner, text, octets, more, sum, size }) => {
    single += 1
    await tx.run(
      rawQuery(
        sql`insert into notes (id, owner, kept_owner, text, octets, more, sum, size) values (${id}, ${owner.toUpperCase()}, ${owner}, ${text}, ${octets}, ${more}, ${sum}, ${size})`,
      ),
    )
  },
})

const note = (index: number, changed: Partial<Note> = {}): Note => ({
  id: `note ${index}`,
  owner: 'a',
  text: null,
  octets: Uint8Array.of(index & 255, 0, 255),
  more: new Uint8Array(0),
  sum: index,
  size: 4_294_967_295,
  ...changed,
})
const notes = (count: number, changed: (index: number) => Partial<Note> = () => ({})): Note[] =>
  Array.from({ length: count }, (_, index) => note(index, changed(index)))

/** Texts as octets: the driver reads them up to a NUL only. */
async function stored(): Promise<Note[]> {
  const rows = await storage.all<Omit<Note, 'text'> & { readonly text: Uint8Array | null }>(
    rawQuery(
      sql`select id, kept_owner as owner, cast(text as blob) as text, octets, more, sum, size from notes where owner = upper(kept_owner) and typeof(text) in ('text', 'null') order by place`,
    ),
  )
  return rows.map((row) => ({
    ...row,
    text: row.text === null ? null : Buffer.from(row.text).toString(),
    octets: new Uint8Array(row.octets),
    more: new Uint8Array(row.more),
  }))
}

const LARGE = 'x'.repeat(300_000)
const STRINGS = [null, '', 'plain', '+', 'größe ☃ 😀', 'nul \0 in it', 'quotes \' " \\', ' spaces ']

test.each<[string, Note[], number]>([
  ['none', [], 0],
  ['few: each has a statement of its own', notes(15), 15],
  ['as many as a block needs', notes(16), 0],
  ['several blocks', notes(1_203), 0],
  ['strings of all kinds', notes(64, (index) => ({ text: STRINGS[index % STRINGS.length] ?? null })), 0],
  ['strings in ASCII alone', notes(20, (index) => ({ text: `text ${index}` })), 0],
  ['empty and long octets', notes(40, (index) => ({ more: new Uint8Array(index * 100).fill(index) })), 0],
  ['owners that change', notes(40, (index) => ({ owner: index % 7 === 0 ? 'b' : 'a' })), 0],
  ['rows larger than a block', notes(17, (index) => ({ text: `${index}${LARGE}` })), 0],
])('rows are stored as they are and in their order: %s', async (_, rows, expectedSingle) => {
  await storage.write((tx) => insert(tx, rows))
  const found = await stored()
  expect(found).toEqual(rows)
  expect(single).toBe(expectedSingle)
})

test('halves of surrogate pairs in neighbouring texts do not meet', async () => {
  const rows = notes(20, (index) => ({ id: `\ude00 ${index}`, text: 'ends in \ud83d' }))
  await storage.write((tx) => insert(tx, rows))
  const whole = rows.map((row) => ({ ...row, id: row.id.toWellFormed(), text: row.text?.toWellFormed() }))
  expect(await stored()).toEqual(whole)
})

test('a row that conflicts fails the unit, and nothing of its block is stored', async () => {
  const rows = [...notes(600), note(3)]
  await expect(storage.write((tx) => insert(tx, rows))).rejects.toThrow(/UNIQUE/)
  expect(await stored()).toEqual([])
})
