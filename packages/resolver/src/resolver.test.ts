import { parseName } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import type { Answer } from './answer.ts'
import { NoAnswer } from './query.ts'
import { DEFAULT_RESOLVER_LIMITS, type ResolverLimits } from './limits.ts'
import { createResolver } from './resolver.ts'

const A = 1
const NAME = parseName('www.example.net')

/** A resolver whose queries wait until the test answers them. */
function start(given: Partial<ResolverLimits> = {}) {
  let millis = 1_000_000_000
  const clock = { now: () => millis, advance: (by: number) => void (millis += by) }
  const limits = { ...DEFAULT_RESOLVER_LIMITS, ...given }
  const asked: { name: string; reply: (answer: Answer) => void; fail: (heard?: boolean) => void }[] = []
  const resolver = createResolver({
    clock,
    log: { debug() {}, warn() {}, error() {} },
    limits,
    ask: (name, _, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new NoAnswer('stopped')))
        if (signal.aborted) reject(new NoAnswer('stopped'))
        asked.push({ name, reply: resolve, fail: (heard) => reject(new NoAnswer('test', heard)) })
      }),
  })
  /** Advances the clock second by second. */
  const pass = async (seconds: number) => {
    for (let i = 0; i < seconds; i += 1) {
      clock.advance(1000)
      resolver.sweep()
    }
    await nextTick()
  }
  return { clock, resolver, asked, pass, limits }
}

const nextTick = () => new Promise<void>((done) => setImmediate(done))
const answer = (last: number, ttlSeconds = 100): Answer => ({
  links: [],
  rdatas: [Uint8Array.of(192, 0, 2, last)],
  ttlSeconds,
  isOpen: false,
})
const no = (ttlSeconds: number): Answer => ({ links: [], rdatas: [], ttlSeconds, isOpen: false })

describe('peek', () => {
  test('first returns pending, and repeated calls send one query', async () => {
    const { resolver, asked } = start()
    expect(resolver.peek(NAME, A)).toEqual({ kind: 'pending' })
    const waiting = [resolver.lookUp(NAME, A), resolver.lookUp(NAME, A)]
    expect(asked).toHaveLength(1)
    asked[0]?.reply(answer(1))
    expect(await Promise.all(waiting)).toEqual([
      { kind: 'answer', ...answer(1) },
      { kind: 'answer', ...answer(1) },
    ])
    expect(resolver.peek(NAME, A)).toEqual({ kind: 'answer', ...answer(1) })
    expect(asked).toHaveLength(1)
  })

  test('many questions under way do not look like a leak of listeners', async () => {
    const warnings: Error[] = []
    const note = (warning: Error): void => void warnings.push(warning)
    process.on('warning', note)
    const { resolver, asked, limits } = start()
    for (let i = 0; i < limits.concurrency; i += 1) resolver.peek(parseName(`n${i}.example.net`), A)
    await nextTick()
    process.off('warning', note)
    expect(asked.length).toBeGreaterThan(10)
    expect(warnings).toEqual([])
  })

  test('types are cached separately', () => {
    const { resolver, asked } = start()
    resolver.peek(NAME, A)
    resolver.peek(NAME, 28)
    expect(asked).toHaveLength(2)
  })

  test('a failure is returned, and not retried before its time', async () => {
    const { resolver, asked, clock, limits } = start()
    resolver.peek(NAME, A)
    asked[0]?.fail()
    await nextTick()
    expect(resolver.peek(NAME, A)).toEqual({ kind: 'failed' })
    clock.advance(limits.retrySeconds * 1000 - 1)
    resolver.peek(NAME, A)
    expect(asked).toHaveLength(1)
    clock.advance(1)
    expect(resolver.peek(NAME, A)).toEqual({ kind: 'failed' })
    expect(asked).toHaveLength(2)
  })
})

describe('how long an answer is cached', () => {
  test.each([
    ['its TTL', answer(1, 100), 100],
    ['the minimum', answer(1, 0), DEFAULT_RESOLVER_LIMITS.minHoldSeconds],
    ['the maximum', answer(1, 86_400), DEFAULT_RESOLVER_LIMITS.maxHoldSeconds],
    ['a negative answer its own TTL', no(60), 60],
    ['a negative answer at most its maximum', no(3600), DEFAULT_RESOLVER_LIMITS.maxNegativeSeconds],
  ])('%s', async (_, given, seconds) => {
    const { resolver, asked, clock } = start()
    resolver.peek(NAME, A)
    asked[0]?.reply(given)
    await nextTick()
    clock.advance(seconds * 1000 - 1)
    resolver.peek(NAME, A)
    expect(asked).toHaveLength(1)
    clock.advance(1)
    resolver.peek(NAME, A)
    expect(asked).toHaveLength(2)
  })
})

