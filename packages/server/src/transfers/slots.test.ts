// Room for so many at a time, given back or taken back.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSlots } from './slots.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const forEver = new AbortController().signal

describe('slots', () => {
  test('are as many as there are, in the order in which they were waited for', async () => {
    const slots = createSlots(1, 1_000)
    const release = slots.tryTake()
    expect(slots.tryTake()).toBeUndefined()
    const order: string[] = []
    const first = slots.take(forEver).then((given) => (order.push('first'), given))
    const second = slots.take(forEver).then((given) => (order.push('second'), given))
    release?.()
    // It is handed over: nobody comes in between.
    expect(slots.tryTake()).toBeUndefined()
    ;(await first)()
    ;(await second)()
    expect(order).toEqual(['first', 'second'])
    expect(slots.tryTake()).toBeDefined()
  })

  test('go to the next after a time, and are not given back twice', async () => {
    const slots = createSlots(1, 1_000)
    const slow = await slots.take(forEver)
    const next = slots.take(forEver)
    vi.advanceTimersByTime(1_000)
    await next
    slow()
    expect(slots.tryTake()).toBeUndefined()
  })

  test('whoever is told to stop waits no more, and takes nothing away', async () => {
    const slots = createSlots(1, 1_000)
    const release = slots.tryTake()
    const stopping = new AbortController()
    const given = slots.take(stopping.signal)
    stopping.abort(new Error('closed'))
    await expect(given).rejects.toThrow('closed')
    await expect(slots.take(stopping.signal)).rejects.toThrow('closed')
    release?.()
    expect(slots.tryTake()).toBeDefined()
    expect(slots.tryTake()).toBeUndefined()
  })
})
