// Names as octets, held against a plain map over random changes; and what they take of memory.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNode, EMPTY_NODE } from './node.ts'
import type { Node } from './node.ts'
import { hashKeyOf, hashOctets, KNOWN_HASH_KEY } from './octet-hash.ts'
import { NAME_FLAG, PackedNames } from './packed-names.ts'
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

/** A name of the zone whose own labels these are. */
const below = (...labels: readonly string[]): WireName => nameOf(...labels, 'example', 'com')
const keyOf = (name: WireName): string => name.key(0, name.labels - 2)
const find = (packed: PackedNames, name: WireName): boolean =>
  packed.find(name.octets, 0, name.labelAt[name.labels - 2] ?? 0)

/** The octets of an rrset, as an answer gets them. */
function read(packed: PackedNames, type: number, isSigned: boolean): string | undefined {
  if (!packed.findSet(type)) return undefined
  const octets = packed.setOctets(isSigned)
  const out = Buffer.alloc(octets + 1)
  packed.copy(octets, out, 1)
  return `${packed.count(isSigned)} ${out.toString('hex', 1)}`
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

/** One name as it should be, and the signed rrsets that may be kept of it: a larger one may not have fitted. */
interface Held {
  readonly node: Node
  signed: Rrset[]
}

/** Compares the name that was found with what it should be. Returns how much there was to compare. */
function compare(packed: PackedNames, { node, signed }: Held) {
  const seen = { compared: 0, kept: 0 }
  const isElsewhere = (packed.flags & NAME_FLAG.ELSEWHERE) !== 0
  const total = node.rrsets.reduce((sum, { wire }) => sum + wire.length, 0)
  if (isElsewhere) expect(total).toBeGreaterThan(2000)
  for (const type of TYPES) {
    const rrset = node.rrsets.find((each) => each.type === type)
    if (isElsewhere || rrset === undefined) {
      expect(read(packed, type, false)).toBeUndefined()
      continue
    }
    seen.compared += 1
    expect(read(packed, type, false)).toBe(expected(rrset))
    const candidates = signed.filter((each) => each.type === type)
    if (packed.isSigned(99)) {
      seen.kept += 1
      expect(candidates.map(expected)).toContain(read(packed, type, true))
    } else expect(candidates.every(({ wire }) => wire.length + total > 1000)).toBe(true)
    expect(packed.isSigned(100)).toBe(false)
  }
  return seen
}

test('random changes leave what a map would have', () => {
  let compared = 0
  let kept = 0
  fc.assert(
    fc.property(fc.array(CHANGE, { minLength: 20, maxLength: 200 }), (changes) => {
      const packed = new PackedNames(APEX, KNOWN_HASH_KEY)
      const held = new Map<number, Held>()
      const nameAt = (i: number): WireName => (i % 3 === 0 ? below(`n${i}`, 'x') : below(`n${i}`))
      for (const change of changes) {
        if (change === 'forget') {
          packed.forgetSignatures()
          for (const one of held.values()) one.signed = []
        } else if ('remove' in change) {
          packed.put(keyOf(nameAt(change.remove)), undefined)
          held.delete(change.remove)
        } else if ('sign' in change) {
          const one = held.get(change.sign)
          const rrset = one?.node.rrsets.find(({ type }) => type === change.type)
          if (rrset === undefined) continue
          const signed = signedOf(rrset, change.octets)
          packed.sign(nameAt(change.sign), nameAt(change.sign).labels - 2, rrset, signed, until(100))
          one?.signed.push(signed)
        } else {
          const rrsets = Object.entries(change.sets).map(([type, octets]) =>
            synthesiseRrset(Number(type), 60, [new Uint8Array(octets).fill(Number(type))]),
          )
          const node = createNode(rrsets, false)
          packed.put(keyOf(nameAt(change.name)), node)
          held.set(change.name, { node, signed: [] })
        }
      }
      expect(packed.size).toBe(held.size)
      for (let i = 0; i <= 11; i += 1) {
        const one = held.get(i)
        expect(find(packed, nameAt(i))).toBe(one !== undefined)
        if (one === undefined) continue
        const seen = compare(packed, one)
        compared += seen.compared
        kept += seen.kept
      }
    }),
    { numRuns: 200 },
  )
  expect([compared > 300, kept > 20]).toEqual([true, true])
})

const A = createNode([synthesiseRrset(TYPE.A, 60, [Uint8Array.of(192, 0, 2, 1)])], false)

describe('memory', () => {
  test('of 20,000 names with an address is less than 140 octets each', () => {
    const packed = new PackedNames(APEX, KNOWN_HASH_KEY)
    for (let i = 0; i < 20_000; i += 1) packed.put(keyOf(below(`host-${i}`)), A)
    expect(packed.octets / packed.size).toBeLessThan(140)
    expect(find(packed, below('host-19999'))).toBe(true)
    expect(find(packed, below('host-20000'))).toBe(false)
  })

  test('of a zone of three names is at most 1 KiB', () => {
    const packed = new PackedNames(APEX, KNOWN_HASH_KEY)
    packed.put('', EMPTY_NODE)
    for (const label of ['a', 'b']) packed.put(keyOf(below(label)), A)
    expect(packed.octets).toBeLessThanOrEqual(1024)
  })

  test('does not grow when the same names come and go and are signed', () => {
    const packed = new PackedNames(APEX, KNOWN_HASH_KEY)
    const [rrset] = A.rrsets
    if (rrset === undefined) throw new Error('a node with an rrset')
    const churn = (): number => {
      for (let i = 0; i < 2000; i += 1) {
        const name = below(`n${i}`)
        packed.put(keyOf(name), A)
        packed.sign(name, 1, rrset, signedOf(rrset, 64), until(100))
        if (i % 2 === 0) packed.put(keyOf(name), undefined)
      }
      return packed.octets
    }
    churn()
    const before = churn()
    for (let i = 0; i < 10; i += 1) expect(churn()).toBe(before)
  })
})

test('signatures from before the clock was put back are not answered with', () => {
  const packed = new PackedNames(APEX, KNOWN_HASH_KEY)
  const [rrset] = A.rrsets
  if (rrset === undefined) throw new Error('a node with an rrset')
  const DAY = 86_400
  const isSignedAt = (seconds: number): boolean => {
    expect(find(packed, below('www'))).toBe(true)
    expect(packed.findSet(TYPE.A)).toBe(true)
    return packed.isSigned(seconds)
  }
  packed.put(keyOf(below('www')), A)
  expect(isSignedAt(10 * DAY)).toBe(false)
  packed.sign(below('www'), 1, rrset, signedOf(rrset, 64), until(17 * DAY))
  expect([isSignedAt(10 * DAY), isSignedAt(10 * DAY - 1800)]).toEqual([true, true])
  expect([isSignedAt(9 * DAY), isSignedAt(10 * DAY)]).toEqual([false, false])
  packed.sign(below('www'), 1, rrset, signedOf(rrset, 64), until(17 * DAY))
  expect(isSignedAt(10 * DAY)).toBe(true)
})

test('signatures that are not good yet are not answered with, whoever asked before', () => {
  const packed = new PackedNames(APEX, KNOWN_HASH_KEY)
  const [rrset] = A.rrsets
  if (rrset === undefined) throw new Error('a node with an rrset')
  const HOUR = 3600
  const isSignedAt = (seconds: number): boolean =>
    find(packed, below('www')) && packed.findSet(TYPE.A) && packed.isSigned(seconds)
  const sign = (): void =>
    packed.sign(below('www'), 1, rrset, signedOf(rrset, 64), until(100 * HOUR, 9 * HOUR))
  packed.put(keyOf(below('www')), A)
  sign() // for an answer that took the long way: the time was not asked about here
  expect([isSignedAt(9 * HOUR - 1), isSignedAt(9 * HOUR)]).toEqual([false, false])
  sign()
  expect([isSignedAt(9 * HOUR), isSignedAt(100 * HOUR - 1), isSignedAt(100 * HOUR)]).toEqual([
    true,
    true,
    false,
  ])
})

describe('what points into the zone', () => {
  const rdata = (labels: readonly string[], before: readonly number[]): Uint8Array => {
    const { octets, labelAt, labels: count } = nameOf(...labels)
    return Uint8Array.from([...before, ...octets.subarray(0, (labelAt[count] ?? 0) + 1)])
  }
  test.each([
    ['MX of the zone', TYPE.MX, [0, 1], ['mail', 'example', 'com'], true],
    ['MX of the apex', TYPE.MX, [0, 1], ['example', 'com'], true],
    ['MX elsewhere', TYPE.MX, [0, 1], ['mail', 'example', 'net'], false],
    ['MX of a longer name that ends alike', TYPE.MX, [0, 1], ['mail', 'anexample', 'com'], false],
    ['SRV of the zone', TYPE.SRV, [0, 1, 0, 1, 0, 1], ['x', 'example', 'com'], true],
    ['NS elsewhere', TYPE.NS, [], ['ns', 'example', 'org'], false],
    ['an alias, which is followed by nobody here', TYPE.CNAME, [], ['www', 'example', 'com'], false],
  ])('%s', (_, type, before, target, isInside) => {
    const packed = new PackedNames(APEX, KNOWN_HASH_KEY)
    packed.put('', createNode([synthesiseRrset(type, 60, [rdata(target, before)])], true))
    expect(packed.find(APEX.octets, 0, 0)).toBe(true)
    expect(packed.findSet(type)).toBe(true)
    expect(packed.pointsInside).toBe(isInside)
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
    // Keys are odd, so that two of them that differ in the lowest bit are one.
    expect(sums.size).toBeGreaterThanOrEqual(17 + 16 + 16)
  })

  test('of names that differ in a pattern made against one factor falls on many places', () => {
    const places = new Set<number>()
    for (let i = 0; i < 4096; i += 1) {
      const octets = Buffer.alloc(24)
      for (let word = 0; word < 12; word += 1) if ((i >> word) & 1) octets[2 * word + 1] = 0x80
      places.add(hashOctets(octets, 0, 24, KNOWN_HASH_KEY) & 0xffff)
    }
    expect(places.size).toBeGreaterThan(3500)
  })
})
