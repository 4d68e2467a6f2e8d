// Which flush a sender waits for, if batches are stored late.
import { expect, test } from 'vitest'
import { createFlushes } from './flushes.ts'

/** A store whose batches end when the test says so. */
function open() {
  let batch: string[] = []
  const stores: { batch: string[]; end: (isStored: boolean) => void }[] = []
  const flushes = createFlushes({
    hasNext: () => batch.length > 0,
    storeNext() {
      const taken = batch
      batch = []
      if (taken.length === 0) return Promise.resolve(true)
      return new Promise((end) => stores.push({ batch: taken, end }))
    },
  })
  return { ...flushes, stores, add: (name: string) => void batch.push(name) }
}
const settle = () => new Promise(setImmediate)

test('who reports while a batch is stored late learns of the batch that has the report', async () => {
  const { flush, awaitStored, stores, add } = open()
  add('a')
  void flush()
  await settle()
  const reported: unknown[] = []
  const send = (name: string) => {
    add(name)
    void awaitStored()?.then((isStored) => reported.push([name, isStored]))
    return flush()
  }
  void send('b')
  const all = send('c')
  stores[0]?.end(true)
  await settle()
  expect([stores[1]?.batch, reported]).toEqual([['b', 'c'], []])
  stores[1]?.end(false)
  await all
  await settle()
  expect(reported).toEqual([
    ['b', false],
    ['c', false],
  ])
})

test.each([
  ['nothing follows', []],
  ['another report follows', ['b']],
])('who repeats a report that is being stored waits for it: %s', async (_, following) => {
  const { flush, awaitStored, stores, add } = open()
  expect(awaitStored()).toBe(undefined)
  add('a')
  void flush()
  await settle()
  following.forEach(add)
  const repeated = awaitStored()
  const all = flush()
  stores[0]?.end(false)
  await settle()
  stores[1]?.end(true)
  await all
  expect([await repeated, awaitStored()]).toEqual([false, undefined])
})
