import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Semaphore } from './semaphore.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const forEver = new AbortController().signal

describe('Semaphore', () => {
  test('hands out its places in the order of the requests', async () => {
    const semaphore = new Semaphore(1, 1_000)
    const release = semaphore.tryAcquire()
    expect(semaphore.tryAcquire()).toBeUndefined()
    const order: string[] = []
    const first = semaphore.acquire(forEver).then((given) => (order.push('first'), given))
    const second = semaphore.acquire(forEver).then((given) => (order.push('second'), given))
    release?.()
    // The place is handed over: no other caller gets it in between.
    expect(semaphore.tryAcquire()).toBeUndefined()
    ;(await first)()
    ;(await second)()
    expect(order).toEqual(['first', 'second'])
    expect(semaphore.tryAcquire()).toBeDefined()
  })

  test('passes a place on after the longest time; the late release has no effect', async () => {
    const semaphore = new Semaphore(1, 1_000)
    const slow = await semaphore.acquire(forEver)
    const next = semaphore.acquire(forEver)
    vi.advanceTimersByTime(1_000)
    await next
    slow()
    expect(semaphore.tryAcquire()).toBeUndefined()
  })

  test('an aborted wait ends, and takes no place', async () => {
    const semaphore = new Semaphore(1, 1_000)
    const release = semaphore.tryAcquire()
    const stopping = new AbortController()
    const given = semaphore.acquire(stopping.signal)
    stopping.abort(new Error('closed'))
    await expect(given).rejects.toThrow('closed')
    await expect(semaphore.acquire(stopping.signal)).rejects.toThrow('closed')
    release?.()
    expect(semaphore.tryAcquire()).toBeDefined()
    expect(semaphore.tryAcquire()).toBeUndefined()
  })

  test('runs up to the limit at the same time, also after failures', async () => {
    vi.useRealTimers()
    const semaphore = new Semaphore(2)
    let running = 0
    let most = 0
    const runs = Array.from({ length: 7 }, (_, index) =>
      semaphore.run(async () => {
        most = Math.max(most, (running += 1))
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
        if (index % 2 === 0) throw new Error(`failure ${index}`)
        return index
      }),
    )
    expect([running, semaphore.waiting]).toEqual([2, 5])
    const results = await Promise.allSettled(runs)
    expect(results.map((each) => (each.status === 'fulfilled' ? each.value : 'failed'))).toEqual([
      'failed',
      1,
      'failed',
      3,
      'failed',
      5,
      'failed',
    ])
    expect([most, running, semaphore.waiting]).toEqual([2, 0, 0])
  })
})
