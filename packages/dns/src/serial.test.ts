import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextSerial, serialAfter } from './serial.ts'

describe('serialAfter', () => {
  const cases: [a: number, b: number, expected: boolean][] = [
    [1, 0, true],
    [0, 1, false],
    [7, 7, false],
    [0, 0xffff_ffff, true],
    [44, 0xffff_fff0, true],
    [0x7fff_ffff, 0, true],
    [0x8000_0000, 0, false], // undefined by RFC 1982 §3.2: neither is after the other
    [0, 0x8000_0000, false],
    [0x8000_0001, 0, false],
    [0, 0x8000_0001, true],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%i after %i: %s', (a, b, expected) => expect(serialAfter(a, b)).toBe(expected))

  test('the next serial always comes after', () => {
    fc.assert(
      fc.property(fc.nat(0xffff_ffff), (serial) => {
        expect(serialAfter(nextSerial(serial), serial)).toBe(true)
        expect(serialAfter(serial, nextSerial(serial))).toBe(false)
      }),
    )
    expect(nextSerial(0xffff_ffff)).toBe(0)
  })
})
