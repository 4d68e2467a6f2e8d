// Equality and types of run-time values, and the two forms of integers.
import { describe, expect, test } from 'vitest'
import { MAX_INT, MIN_INT, sharesBit, toInt } from './int.ts'
import { ipv4, ipv6 } from './ip.ts'
import {
  arrayOf,
  BOOL,
  BYTES,
  INT,
  IP,
  mapOf,
  packedTypeName,
  sameType,
  type Type,
  typeName,
} from './types.ts'
import { hasType, mapValue, type Maybe, sameValue, type Value } from './values.ts'

const map = (...entries: readonly (readonly [string, Value])[]) => mapValue(entries)

describe('equality', () => {
  test.each<[Maybe, Maybe]>([
    ['a', 'a'],
    [1, 1],
    [2n ** 60n, 2n ** 60n],
    [undefined, undefined],
    [
      ['a', ['b']],
      ['a', ['b']],
    ],
    [map(['a', 1], ['b', 2]), map(['b', 2], ['a', 1])],
    [ipv4(1), ipv4(1)],
    [ipv6(1, 2, 3, 4), ipv6(1, 2, 3, 4)],
  ])('%s is %s', (a, b) => expect([sameValue(a, b), sameValue(b, a)]).toEqual([true, true]))

  test.each<[Maybe, Maybe]>([
    ['a', 'b'],
    ['1', 1],
    [undefined, false],
    [['a'], ['a', 'b']],
    [['a'], 'a'],
    [[], map()],
    [map(['a', 1]), map(['a', 2])],
    [map(['a', 1]), map(['b', 1])],
    [map(['a', 1]), map(['a', 1], ['b', 2])],
    [map(['a', 1]), 'a'],
    [ipv4(1), ipv4(2)],
    [ipv4(1), ipv6(0, 0, 0, 1)],
    [ipv6(1, 2, 3, 4), ipv6(1, 2, 4, 4)],
    [ipv6(1, 2, 3, 4), ipv6(1, 3, 3, 4)],
    [ipv6(1, 2, 3, 4), ipv6(2, 2, 3, 4)],
    [ipv4(1), 'a'],
  ])('%s is not %s', (a, b) => expect([sameValue(a, b), sameValue(b, a)]).toEqual([false, false]))

  test('maps are iterated by key, the last of equal keys is used', () =>
    expect([...map(['b', 1], ['a', 2], ['b', 3])]).toEqual([
      ['a', 2],
      ['b', 3],
    ]))
})

describe('types', () => {
  const VALUES: readonly (readonly [Type, Value])[] = [
    [BYTES, 'a'],
    [INT, 1],
    [BOOL, true],
    [IP, ipv4(1)],
    [arrayOf(INT), [1]],
    [mapOf(BOOL), map(['a', true])],
  ]
  test('each value has its own type and no other', () => {
    for (const [type] of VALUES) {
      const fitting = VALUES.filter(([, value]) => hasType(value, type)).map(([own]) => own)
      expect(fitting).toEqual([type])
    }
  })

  test.each([
    [arrayOf(INT), [1, 'a']],
    [mapOf(INT), map(['a', 1], ['b', true])],
    [INT, 1n],
    [INT, 1.5],
  ] as const)('%s is not the type of %s', (type, value) => expect(hasType(value, type)).toBe(false))

  test.each([
    [BYTES, 'Bytes', 'Bytes'],
    [arrayOf(BOOL), 'Array<Bool>', 'Array(CompoundType { layers: 0, len: 0, primitive: Bool })'],
    [mapOf(arrayOf(IP)), 'Map<Array<Ip>>', 'Map(CompoundType { layers: 0, len: 1, primitive: Ip })'],
    [arrayOf(mapOf(INT)), 'Array<Map<Int>>', 'Array(CompoundType { layers: 1, len: 1, primitive: Int })'],
  ])('%s is called %s', (type, name, packed) =>
    expect([typeName(type), packedTypeName(type)]).toEqual([name, packed]),
  )

  test('types of one shape are the same', () => {
    expect(sameType(arrayOf(mapOf(INT)), arrayOf(mapOf(INT)))).toBe(true)
    expect(sameType(arrayOf(INT), arrayOf(BYTES))).toBe(false)
    expect(sameType(arrayOf(INT), mapOf(INT))).toBe(false)
    expect(sameType(INT, arrayOf(INT))).toBe(false)
  })
})

describe('integers', () => {
  test.each([
    [0, 0],
    [-0, 0],
    [5n, 5],
    [2n ** 53n - 1n, 2 ** 53 - 1],
    [2n ** 53n, 2n ** 53n],
    [2 ** 60, 2n ** 60n],
    [MAX_INT, MAX_INT],
    [MIN_INT, MIN_INT],
    [MAX_INT + 1n, undefined],
    [MIN_INT - 1n, undefined],
    [1.5, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ])('%s is stored as %s', (value, remaining) => expect(toInt(value)).toBe(remaining))

  test.each([
    [1, 3, true],
    [1, 2, false],
    [-1, 2 ** 31 - 1, true],
    [-1, 2 ** 40, true],
    [2 ** 32, 1, false],
    [2 ** 32, 2 ** 32 + 1, true],
    [MIN_INT, -1, true],
    [MIN_INT, MAX_INT, false],
    [0, -1, false],
  ])('%s and %s share a bit: %s', (a, b, shared) => expect(sharesBit(a, b)).toBe(shared))
})
