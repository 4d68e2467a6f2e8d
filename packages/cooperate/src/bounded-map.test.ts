import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

type Use = (map: BoundedMap<string, number>) => unknown

describe('BoundedMap of three', () => {
  test.each<[string, Use, string]>([
    ['holds as many as fit', () => undefined, 'abc'],
    ['evicts the oldest', (map) => map.set('d', 4), 'bcd'],
    ['evicts one after the other', (map) => [...'defg'].forEach((key) => map.set(key, 0)), 'efg'],
    ['a key that is set again is the newest, and evicts none', (map) => map.set('a', 5), 'bca'],
    ['a key that is read keeps its age', (map) => [map.get('a'), map.set('d', 4)], 'bcd'],
    ['a key that is touched is the newest', (map) => [map.touch('a'), map.set('d', 4)], 'cad'],
    ['touching an unknown key does not add it', (map) => map.touch('x'), 'abc'],
    ['a deleted key makes room', (map) => [map.delete('b'), map.set('d', 4)], 'acd'],
    [
      'deleting the oldest after evictions',
      (map) => [map.set('d', 4), map.delete('b'), map.set('e', 5), map.set('f', 6)],
      'def',
    ],
    [
      'cleared, it fills again',
      (map) => [map.set('d', 4), map.clear(), [...'efgh'].forEach((key) => map.set(key, 0))],
      'fgh',
    ],
  ])('%s', (_, use, expected) => {
    const map = new BoundedMap<string, number>(3)
    ;[...'abc'].forEach((key, index) => map.set(key, index))
    use(map)
    expect([...map.keys()].join('')).toBe(expected)
  })

  test('works with one place, and returns the last value set', () => {
    const map = new BoundedMap<string, number>(1)
    map.set('a', 1).set('a', 2).set('b', 3)
    expect([...map]).toEqual([['b', 3]])
    expect(map.touch('b')).toBe(3)
  })

  test('never exceeds its size, whatever the operations', () => {
    const map = new BoundedMap<number, number>(10)
    for (let step = 0; step < 10_000; step += 1) {
      const key = (step * 7919) % 37
      if (step % 5 === 0) map.delete(key)
      else if (step % 3 === 0) map.touch(key)
      else {
        map.set(key, step)
        expect(map.get(key)).toBe(step)
      }
      expect(map.size).toBeLessThanOrEqual(10)
    }
    expect(map.size).toBeGreaterThan(5)
  })

  test('keys that are set again, and never evicted, leave no garbage', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void // exists with this flag
    const map = new BoundedMap<number, number>(1_000)
    collect()
    const before = process.memoryUsage().heapUsed
    for (let step = 0; step < 500_000; step += 1) map.set(step % 10, step)
    collect()
    // It was 60 octets for each time.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(2_000_000)
    expect(map.size).toBe(10)
  })
})
