// Compares the wire index with a plain map over random changes, and checks its memory use.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNode, EMPTY_NODE } from './node.ts'
import type { Node } from './node.ts'
import { hashKeyOf, hashOctets, KNOWN_HASH_KEY } from './octet-hash.ts'
import { NAME_FLAG, WireIndex } from './wire-index.ts'
import { synthesiseRrset, TYPE } from './rrset.ts'
import type { Rrset } from './rrset.ts'
import { WireName } from './wire-name.ts'

const APEX = nameOf('example', 'com')

function nameOf(...labels: readonly string[]): WireName {
  const octets = Buffer.from([
    ...labels.flatMap((label) => [label.length, ...Buffer.from(label, 'latin1')]),
    0,
  ])
  const name = new WireName()
  name.read(octets, 0, octets.length)
  return name
}

/** The name of the zone with these labels below the apex. */
const below = (...labels: readonly string[]): WireName => nameOf(...labels, 'example', 'com')
const keyOf = (name: WireName): string => name.key(0, name.labels - 2)
const find = (wireIndex: WireIndex, name: WireName): boolean =>
  wireIndex.find(name.octets, 0, name.start(name.labels - 2))

/** The octets of an rrset as an answer gets them. */
function read(wireIndex: WireIndex, type: number, isSigned: boolean): string | undefined {
  if (!wireIndex.findSet(type)) return undefined
  const octets = wireIndex.setOctets(isSigned)
  const out = Buffer.alloc(octets + 1)
  wireIndex.copy(octets, out, 1)
  return `${wireIndex.count(isSigned)} ${out.toString('hex', 1)}`
}

const expected = ({ count, wire }: Rrset): string => `${count} ${Buffer.from(wire).toString('hex')}`

function signedOf(rrset: Rrset, signatureOctets: number): Rrset {
  const { wire, count } = synthesiseRrset(46, rrset.ttl, [new Uint8Array(signatureOctets).fill(7)])
  return { ...rrset, count: rrset.count + count, wire: Buffer.concat([rrset.wire, wire]) }
}

/** In seconds. */
const until = (refreshAt: number, usableFrom = 0) => ({
  usableFrom: usableFrom * 1000,
  refreshAt: refreshAt * 1000,
})

const TYPES = [TYPE.A, TYPE.AAAA, 16, 257]
const SIZES = [0, 4, 16, 60, 150, 500, 1500, 2036, 2037, 4100]

