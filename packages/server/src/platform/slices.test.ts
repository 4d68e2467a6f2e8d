import { expect, test } from 'vitest'
import { pause } from './pause.ts'
import { atOnce, inSlices, type Sliced } from './slices.ts'

/** Works for `millis`, in steps that end when they are looked at. */
function* busy(millis: number): Sliced<string> {
  const until = performance.now() + millis
  while (performance.now() < until) yield
  return 'done'
}

/** Counts the turns that others had meanwhile. */
async function turnsDuring<Result>(work: Promise<Result>): Promise<readonly [Result, number]> {
  let turns = 0
  let isOver = false
  const others = (async () => {
    for (; !isOver; turns++) await pause()
  })()
  const result = await work
  isOver = true
  await others
  return [result, turns]
}

test('long work lets others in, and comes to its result', async () => {
  const [result, turns] = await turnsDuring(inSlices(busy(60)))
  expect(result).toBe('done')
  expect(turns).toBeGreaterThan(3)
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

test('at once, nobody else has a turn', () => {
  expect(atOnce(busy(20))).toBe('done')
})
