// The examples of RFC 8976, appendix A, and properties of the digest.
import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compareNames,
  decodeRdata,
  parseName,
  readZoneFile,
  zoneDigestOctets,
  type PlainRecord,
} from './index.ts'

const APEX = parseName('example')
const HASHES = ['', 'sha384', 'sha512']

const HEAD = `
example.      86400  IN  SOA     ns1 admin 2018031900 1800 900 604800 86400
              86400  IN  NS      ns1
              86400  IN  NS      ns2
`
const SIMPLE = `${HEAD}
example.      86400  IN  ZONEMD  2018031900 1 1 ( c68090d90a7aed716bc459f9340e3d7c
                     1370d4d24b7e2fc3a1ddc0b9a87153b9a9713b3c9ae5cc27777f98b8e730044c )
ns1           3600   IN  A       203.0.113.63
ns2           3600   IN  AAAA    2001:db8::63
`
const COMPLEX = `${HEAD}
example.      86400  IN  ZONEMD  2018031900 1 1 ( a3b69bad980a3504e1cffcb0fd6397f9
                     3848071c93151f552ae2f6b1711d4bd2d8b39808226d7b9db71e34b72077f8fe )
ns1           3600   IN  A       203.0.113.63
NS2           3600   IN  AAAA    2001:db8::63
occluded.sub  7200   IN  TXT     "I'm occluded but must be digested"
sub           7200   IN  NS      ns1
duplicate     300    IN  TXT     "I must be digested just once"
duplicate     300    IN  TXT     "I must be digested just once"
foo.test.     555    IN  TXT     "out-of-zone data must be excluded"
UPPERCASE     3600   IN  TXT     "canonicalize uppercase owner names"
*             777    IN  PTR     dont-forget-about-wildcards
mail          3600   IN  MX      20 MAIL1
mail          3600   IN  MX      10 Mail2.Example.
sortme        3600   IN  AAAA    2001:db8::5:61
sortme        3600   IN  AAAA    2001:db8::3:62
sortme        3600   IN  AAAA    2001:db8::4:63
sortme        3600   IN  AAAA    2001:db8::1:65
sortme        3600   IN  AAAA    2001:db8::2:64
non-apex      900    IN  ZONEMD  2018031900 1 1 ( 616c6c6f776564206275742069676e6f7265642e20616c6c
                     6f776564206275742069676e6f7265642e20616c6c6f7765 )
`
const MULTIPLE = `${HEAD}
example.      86400  IN  ZONEMD  2018031900 1 1 ( 62e6cf51b02e54b9b5f967d547ce43136792901f9f88e637
                     493daaf401c92c279dd10f0edb1c56f8080211f8480ee306 )
example.      86400  IN  ZONEMD  2018031900 1 2 ( 08cfa1115c7b948c4163a901270395ea226a930cd2cbcf2f
                     a9a5e6eb85f37c8a4e114d884e66f176eab121cb02db7d652e0cc4827e7a3204f166b47e5613fd27 )
example.      86400  IN  ZONEMD  2018031900 1 240 ( e2d523f654b9422a96c5a8f44607bbee )
example.      86400  IN  ZONEMD  2018031900 241 1 ( e1846540e33a9e4189792d18d5d131f605fc283e )
ns1           3600   IN  A       203.0.113.63
ns2           86400  IN  TXT     "This example has multiple digests"
NS2           3600   IN  AAAA    2001:db8::63
`

const recordsOf = (zone: string): PlainRecord[] =>
  Array.from(readZoneFile(zone.split('\n'), { origin: APEX }), ({ name, type, ttlSeconds: ttl, rdata }) => ({
    name,
    type,
    ttl,
    rdata,
  }))

function digestOf(records: Iterable<PlainRecord>, hashAlgorithm = 1): string {
  const hash = createHash(HASHES[hashAlgorithm] ?? '')
  for (const octets of zoneDigestOctets(APEX, records)) hash.update(octets)
  return hash.digest('hex')
}

describe('the examples of the specification', () => {
  test.each([
    ['A.1', SIMPLE, 1],
    ['A.2', COMPLEX, 1],
    ['A.3', MULTIPLE, 2],
  ])('%s', (_, zone, count) => {
    const records = recordsOf(zone)
    const digests = records
      .filter(({ name, type }) => name === APEX && type === 63)
      .map(({ rdata }) => decodeRdata('ZONEMD', rdata))
      .filter(({ scheme, hashAlgorithm }) => scheme === 1 && hashAlgorithm <= 2)
    expect(digests).toHaveLength(count)
    for (const { hashAlgorithm, digest } of digests)
      expect(digestOf(records, hashAlgorithm)).toBe(Buffer.from(digest).toString('hex'))
  })
})

const label = fc.oneof(
  fc.constantFrom('a', 'b', 'Z', 'a-', '\\000', '\\255', '*'),
  fc.stringMatching(/^[a-z0-9]{1,5}$/),
)
const record = fc.record({
  name: fc.array(label, { maxLength: 3 }).map((labels) => parseName([...labels, 'example'].join('.'))),
  type: fc.constantFrom(1, 16, 28, 99, 256, 65_280),
  ttl: fc.nat(0x7fff_ffff),
  rdata: fc.uint8Array({ maxLength: 8 }),
})
const records = fc.uniqueArray(record, {
  maxLength: 30,
  selector: ({ name, type, rdata }) => `${name} ${type} ${Buffer.from(rdata).toString('hex')}`,
})

test('the order of records, and records that are there twice, change nothing; every other change does', () => {
  fc.assert(
    fc.property(records, fc.nat(), fc.nat(), (zone, from, at) => {
      const digest = digestOf(zone)
      const turned = [...zone.slice(from % (zone.length + 1)), ...zone.slice(0, from % (zone.length + 1))]
      expect(digestOf([...turned.toReversed(), ...zone.slice(0, 1)])).toBe(digest)
      const [changed] = zone.slice(at % Math.max(1, zone.length))
      if (changed === undefined) return
      const others = zone.filter((one) => one !== changed)
      expect(digestOf(others)).not.toBe(digest)
      expect(digestOf([...others, { ...changed, ttl: changed.ttl ^ 1 }])).not.toBe(digest)
    }),
  )
})

test('names are in canonical order', () => {
  fc.assert(
    fc.property(records, (zone) => {
      const names: string[] = []
      const hexOf = new Map(
        zone.map((one) => [Buffer.from([...zoneDigestOctets(APEX, [one])][0] ?? []).toString('hex'), one]),
      )
      for (const octets of zoneDigestOctets(APEX, zone)) {
        const name = hexOf.get(Buffer.from(octets).toString('hex'))?.name
        if (name !== undefined && names.at(-1) !== name) names.push(name)
      }
      const expected = [...new Set(zone.map(({ name }) => name))].toSorted(compareNames)
      expect(names).toEqual(expected)
    }),
  )
})
