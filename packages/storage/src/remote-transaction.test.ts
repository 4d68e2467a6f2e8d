import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '@zonereeve/platform'
import { sql } from 'kysely'
import { rawQuery } from './engine.ts'
import {
  createRemoteTransaction,
  createStatementRunner,
  IN_MEMORY,
  openSqliteStorage,
  type SentStatement,
  type Storage,
} from './index.ts'

const clock = { now: () => 0, timestamp: () => '' }
const insert = (id: number, text = '') =>
  rawQuery<never>(sql`insert into notes (id, text) values (${id}, ${text})`)
const select = rawQuery<{ readonly id: number }>(sql`select id from notes order by id`)

/** A transaction whose messages are not answered until the test does. */
function openRemote() {
  const sent: (readonly SentStatement[])[] = []
  const remote = createRemoteTransaction({
    send: (message) => sent.push(message),
    clock,
    noteUnreadable: () => {},
  })
  return { ...remote, sent }
}

let storage: Storage
beforeEach(async () => {
  storage = await openSqliteStorage(IN_MEMORY, silentLog)
  await storage.write((tx) => tx.run(rawQuery(sql`create table notes (id integer primary key, text text)`)))
})
afterEach(() => storage.close())

test('statements run in their order, and reads have what was submitted before them', async () => {
  const { tx, take, sent } = openRemote()
  await tx.submit(insert(1))
  await tx.submit(insert(2))
  const reads = [tx.all(select), tx.first(select), tx.run(insert(3))]
  const rows: unknown[] = []
  const each = tx.each(select, (row) => rows.push(row))
  await storage.write(async (own) => {
    const run = createStatementRunner(own)
    for (const message of sent) take(await run(message))
  })
  expect(await Promise.all(reads)).toEqual([[{ id: 1 }, { id: 2 }], { id: 1 }, 1])
  await each
  expect(rows).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
})

test.each([
  ['small statements', '', 200],
  ['large statements', 'x'.repeat(300_000), 4],
])('%s wait for the results of those before them, and all go on then', async (_, text, statements) => {
  const { tx, take, sent } = openRemote()
  let submitted = 0
  // Several wait at the same time, as the updates of a chunk do.
  const work = Array.from({ length: 3 }, async () => {
    for (let index = 0; index < 300; index += 1) {
      await tx.submit(insert(index, text))
      submitted += 1
    }
  })
  await nextTurn()
  expect(sent.flat()).toHaveLength(statements)
  const before = submitted
  await nextTurn()
  expect(submitted).toBe(before)
  let ended = false
  void Promise.all(work).then(() => (ended = true))
  for (let message = 0; !ended && message < 10_000; message += 1) {
    if (message < sent.length) take([])
    await nextTurn()
  }
  expect(submitted).toBe(900)
})

test('a statement that fails fails the unit, with what was written before it', async () => {
  const { tx, flush, sent } = openRemote()
  for (const id of [1, 2, 1]) await tx.submit(insert(id))
  flush()
  await expect(storage.write((own) => createStatementRunner(own)(sent[0] ?? []))).rejects.toThrow(/UNIQUE/)
  expect(await storage.all(select)).toEqual([])
})
