import { expect, test } from 'vitest'
import { type Chunked, chunksOf, createYieldIfDue, runAtOnce, runInChunks, yieldNow } from './chunks.ts'

const TURNS = 4
/** Steps after which the test gives up waiting for other work: seconds. */
const MAX_STEPS = 100_000_000

test('long work lets other work run, and returns its result', async () => {
  let turns = 0
  let isOver = false
  const others = (async () => {
    for (; !isOver; turns++) await yieldNow()
  })()
  function* longWork(): Chunked<string> {
    for (let steps = 0; turns < TURNS; steps++) {
      if (steps === MAX_STEPS) return 'others had no turn'
      yield
    }
    return 'done'
  }
  expect(await runInChunks(longWork())).toBe('done')
  isOver = true
  await others
})

test('short work is done at once', async () => {
  let steps = 0
  function* short(): Chunked<number> {
    for (; steps < 3; steps++) yield
    return steps
  }
  const work = runInChunks(short())
  expect(steps).toBe(3)
  expect(await work).toBe(3)
})

test('work that is aborted ends at its next chunk', async () => {
  const aborted = new AbortController()
  let stepsAfter = 0
  function* endless(): Chunked<string> {
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      if (aborted.signal.aborted) stepsAfter++
      yield
    }
    return 'was never ended'
  }
  setImmediate(() => aborted.abort(new Error('left')))
  await expect(runInChunks(endless(), aborted.signal)).rejects.toThrow('left')
  expect(stepsAfter).toBe(0)
})

test('a failure is thrown', async () => {
  // eslint-disable-next-line require-yield
  function* broken(): Chunked<never> {
    throw new Error('broken')
  }
  await expect(runInChunks(broken())).rejects.toThrow('broken')
})

test('runAtOnce lets no other work run', async () => {
  let turns = 0
  const others = yieldNow().then(() => (turns += 1))
  function* work(): Chunked<string> {
    for (let steps = 0; steps < 1000; steps++) yield
    return 'done'
  }
  expect([runAtOnce(work()), turns]).toEqual(['done', 0])
  await others
})

test('yieldIfDue lets other work run when the time of a chunk is used up, and not before', async () => {
  let turns = 0
  let isOver = false
  const others = (async () => {
    for (; !isOver; turns++) await yieldNow()
  })()
  const yieldIfDue = createYieldIfDue()
  let chunks = 0
  let steps = 0
  for (let before = turns; chunks < 3 && steps < MAX_STEPS; steps++) {
    await yieldIfDue()
    if (turns !== before) chunks++
    before = turns
  }
  isOver = true
  await others
  expect(chunks).toBe(3)
  expect(steps).toBeGreaterThan(chunks)
})

test.each([
  ['none', 0, []],
  ['fewer than a chunk', 2, [2]],
  ['a whole chunk', 3, [3]],
  ['one more', 4, [3, 1]],
  ['two whole chunks', 6, [3, 3]],
])('chunks of three: %s', (_, count, sizes) => {
  const items = Array.from({ length: count }, (_, index) => index)
  const chunks = [...chunksOf(items, 3)]
  expect(chunks.map((chunk) => chunk.length)).toEqual(sizes)
  expect(chunks.flat()).toEqual(items)
})
