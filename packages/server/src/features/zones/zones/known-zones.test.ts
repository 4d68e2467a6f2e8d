import { createPromise } from '@zonereeve/cooperate'
import { describe, expect, test } from 'vitest'
import { createKnownZones } from './known-zones.ts'

const ZONE = { name: 'www.example' }
type Found = typeof ZONE

function setUp(answers: readonly (Found | undefined | Promise<Found | undefined>)[]) {
  let now = 0
  const asked: string[] = []
  const rest = [...answers]
  const zones = createKnownZones({
    clock: { now: () => now },
    rememberMillis: 1_000,
    async findZone(zoneId): Promise<Found | undefined> {
      asked.push(zoneId)
      return rest.shift()
    },
  })
  return { zones, asked, wait: (millis: number) => void (now += millis) }
}

describe('a zone is read again', () => {
  test('not while it is remembered', async () => {
    const { zones, asked, wait } = setUp([ZONE])
    expect(zones.findKnown('a')).toBeUndefined()
    expect(await zones.find('a')).toBe(ZONE)
    wait(999)
    expect(await zones.find('a')).toBe(ZONE)
    expect(zones.findKnown('a')?.zone).toBe(ZONE)
    expect(asked).toEqual(['a'])
  })

  test('after its time', async () => {
    const { zones, asked, wait } = setUp([ZONE, undefined])
    await zones.find('a')
    wait(1_000)
    expect(zones.findKnown('a')).toBeUndefined()
    expect(await zones.find('a')).toBeUndefined()
    expect(asked).toEqual(['a', 'a'])
  })

  test('after it changed, and only that one', async () => {
    const { zones, asked } = setUp([ZONE, ZONE, undefined])
    await zones.find('a')
    await zones.find('b')
    zones.forget('a')
    expect(await zones.find('a')).toBeUndefined()
    expect(await zones.find('b')).toBe(ZONE)
    expect(asked).toEqual(['a', 'b', 'a'])
  })

  test('if it changed while it was read', async () => {
    const reading = createPromise<Found | undefined>()
    const { zones, asked } = setUp([reading.promise, undefined])
    const first = zones.find('a')
    zones.forget('a')
    reading.resolve(ZONE)
    expect(await first).toBe(ZONE)
    expect(zones.findKnown('a')).toBeUndefined()
    expect(await zones.find('a')).toBeUndefined()
    expect(asked).toEqual(['a', 'a'])
  })

  test('not because another one changed while it was read', async () => {
    const reading = createPromise<Found | undefined>()
    const { zones, asked } = setUp([reading.promise])
    const first = zones.find('a')
    zones.forget('b')
    reading.resolve(ZONE)
    expect(await first).toBe(ZONE)
    expect(await zones.find('a')).toBe(ZONE)
    expect(asked).toEqual(['a'])
  })

  test('once for all that need it at the same time, and again for those that come after its change', async () => {
    const reading = createPromise<Found | undefined>()
    const { zones, asked } = setUp([reading.promise, undefined])
    const before = [zones.find('a'), zones.find('a')]
    zones.forget('a')
    const after = [zones.find('a'), zones.find('a')]
    reading.resolve(ZONE)
    expect(await Promise.all(before)).toEqual([ZONE, ZONE])
    expect(await Promise.all(after)).toEqual([undefined, undefined])
    expect(asked).toEqual(['a', 'a'])
  })

  test('each time if there is none, because clients can invent any ID', async () => {
    const { zones, asked } = setUp([undefined, undefined])
    await zones.find('a')
    await zones.find('a')
    expect(asked).toEqual(['a', 'a'])
  })

  test('not if there is none and its ID is one of ours', async () => {
    const { zones, asked } = setUp([undefined])
    expect(await zones.load('a')).toBeUndefined()
    expect(zones.findKnown('a')).toEqual({ zone: undefined, until: 1_000 })
    expect(await zones.find('a')).toBeUndefined()
    expect(asked).toEqual(['a'])
  })

  test('after a failure, which is not remembered', async () => {
    const { zones, asked } = setUp([Promise.reject(new Error('no answer')), ZONE])
    await expect(zones.find('a')).rejects.toThrow('no answer')
    expect(await zones.find('a')).toBe(ZONE)
    expect(asked).toEqual(['a', 'a'])
  })
})
