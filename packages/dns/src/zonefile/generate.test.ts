import { describe, expect, test } from 'vitest'
import { parseRange, rangeCount, substitute } from './generate.ts'

describe('ranges', () => {
  test.each([
    ['1-2', { start: 1, stop: 2, step: 1 }, 2],
    ['0-255/5', { start: 0, stop: 255, step: 5 }, 52],
    ['7-7', { start: 7, stop: 7, step: 1 }, 1],
    ['0-2147483647/2147483647', { start: 0, stop: 2_147_483_647, step: 2_147_483_647 }, 2],
  ])('%s', (text, range, count) => {
    expect(parseRange(text)).toEqual(range)
    expect(rangeCount(range)).toBe(count)
  })
  test.each(['', '1', '2-1', '1-2/0', '-1-2', '1-2147483648', '1-x', '1-2/3/4'])('%j is rejected', (text) =>
    expect(parseRange(text)).toBeUndefined(),
  )
})

describe('modifiers', () => {
  test.each([
    ['host$', 7, 'host7'],
    ['$ A 192.0.2.$', 7, '7 A 192.0.2.7'],
    ['${10}', 7, '17'],
    ['${-5}', 7, '2'],
    ['${+5}', 7, '12'],
    ['${0,3}', 7, '007'],
    ['${0,2,x}', 10, '0a'],
    ['${0,2,X}', 10, '0A'],
    ['${0,4,o}', 8, '0010'],
    ['${0,1,d}', 12, '12'],
    ['${0,7,n}', 0x1a2, '2.a.1.0'],
    ['${0,3,N}', 0x1a, 'A.1'],
    ['\\$$', 1, '\\$1'],
    ['$$', 1, '\\$'],
    ['a\\.b$', 1, 'a\\.b1'],
  ])('%s of %i', (template, number, text) => expect(substitute(template, number)).toBe(text))
  test.each([
    ['${x}', 1],
    ['${0,x}', 1],
    ['${0,1,z}', 1],
    ['${-2}', 1],
    ['${0,256}', 1],
    ['${}', 1],
  ])('%s of %i is refused', (template, number) => expect(substitute(template, number)).toBeUndefined())
})
