import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { SignatureReader, SignatureWriter } from './signature-batch.ts'
import { SIGNED } from './zone-store/run.ts'

const OCTETS = fc.uint8Array({ maxLength: 300 })
const ENTRY = fc.record({
  zone: fc.nat(2),
  name: fc.uint8Array({ maxLength: 255 }),
  type: fc.nat(65_535),
  records: OCTETS,
  signatures: OCTETS,
  count: fc.nat(4),
  usableFrom: fc.nat(2 ** 31 - 1),
  refreshAt: fc.nat(2 ** 31 - 1),
})

test('what is written is read for each zone in order, also after earlier batches', () => {
  let compared = 0
  const writer = new SignatureWriter()
  fc.assert(
    fc.property(fc.array(ENTRY, { maxLength: 60 }), (entries) => {
      for (const { zone, name, type, records, signatures, count, ...times } of entries) {
        const wire = Buffer.concat([records, signatures])
        writer.add(zone, name, {
          rrset: { type, ttl: 0, count: 0, wire, records: [] },
          recordOctets: records.length,
          signatureCount: count,
          // In milliseconds; the store has whole seconds in which they are used.
          usableFrom: times.usableFrom * 1000 - 999,
          refreshAt: times.refreshAt * 1000 + 999,
        })
      }
      const batch = writer.take()
      expect(writer.length).toBe(0)
      for (const zone of [0, 1, 2, 3]) {
        const read = readAll(batch, zone)
        expect(read).toEqual(entries.filter((entry) => entry.zone === zone))
        compared += read.length
      }
    }),
    { numRuns: 100 },
  )
  expect(compared).toBeGreaterThan(100)
})

function readAll(batch: Uint8Array, zone: number) {
  const reader = new SignatureReader(batch)
  const data = new DataView(batch.buffer, batch.byteOffset)
  const all: unknown[] = []
  while (reader.next(zone)) {
    const { type, name, records, signatures, end } = reader
    expect(data.getUint32(signatures + SIGNED.OCTETS, true)).toBe(end - signatures - SIGNED.HEAD)
    all.push({
      zone,
      type,
      name: batch.slice(name, records),
      records: batch.slice(records, signatures),
      signatures: batch.slice(signatures + SIGNED.HEAD, end),
      count: data.getUint32(signatures + SIGNED.COUNT, true),
      usableFrom: data.getUint32(signatures + SIGNED.USABLE_FROM, true),
      refreshAt: data.getUint32(signatures + SIGNED.REFRESH_AT, true),
    })
  }
  return all
}
