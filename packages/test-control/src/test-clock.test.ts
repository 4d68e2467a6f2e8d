import { manualClock } from '@zonereeve/platform'
import { describe, expect, test } from 'vitest'
import { createTestClock } from './test-clock.ts'

const START = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000

function clocks() {
  const system = manualClock(START)
  return { system, clock: createTestClock(system) }
}

describe('a clock of tests', () => {
  test('is that of the system until it is set', () => {
    const { system, clock } = clocks()
    system.advance(5)
    expect([clock.now(), clock.isStopped]).toEqual([START + 5, false])
  })

  test('runs on from where it is set', () => {
    const { system, clock } = clocks()
    clock.set(START + HOUR)
    system.advance(7)
    expect(clock.now()).toBe(START + HOUR + 7)
  })

  test('stands while it is stopped, can be advanced then, and runs on from there', () => {
    const { system, clock } = clocks()
    clock.stop()
    system.advance(7)
    expect(clock.now()).toBe(START)
    clock.advance(HOUR)
    expect(clock.now()).toBe(START + HOUR)
    clock.start()
    system.advance(3)
    expect([clock.now(), clock.isStopped]).toEqual([START + HOUR + 3, false])
    clock.reset()
    expect(clock.now()).toBe(START + 10)
  })

  test('gives timestamps that increase, also while it is stopped', () => {
    const { clock } = clocks()
    clock.stop()
    const stamps = Array.from({ length: 2500 }, () => clock.timestamp())
    expect(stamps.toSorted()).toEqual(stamps)
    expect(new Set(stamps).size).toBe(stamps.length)
    expect(stamps[0]).toMatch(/^2026-01-01T00:00:00\.00000\dZ$/)
  })
})