const CHANGE = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      name: fc.nat(10),
      sets: fc.dictionary(fc.constantFrom(...TYPES.map(String)), fc.constantFrom(...SIZES), {
        minKeys: 1,
        maxKeys: 4,
      }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ remove: fc.nat(10) }) },
  {
    weight: 20,
    arbitrary: fc.record({
      sign: fc.nat(10),
      type: fc.constantFrom(...TYPES),
      octets: fc.constantFrom(64, 100, 1000),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom('forget' as const) },
)

/**
 * The expected state of a name, and the signed rrsets that may be stored for it: a larger one may not have fitted.
 */
interface HeldOctets {
  readonly node: Node
  signed: Rrset[]
}

/** Compares the found name with its expected state. Returns how many values were compared. */
function compare(wireIndex: WireIndex, { node, signed }: HeldOctets) {
  const seen = { compared: 0, kept: 0 }
  const isElsewhere = (wireIndex.flags & NAME_FLAG.ELSEWHERE) !== 0
  const total = node.rrsets.reduce((sum, { wire }) => sum + wire.length, 0)
  if (isElsewhere) expect(total).toBeGreaterThan(2000)
  for (const type of TYPES) {
    const rrset = node.rrsets.find((each) => each.type === type)
    if (isElsewhere || rrset === undefined) {
      expect(read(wireIndex, type, false)).toBeUndefined()
      continue
    }
    seen.compared += 1
    expect(read(wireIndex, type, false)).toBe(expected(rrset))
    const candidates = signed.filter((each) => each.type === type)
    if (wireIndex.isSigned(99)) {
      seen.kept += 1
      expect(candidates.map(expected)).toContain(read(wireIndex, type, true))
    } else expect(candidates.every(({ wire }) => wire.length + total > 1000)).toBe(true)
    expect(wireIndex.isSigned(100)).toBe(false)
  }
  return seen
}

test('after random changes it equals a map', () => {
  let compared = 0
  let remaining = 0
  fc.assert(
    fc.property(fc.array(CHANGE, { minLength: 20, maxLength: 200 }), (changes) => {
      const wireIndex = new WireIndex(APEX, KNOWN_HASH_KEY)
      const held = new Map<number, HeldOctets>()
      const nameAt = (i: number): WireName => (i % 3 === 0 ? below(`n${i}`, 'x') : below(`n${i}`))
      for (const change of changes) {
        if (change === 'forget') {
          wireIndex.forgetSignatures()
          for (const one of held.values()) one.signed = []
        } else if ('remove' in change) {
          wireIndex.put(keyOf(nameAt(change.remove)), undefined)
          held.delete(change.remove)
        } else if ('sign' in change) {
          const one = held.get(change.sign)
          const rrset = one?.node.rrsets.find(({ type }) => type === change.type)
          if (rrset === undefined) continue
          const signed = signedOf(rrset, change.octets)
          wireIndex.sign(nameAt(change.sign), nameAt(change.sign).labels - 2, rrset, signed, until(100))
          one?.signed.push(signed)
        } else {
          const rrsets = Object.entries(change.sets).map(([type, octets]) =>
            synthesiseRrset(Number(type), 60, [new Uint8Array(octets).fill(Number(type))]),
          )
          const node = createNode(rrsets, false)
          wireIndex.put(keyOf(nameAt(change.name)), node)
          held.set(change.name, { node, signed: [] })
        }
      }
      expect(wireIndex.size).toBe(held.size)
      for (let i = 0; i <= 11; i += 1) {
        const one = held.get(i)
        expect(find(wireIndex, nameAt(i))).toBe(one !== undefined)
        if (one === undefined) continue
        const seen = compare(wireIndex, one)
        compared += seen.compared
        remaining += seen.kept
      }
    }),
    { numRuns: 200 },
  )
  expect([compared > 300, remaining > 20]).toEqual([true, true])
})

const A = createNode([synthesiseRrset(TYPE.A, 60, [Uint8Array.of(192, 0, 2, 1)])], false)

describe('memory', () => {
  test('of 20,000 names with an address is less than 140 octets each', () => {
    const wireIndex = new WireIndex(APEX, KNOWN_HASH_KEY)
    for (let i = 0; i < 20_000; i += 1) wireIndex.put(keyOf(below(`host-${i}`)), A)
    expect(wireIndex.octets / wireIndex.size).toBeLessThan(140)
    expect(find(wireIndex, below('host-19999'))).toBe(true)
    expect(find(wireIndex, below('host-20000'))).toBe(false)
  })

  test('of a zone of three names is at most 1 KiB', () => {
    const wireIndex = new WireIndex(APEX, KNOWN_HASH_KEY)
    wireIndex.put('', EMPTY_NODE)
    for (const label of ['a', 'b']) wireIndex.put(keyOf(below(label)), A)
    expect(wireIndex.octets).toBeLessThanOrEqual(1024)
  })

  test('does not grow when the same names are added, removed and signed repeatedly', () => {
    const wireIndex = new WireIndex(APEX, KNOWN_HASH_KEY)
    const [rrset] = A.rrsets
    if (rrset === undefined) throw new Error('a node with an rrset')
    const churn = (): number => {
      for (let i = 0; i < 2000; i += 1) {
        const name = below(`n${i}`)
        wireIndex.put(keyOf(name), A)
        wireIndex.sign(name, 1, rrset, signedOf(rrset, 64), until(100))
        if (i % 2 === 0) wireIndex.put(keyOf(name), undefined)
      }
      return wireIndex.octets
    }
    churn()
    const before = churn()
    for (let i = 0; i < 10; i += 1) expect(churn()).toBe(before)
  })
})

test('signatures made before the clock was set back are not used', () => {
  const wireIndex = new WireIndex(APEX, KNOWN_HASH_KEY)
  const [rrset] = A.rrsets
  if (rrset === undefined) throw new Error('a node with an rrset')
  const DAY = 86_400
  const isSignedAt = (seconds: number): boolean => {
    expect(find(wireIndex, below('www'))).toBe(true)
    expect(wireIndex.findSet(TYPE.A)).toBe(true)
    return wireIndex.isSigned(seconds)
  }
  wireIndex.put(keyOf(below('www')), A)
  expect(isSignedAt(10 * DAY)).toBe(false)
  wireIndex.sign(below('www'), 1, rrset, signedOf(rrset, 64), until(17 * DAY))
  expect([isSignedAt(10 * DAY), isSignedAt(10 * DAY - 1800)]).toEqual([true, true])
  expect([isSignedAt(9 * DAY), isSignedAt(10 * DAY)]).toEqual([false, false])
  wireIndex.sign(below('www'), 1, rrset, signedOf(rrset, 64), until(17 * DAY))
  expect(isSignedAt(10 * DAY)).toBe(true)
})

test('signatures that are not yet valid are not used, also after other queries', () => {
  const wireIndex = new WireIndex(APEX, KNOWN_HASH_KEY)
  const [rrset] = A.rrsets
  if (rrset === undefined) throw new Error('a node with an rrset')
  const HOUR = 3600
  const isSignedAt = (seconds: number): boolean =>
    find(wireIndex, below('www')) && wireIndex.findSet(TYPE.A) && wireIndex.isSigned(seconds)
  const sign = (): void =>
    wireIndex.sign(below('www'), 1, rrset, signedOf(rrset, 64), until(100 * HOUR, 9 * HOUR))
  wireIndex.put(keyOf(below('www')), A)
  sign() // for an answer by the full path: the time was not passed here
  expect([isSignedAt(9 * HOUR - 1), isSignedAt(9 * HOUR)]).toEqual([false, false])
  sign()
  expect([isSignedAt(9 * HOUR), isSignedAt(100 * HOUR - 1), isSignedAt(100 * HOUR)]).toEqual([
    true,
    true,
    false,
  ])
})

describe('rrsets that point into the zone', () => {
  const rdata = (labels: readonly string[], before: readonly number[]): Uint8Array => {
    return Uint8Array.from([...before, ...nameOf(...labels).wire()])
  }
  const pointsInside = (type: number, rdatas: readonly Uint8Array[]): boolean => {
    const wireIndex = new WireIndex(APEX, KNOWN_HASH_KEY)
    wireIndex.put('', createNode([synthesiseRrset(type, 60, rdatas)], true))
    expect(wireIndex.find(APEX.octets, 0, 0)).toBe(true)
    expect(wireIndex.findSet(type)).toBe(true)
    return wireIndex.pointsInside
  }
  test.each([
    ['MX of the zone', TYPE.MX, [0, 1], ['mail', 'example', 'com'], true],
    ['MX of the apex', TYPE.MX, [0, 1], ['example', 'com'], true],
    ['MX elsewhere', TYPE.MX, [0, 1], ['mail', 'example', 'net'], false],
    ['MX of a longer name with the same ending', TYPE.MX, [0, 1], ['mail', 'anexample', 'com'], false],
    ['SRV of the zone', TYPE.SRV, [0, 1, 0, 1, 0, 1], ['x', 'example', 'com'], true],
    ['SVCB of the zone', TYPE.SVCB, [0, 1], ['x', 'example', 'com'], true],
    ['HTTPS elsewhere', TYPE.HTTPS, [0, 1], ['x', 'example', 'net'], false],
    ['HTTPS of its owner', TYPE.HTTPS, [0, 1], [], true],
    ['HTTPS without a service', TYPE.HTTPS, [0, 0], [], false],
    ['NS elsewhere', TYPE.NS, [], ['ns', 'example', 'org'], false],
    ['an alias, which is not followed here', TYPE.CNAME, [], ['www', 'example', 'com'], false],
  ])('%s', (_, type, before, target, isInside) => {
    expect(pointsInside(type, [rdata(target, before)])).toBe(isInside)
  })

  test.each([
    [
      'the second of two',
      [
        ['mail', 'example', 'net'],
        ['mail', 'example', 'com'],
      ],
      true,
    ],
    [
      'the last of three',
      [
        ['a', 'net'],
        ['b', 'net'],
        ['mail', 'example', 'com'],
      ],
      true,
    ],
    [
      'none of three',
      [
        ['a', 'net'],
        ['b', 'net'],
        ['c', 'net'],
      ],
      false,
    ],
  ])('%s MX', (_, targets, isInside) => {
    expect(
      pointsInside(
        TYPE.MX,
        targets.map((target, i) => rdata(target, [0, i])),
      ),
    ).toBe(isInside)
  })
})

describe('the hash', () => {
  test('depends on every octet, on the length and on the key', () => {
    const octets = Buffer.from('0123456789abcdef')
    const sums = new Set<number>()
    for (let length = 0; length <= octets.length; length += 1)
      sums.add(hashOctets(octets, 0, length, KNOWN_HASH_KEY))
    for (let at = 0; at < octets.length; at += 1) {
      const other = Uint8Array.from(octets, (octet, i) => (i === at ? octet ^ 0x80 : octet))
      sums.add(hashOctets(other, 0, other.length, KNOWN_HASH_KEY))
      sums.add(hashOctets(octets, 0, octets.length, hashKeyOf(Uint8Array.from([at, 2, 3, 4, 5, 6, 7, 8]))))
    }
    // Keys are odd, so two that differ only in the lowest bit are equal.
    expect(sums.size).toBeGreaterThanOrEqual(17 + 16 + 16)
  })

  test('of names in a pattern built against one factor spreads over many places', () => {
    const places = new Set<number>()
    for (let i = 0; i < 4096; i += 1) {
      const octets = Buffer.alloc(24)
      for (let word = 0; word < 12; word += 1) if ((i >> word) & 1) octets[2 * word + 1] = 0x80
      places.add(hashOctets(octets, 0, 24, KNOWN_HASH_KEY) & 0xffff)
    }
    expect(places.size).toBeGreaterThan(3500)
  })
})
