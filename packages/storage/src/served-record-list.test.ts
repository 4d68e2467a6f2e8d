import type { Name } from '@zonereeve/dns'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ServedRecord } from './change-event.ts'
import { createServedRecordList } from './served-record-list.ts'

const ascii = (maxLength: number) => fc.string({ minLength: 1, maxLength, unit: 'grapheme-ascii' })

const anyRecord: fc.Arbitrary<ServedRecord> = fc.record({
  id: fc.uuid(),
  name: ascii(1_000) as fc.Arbitrary<string> as fc.Arbitrary<Name>,
  type: fc.constantFrom('A', 'TXT', 'TYPE65280'),
  ttlSeconds: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  rdata: fc.uint8Array({ maxLength: 65_535, size: 'medium' }),
  proxied: fc.boolean(),
  settings: fc.dictionary(ascii(10), fc.boolean(), { maxKeys: 2, noNullPrototype: true }),
})

const plain = (record: ServedRecord) => ({ ...record, rdata: [...record.rdata] })

function listOf(records: readonly ServedRecord[]) {
  const list = createServedRecordList()
  for (const record of records) list.add(record)
  return list
}

describe('a list of published records', () => {
  test('has the records that were added, in their order, each time that it is read', () => {
    fc.assert(
      fc.property(fc.array(anyRecord, { maxLength: 50 }), (records) => {
        const list = listOf(records)
        expect(list.length).toBe(records.length)
        expect(Array.from(list, plain)).toEqual(records.map(plain))
        expect(Array.from(list, plain)).toEqual(records.map(plain))
      }),
    )
  })

  test.each([
    ['blocks that are full to the last octets', 65_535, 40],
    ['very many small records', 4, 20_000],
  ])('has %s', (_, octets, count) => {
    const records = Array.from({ length: count }, (_, number) => ({
      id: String(number),
      name: `h${number}.example.com` as Name,
      type: 'A',
      ttlSeconds: number,
      rdata: new Uint8Array(octets - (number % 3)).fill(number),
      proxied: false,
      settings: {},
    }))
    const list = listOf(records)
    let read = 0
    for (const { id, rdata, ttlSeconds } of list) {
      expect([id, rdata.length, rdata[0], ttlSeconds]).toEqual([
        String(read),
        octets - (read % 3),
        read % 256,
        read,
      ])
      read += 1
    }
    expect(read).toBe(count)
  })

  test('shares settings', () => {
    const record = { id: 'a', name: 'a' as Name, type: 'A', ttlSeconds: 1, rdata: new Uint8Array(1) }
    const list = listOf(
      [{ on: true }, { on: false }, { on: true }].map((settings) => ({
        ...record,
        proxied: true,
        settings,
      })),
    )
    const [first, second, third] = Array.from(list, ({ settings }) => settings)
    expect(first).toBe(third)
    expect(second).toEqual({ on: false })
  })
})
