import { expect, test } from 'vitest'
import { pause } from './pause.ts'
import { atOnce, inSlices, type Sliced } from './slices.ts'

const TURNS = 4
/** Steps after which nobody waits for the turns of others any more: seconds. */
const MAX_STEPS = 100_000_000

test('long work lets others in, and comes to its result', async () => {
  let turns = 0
  let isOver = false
  const others = (async () => {
    for (; !isOver; turns++) await pause()
  })()
  function* longWork(): Sliced<string> {
    for (let steps = 0; turns < TURNS; steps++) {
      if (steps === MAX_STEPS) return 'others had no turn'
      yield
    }
    return 'done'
  }
  expect(await inSlices(longWork())).toBe('done')
  isOver = true
  await others
})

test('short work is done at once', async () => {
  let steps = 0
  function* short(): Sliced<number> {
    for (; steps < 3; steps++) yield
    return steps
  }
  const work = inSlices(short())
  expect(steps).toBe(3)
  expect(await work).toBe(3)
})

test('what goes wrong is told', async () => {
  // eslint-disable-next-line require-yield
  function* broken(): Sliced<never> {
    throw new Error('broken')
  }
  await expect(inSlices(broken())).rejects.toThrow('broken')
})

test('at once, nobody else has a turn', async () => {
  let turns = 0
  const others = pause().then(() => (turns += 1))
  function* work(): Sliced<string> {
    for (let steps = 0; steps < 1000; steps++) yield
    return 'done'
  }
  expect([atOnce(work()), turns]).toEqual(['done', 0])
  await others
})
