import { expect, test } from 'vitest'
import { inSlices, pause } from './pause.ts'

/** Works for `millis`, in steps that end when they are looked at. */
function* busy(millis: number): Generator<undefined, string> {
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
  function* short(): Generator<undefined, number> {
    for (; steps < 3; steps++) yield
    return steps
  }
  const work = inSlices(short())
  expect(steps).toBe(3)
  expect(await work).toBe(3)
})

test('what goes wrong is told', async () => {
  // eslint-disable-next-line require-yield
  function* broken(): Generator<undefined, never> {
    throw new Error('broken')
  }
  await expect(inSlices(broken())).rejects.toThrow('broken')
})
