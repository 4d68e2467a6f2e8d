// Names with one record are not indexed, and what is found at names is the same.
import fc from 'fast-check'
import type { Name } from '@zonereeve/dns'
import { createSingleKeys } from '@zonereeve/platform'
import { expect, test } from 'vitest'
import { DNAME } from './coexistence.rules.ts'
import type { RecordFields } from './dns-records.rules.ts'
import { createNeighborIndex, type IndexedRecord } from './neighbors.rules.ts'

type TypedRecord = IndexedRecord & Pick<RecordFields, 'type'>

const named = (name: string) => name as Name // as it is stored

const record = fc
  .record({
    name: fc.constantFrom('a.example', 'b.example', 'c.b.example', 'd.example', 'e.example', 'f.a.example'),
    type: fc.constantFrom<RecordFields['type']>('A', 'CNAME', 'TXT', 'NS', DNAME),
    identity: fc.constantFrom('1', '2'),
    proxied: fc.boolean(),
  })
  .map(({ name, type, identity, proxied }): TypedRecord => {
    const searchText = type === 'TXT' ? identity : null
    return {
      id: `${name} ${type} ${identity}`,
      name: named(name),
      type,
      identity,
      proxied,
      searchText,
      rdataBytes: 1,
      settings: {},
    }
  })

test('each record of a list finds the same neighbors, with and without the names that one record has', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 12 }), fc.constantFrom(32, 1_000), (records, bits) => {
      const names = createSingleKeys(bits)
      for (const { name } of records) names.add(name)
      const whole = createNeighborIndex()
      const short = createNeighborIndex()
      whole.openAll()
      short.openAll(names.hasOne)
      for (const each of records) {
        expect(short.around(each, each.identity)).toEqual(whole.around(each, each.identity))
        const above = { name: named(each.name.slice(2)), type: DNAME } as const
        const hasDname = (index: typeof whole) => index.around(above, '').some(({ type }) => type === DNAME)
        expect(hasDname(short)).toBe(hasDname(whole))
        whole.put(each)
        short.put(each)
        expect(short.knows(each.name)).toBe(true)
      }
    }),
  )
})

test('a cleared index looks at all names again', () => {
  const index = createNeighborIndex()
  const a: TypedRecord = {
    id: '1',
    name: named('a.example'),
    type: 'A',
    identity: '1',
    proxied: false,
    searchText: null,
    rdataBytes: 4,
    settings: {},
  }
  index.openAll(() => true)
  index.put(a)
  expect(index.around(a, '2')).toEqual([])
  index.openAll()
  index.put(a)
  expect(index.around(a, '2')).toMatchObject([{ id: '1' }])
})
