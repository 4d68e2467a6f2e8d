import { parseName } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import { nameServersFor, type NameServerSet, setNumberOf } from './name-server-sets.ts'

const set = (letter: string, isFull = false): NameServerSet => ({
  names: [`ns1.${letter}.example`, `ns2.${letter}.example`],
  isFull,
})
const NAMES = Array.from({ length: 300 }, (_, at) => parseName(`zone-${at}.test`))

/** @param zones the name servers of existing zones, by name. */
const assign = (sets: readonly NameServerSet[], name: string, zones: Readonly<Record<string, string>> = {}) =>
  nameServersFor(sets, parseName(name), async (above) => {
    const found = zones[above]
    return found === undefined ? undefined : [found]
  })

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

  test.each<[title: string, name: string, zones: Readonly<Record<string, string>>, expected: string]>([
    ['the zone above', 'x.example.com', { 'example.com': 'of.parent.' }, 'of.parent.'],
    [
      'the closest zone above',
      'a.b.c.example.com',
      { 'example.com': 'of.parent', 'c.example.com': 'of.closer', com: 'of.com' },
      'of.closer',
    ],
    ['a top-level zone above', 'example.com', { com: 'of.com' }, 'of.com'],
  ])('%s decides, also if it is in no set', async (_, name, zones, expected) => {
    expect(await assign([set('a'), set('b')], name, zones)).toEqual([expected])
  })

  test.each([
    ['a zone below', { 'sub.example.com': 'of.child' }],
    ['a zone beside it', { 'ample.com': 'of.other', 'b.com': 'of.other' }],
  ])('%s does not', async (_, zones) => {
    const sets = [set('a'), set('b')]
    expect(await assign(sets, 'example.com', zones)).toEqual(await assign(sets, 'example.com'))
  })

  test('with one set, no zone is looked up', async () => {
    const find = () => Promise.reject(new Error('looked up'))
    expect(await nameServersFor([set('a')], parseName('a.example'), find)).toEqual(set('a').names)
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
