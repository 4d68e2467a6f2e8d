// Order of runs: an item never waits for items of another address.
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { createKeyedQueue, type KeyedQueueLimits } from './keyed-queue.ts'

let started: string[]
let ends: Map<string, () => void>
beforeEach(() => {
  started = []
  ends = new Map()
})

function queuesOf(limits: KeyedQueueLimits) {
  const queues = createKeyedQueue<string>(limits, (item) => {
    started.push(item)
    return new Promise((resolve) => void ends.set(item, resolve))
  })
  /** `a1` is in lane `a`. */
  const add = (...items: string[]) => {
    for (const item of items) queues.add(item, item.charAt(0))
  }
  const end = async (item: string) => {
    ends.get(item)?.()
    await new Promise(setImmediate)
  }
  return { add, end, remove: queues.remove }
}

describe('lanes', () => {
  test('a full lane does not block the others', () => {
    const { add } = queuesOf({ all: 10, each: 2 })
    add('a1', 'a2', 'a3', 'a4', 'b1')
    expect(started).toEqual(['a1', 'a2', 'b1'])
  })

  test('the total number of runs is limited', async () => {
    const { add, end } = queuesOf({ all: 2, each: 2 })
    add('a1', 'b1', 'c1', 'a2')
    expect(started).toEqual(['a1', 'b1'])
    await end('b1')
    expect(started).toEqual(['a1', 'b1', 'c1'])
  })

  test('take turns: the lane that has just run is last', async () => {
    const { add, end } = queuesOf({ all: 1, each: 1 })
    add('a1', 'a2', 'a3', 'b1', 'b2')
    for (const item of ['a1', 'b1', 'a2', 'b2']) await end(item)
    expect(started).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
  })

  test('a waiting item keeps its place, and a removed item never runs', async () => {
    const { add, end, remove } = queuesOf({ all: 1, each: 1 })
    add('a1', 'a2', 'a3', 'a2')
    remove('a3')
    remove('z9')
    await end('a1')
    await end('a2')
    expect(started).toEqual(['a1', 'a2'])
    add('a4')
    expect(started).toEqual(['a1', 'a2', 'a4'])
  })

  test('all items run in the end, never more at once than allowed', async () => {
    const item = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 30 }))
    const limits = fc.record({ all: fc.integer({ min: 1, max: 4 }), each: fc.integer({ min: 1, max: 4 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 40 }), limits, async (items, most) => {
        const open = new Map<string, () => void>()
        const done = new Set<string>()
        const queues = createKeyedQueue<string>(most, (each) => {
          expect([...open.keys()].filter((other) => other.startsWith(each.charAt(0))).length).toBeLessThan(
            most.each,
          )
          expect(open.size).toBeLessThan(most.all)
          return new Promise<void>((resolve) => void open.set(each, resolve)).then(() => void done.add(each))
        })
        const expected = new Set(items.map(([queue, at]) => `${queue}${at}`))
        for (const each of expected) queues.add(each, each.charAt(0))
        while (open.size > 0) {
          const [[each, resolve] = ['', () => {}]] = open
          open.delete(each)
          resolve()
          await new Promise(setImmediate)
        }
        expect(done).toEqual(expected)
      }),
      { numRuns: 40 },
    )
  })
})
