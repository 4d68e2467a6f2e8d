import { describe, expect, test } from 'vitest'
import { nameServersFor, type NameServerSet, setNumberOf } from './name-server-sets.ts'

const set = (letter: string, isFull = false): NameServerSet => ({
  names: [`ns1.${letter}.example`, `ns2.${letter}.example`],
  isFull,
})
const NAMES = Array.from({ length: 300 }, (_, at) => `zone-${at}.test`)

/** @param above the name servers of the zone above; undefined if there is none. */
const assign = (sets: readonly NameServerSet[], name: string, above?: readonly string[]) =>
  nameServersFor(sets, name, () => Promise.resolve(above))

describe('nameServersFor', () => {
  test('zones are spread by their names over the sets that are not full, and a name has the same each time', async () => {
    const sets = [set('a'), set('b', true), set('c')]
    const counts = { a: 0, b: 0, c: 0 }
    for (const name of NAMES) {
      const names = await assign(sets, name)
      expect(await assign(sets, name)).toEqual(names)
      const letter = (['a', 'b', 'c'] as const).find((each) => set(each).names.join() === names.join())
      if (letter === undefined) throw new Error(`in no set: ${names.join()}`)
      counts[letter] += 1
    }
    expect(counts.b).toBe(0)
    // Of 300, a half each: five standard deviations are 43.
    expect([counts.a, counts.c].every((count) => count > 107)).toBe(true)
  })

  test('a zone above decides, also if its name servers are in no set', async () => {
    for (const names of [set('b').names, ['ns1.earlier.example']])
      expect(await assign([set('a'), set('b', true), set('c')], 'x.example.com', names)).toEqual(names)
  })

  test('with one set, no zone is looked up', async () => {
    const find = () => Promise.reject(new Error('looked up'))
    expect(await nameServersFor([set('a')], 'a.example', find)).toEqual(set('a').names)
  })

  test('without a set that is not full, it fails', async () => {
    await expect(assign([set('a', true)], 'a.example')).rejects.toThrow('full')
  })
})

test.each<[names: readonly string[], expected: number]>([
  [set('a').names, 1],
  [set('b').names, 2],
  [set('c').names, 3],
  [set('b').names.toReversed(), 2],
  [set('b').names.slice(1), 1],
  [['ns1.earlier.example'], 1],
  [[], 1],
])('the number of %j is %i', (names, expected) => {
  expect(setNumberOf([set('a'), set('b', true), set('c')], names)).toBe(expected)
})