describe('watched names', () => {
  async function watched(first: Answer = answer(1)) {
    const started = start()
    const reported: unknown[] = []
    started.resolver.peek(NAME, A)
    const stop = started.resolver.watch(NAME, A, () => reported.push(started.resolver.peek(NAME, A)))
    started.asked[0]?.reply(first)
    await nextTick()
    expect(reported.splice(0)).toEqual([{ kind: 'answer', ...first }])
    return { ...started, reported, stop }
  }

  test('are refreshed before they expire, and only changes are reported', async () => {
    const { asked, pass, reported, resolver } = await watched()
    await pass(79)
    expect(asked).toHaveLength(1)
    await pass(2)
    expect(asked).toHaveLength(2)
    asked[1]?.reply(answer(1))
    await nextTick()
    expect(reported).toEqual([])
    await pass(81)
    asked[2]?.reply(answer(2))
    await nextTick()
    expect(reported).toEqual([{ kind: 'answer', ...answer(2) }])
    await resolver.close()
  })

  test('the order of records is not a change', async () => {
    const two = (a: number, b: number): Answer => ({
      ...answer(1),
      rdatas: [Uint8Array.of(192, 0, 2, a), Uint8Array.of(192, 0, 2, b)],
    })
    const { asked, pass, reported } = await watched(two(1, 2))
    await pass(81)
    asked[1]?.reply(two(2, 1))
    await nextTick()
    expect(reported).toEqual([])
  })

  test('stale answers are used with a short TTL, retried every 30 s, and finally dropped', async () => {
    const { asked, pass, reported, limits, resolver } = await watched()
    await pass(81)
    asked[1]?.fail()
    await nextTick()
    await pass(18)
    expect(reported).toEqual([])
    await pass(2)
    expect(reported.splice(0)).toEqual([{ kind: 'answer', ...answer(1), ttlSeconds: limits.staleTtlSeconds }])
    for (let i = 2; i < 6; i += 1) {
      await pass(31)
      expect(asked.length).toBeGreaterThan(i)
      asked.at(-1)?.fail()
      await nextTick()
    }
    expect(reported).toEqual([])
    await pass(limits.maxStaleSeconds)
    expect(reported).toEqual([{ kind: 'failed' }])
    asked.at(-1)?.reply(answer(9))
    await nextTick()
    expect(resolver.peek(NAME, A)).toEqual({ kind: 'answer', ...answer(9) })
    expect(reported.at(-1)).toEqual({ kind: 'answer', ...answer(9) })
  })

  test('a negative answer is not used beyond its TTL', async () => {
    const { asked, pass, reported } = await watched(no(60))
    await pass(50)
    asked[1]?.fail()
    await nextTick()
    await pass(11)
    expect(reported).toEqual([{ kind: 'failed' }])
  })

  test('unwatched names are not refreshed', async () => {
    const { asked, pass, stop, reported } = await watched()
    stop()
    await pass(500)
    expect(asked).toHaveLength(1)
    expect(reported).toEqual([])
  })
})

describe('limits', () => {
  const nameAt = (i: number) => parseName(`n${i}.example.net`)

  test('concurrent queries', async () => {
    const { resolver, asked } = start({ concurrency: 2 })
    for (let i = 0; i < 5; i += 1) resolver.peek(nameAt(i), A)
    expect(asked.map(({ name }) => name)).toEqual(['n0.example.net', 'n1.example.net'])
    asked[0]?.reply(answer(1))
    await nextTick()
    expect(asked.map(({ name }) => name)).toEqual(['n0.example.net', 'n1.example.net', 'n2.example.net'])
    asked[1]?.fail()
    asked[2]?.fail()
    await nextTick()
    expect(asked).toHaveLength(5)
  })

  test('cached answers: the least recently used one is evicted, watched ones stay, and then new names fail', async () => {
    const { resolver, asked } = start({ entries: 3 })
    for (let i = 0; i < 3; i += 1) resolver.peek(nameAt(i), A)
    for (const { reply } of asked.splice(0)) reply(answer(1))
    await nextTick()
    const stop = resolver.watch(nameAt(0), A, () => {})
    resolver.peek(nameAt(1), A)
    expect(resolver.peek(nameAt(3), A).kind).toBe('pending')
    expect(resolver.peek(nameAt(0), A).kind).toBe('answer')
    expect(resolver.peek(nameAt(1), A).kind).toBe('answer')
    resolver.watch(nameAt(1), A, () => {})
    resolver.watch(nameAt(3), A, () => {})
    expect(resolver.peek(nameAt(4), A)).toEqual({ kind: 'failed' })
    stop()
    expect(resolver.peek(nameAt(4), A).kind).toBe('pending')
  })

  test('after several queries in a row without a reply, isAnswering is false; one reply resets it', async () => {
    const { resolver, asked, limits } = start()
    for (let i = 0; i < limits.silencesUntilDown; i += 1) {
      expect(resolver.isAnswering).toBe(true)
      resolver.peek(nameAt(i), A)
      asked.at(-1)?.fail()
      await nextTick()
    }
    expect(resolver.isAnswering).toBe(false)
    resolver.peek(nameAt(9), A)
    asked.at(-1)?.fail(true)
    await nextTick()
    expect(resolver.isAnswering).toBe(true)
  })

  test('closing ends running and queued queries', async () => {
    const { resolver } = start({ concurrency: 1 })
    const waiting = [0, 1, 2].map((i) => resolver.lookUp(nameAt(i), A))
    await resolver.close()
    expect(await Promise.all(waiting)).toEqual([{ kind: 'failed' }, { kind: 'failed' }, { kind: 'failed' }])
  })
})
