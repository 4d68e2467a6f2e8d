// A record whose value is decoded already is read as one whose content is parsed.
import { encodeRdata, nameFromWire, parseName, recordTypeByName, type Name } from '@zonereeve/dns'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_INPUT, readRecord, type RecordContext } from './dns-records.rules.ts'
import { shownRdata, wireTypeOf } from './types/registry.ts'

const RUNS = 300
const apex = parseName('example.com')
const around: RecordContext = {
  apex,
  minimumTtlSeconds: 60,
  lettersFirst: false,
  quoteTxt: true,
  rejectsUnknown: true,
  edgeAddresses: ['192.0.2.7'],
  offersFamilies: false,
}

const label = fc.oneof(
  fc.constantFrom('www', '*', '@', '_dmarc', '-a', '192', '1/2', 'a b').map((text) => Buffer.from(text)),
  fc.uint8Array({ minLength: 1, maxLength: 12 }),
)
const anyName = fc
  .array(label, { maxLength: 4 })
  .map((labels): Name => nameFromWire(Uint8Array.from([...labels.flatMap((l) => [l.length, ...l]), 0])))
const ownName = fc.oneof(
  fc.constant(apex),
  anyName.map((name) => (name === '.' ? apex : (`${name}.${apex}` as Name))), // short labels
)
const octets = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const string = fc.oneof(
  fc.uint8Array({ maxLength: 255 }),
  fc.string({ unit: 'binary', maxLength: 60 }).map((text) => new TextEncoder().encode(text)),
)

test.each<[string, fc.Arbitrary<Uint8Array>]>([
  ['A', octets(4)],
  [
    'AAAA',
    fc.oneof(
      octets(16),
      octets(2).map((end) => Uint8Array.from([...Array(14).fill(0), ...end])),
    ),
  ],
  ['CNAME', fc.oneof(anyName, ownName).map((target) => encodeRdata('CNAME', { target }))],
  ['NS', anyName.map((target) => encodeRdata('NS', { target }))],
  ['PTR', anyName.map((target) => encodeRdata('PTR', { target }))],
  [
    'MX',
    fc
      .tuple(fc.nat(0xffff), anyName)
      .map(([preference, exchange]) => encodeRdata('MX', { preference, exchange })),
  ],
  [
    'TXT',
    fc.array(string, { minLength: 1, maxLength: 20 }).map((strings) => encodeRdata('TXT', { strings })),
  ],
] as const)('%s', (type, rdatas) => {
  expect(wireTypeOf(type as 'A').judge).toBeDefined() // a name of the list
  fc.assert(
    fc.property(ownName, rdatas, fc.constantFrom(1, 30, 300, 100_000), (name, rdata, ttl) => {
      const { value, ...shown } = shownRdata(recordTypeByName(type as 'A').code, rdata)
      const input = { ...NO_INPUT, ...shown, name: `${name}.`, ttl }
      const read = readRecord({ ...input, decoded: { name, rdata, value } }, around)
      expect(read).toEqual(readRecord(input, around))
    }),
    { numRuns: RUNS },
  )
})
