// Compares the names of a zone with a plain map over random histories, also as older readers see them, and checks that
// memory is bounded and freed.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNode, EMPTY_NODE, type Node } from './node.ts'
import { KNOWN_HASH_KEY } from './octet-hash.ts'
import { type Rrset, synthesiseRrset, TYPE } from './rrset.ts'
import { parentKey, WireName } from './wire-name.ts'
import { APEX } from './names-view.ts'
import { SignatureWriter } from './signature-batch.ts'
import { ZoneNames } from './zone-names.ts'
import type { Signed } from './zone-signer.ts'
import { StoreFullError, UNIT_OCTETS } from './zone-store/pages.ts'
import { ZoneStore } from './zone-store/zone-store.ts'

const APEX_NAME = nameOf('example', 'com')

function nameOf(...labels: readonly string[]): WireName {
  const octets = Buffer.from([
    ...labels.flatMap((label) => [label.length, ...Buffer.from(label, 'latin1')]),
    0,
  ])
  const name = new WireName()
  name.read(octets, 0, octets.length)
  return name
}

const keyOf = (...labels: readonly string[]): string => nameOf(...labels, 'x').key(0, labels.length)
const nodeOf = (...rrsets: readonly Rrset[]): Node => createNode(rrsets, false)
const rrsetOf = (type: number, octets: number, fill = type): Rrset =>
  synthesiseRrset(type, 60, [new Uint8Array(octets).fill(fill)])
const A = nodeOf(rrsetOf(TYPE.A, 4))

function namesOf(nodes: readonly (readonly [key: string, node: Node])[], store = storeOf()): ZoneNames {
  const names = new ZoneNames(APEX_NAME, store)
  change(names, [[APEX, EMPTY_NODE], ...nodes])
  return names
}

function storeOf(maxOctets?: number): ZoneStore {
  return new ZoneStore(KNOWN_HASH_KEY, maxOctets === undefined ? undefined : maxOctets / UNIT_OCTETS)
}

function change(names: ZoneNames, nodes: readonly (readonly [key: string, node: Node])[]): void {
  const made = names.change()
  try {
    for (const [key, node] of nodes) made.put(key, node)
    made.commit()
  } finally {
    made.undo()
  }
}

function forgetSignatures(names: ZoneNames): void {
  const made = names.change()
  made.forgetSignatures()
  made.commit()
}

/** Stores signatures of an rrset; they are used from second 0 up to but not including `until`. */
function sign(names: ZoneNames, key: string, type: number, octets: number, until = 100): void {
  if (names.findKey(key)) names.keepSignatures(batchOf(madeFor(names, key, type, octets, [0, until])))
}

interface MadeSignatures {
  readonly key: string
  readonly signed: Signed
}

function batchOf(...made: readonly MadeSignatures[]): Uint8Array {
  const writer = new SignatureWriter()
  for (const { key, signed } of made) writer.add(0, Buffer.from(key, 'latin1'), signed)
  return writer.take()
}

/** Signatures of the rrset as it is now, of the name that was found. */
function madeFor(
  { found }: ZoneNames,
  key: string,
  type: number,
  octets: number,
  [from, until]: readonly [number, number],
): MadeSignatures {
  const set = found.findSet(type)
  const records = set === -1 ? new Uint8Array() : found.records(set).slice()
  return { key, signed: signedBy(type, records, octets, [from, until]) }
}

function signedBy(
  type: number,
  records: Uint8Array,
  octets: number,
  [from, until]: readonly [number, number],
): Signed {
  const signatures = rrsetOf(46, octets)
  const rrset = { ...signatures, type, wire: Buffer.concat([records, signatures.wire]) }
  const times = { usableFrom: from * 1000, refreshAt: until * 1000 }
  return { rrset, recordOctets: records.length, signatureCount: signatures.count, ...times }
}

const textOf = ({ type, ttl, count, wire }: Rrset): string =>
  `${type} ${ttl} ${count} ${Buffer.from(wire).toString('hex')}`
const lineOf = ([key, { rrsets, state }]: readonly [key: string, node: Node]): string =>
  [key, state, ...rrsets.map(textOf)].join('|')

/** What the names must be: those with data, and all names above them. */
function model(nodes: ReadonlyMap<string, Node>): string[] {
  const all = new Map<string, Node>([[APEX, EMPTY_NODE]])
  for (const key of nodes.keys())
    for (let above = key; above !== APEX;) {
      above = parentKey(above)
      all.set(above, EMPTY_NODE)
    }
  for (const [key, node] of nodes) all.set(key, node)
  return Array.from(all, lineOf).toSorted()
}

const KEYS = [
  APEX,
  ...['a', 'b', '*', 'c'].flatMap((x) =>
    [[x], ['y', x], ['*', 'y', x], ['z', 'y', x]].map((k) => keyOf(...k)),
  ),
  ...Array.from({ length: 60 }, (_, i) => keyOf(`host-${i}`)),
]
const TYPES = [TYPE.A, TYPE.NS, TYPE.CNAME, TYPE.DNAME, 16, 65_535]
const SET = fc.record({
  type: fc.constantFrom(...TYPES),
  octets: fc.constantFrom(0, 4, 60, 150, 500, 2037, 40_000),
  fill: fc.nat(3),
})
const KEY = fc.constantFrom(...KEYS)
const STEP = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      put: fc.dictionary(fc.nat(KEYS.length - 1).map(String), fc.array(SET, { maxLength: 3 }), {
        maxKeys: 12,
      }),
      isUndone: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ sign: KEY, type: fc.constantFrom(...TYPES) }) },
  { weight: 6, arbitrary: fc.constantFrom('hold' as const, 'release' as const) },
  { weight: 1, arbitrary: fc.constant('forget' as const) },
)

function nodeFrom(key: string, sets: readonly { type: number; octets: number; fill: number }[]): Node {
  const byType = new Map(sets.map(({ type, octets, fill }) => [type, rrsetOf(type, octets, fill)]))
  return createNode([...byType.values()], key === APEX)
}

test('after any history the names equal a map, and readers of older versions see those', () => {
  let compared = 0
  let older = 0
  fc.assert(
    fc.property(fc.array(STEP, { minLength: 5, maxLength: 60 }), (steps) => {
      const names = namesOf([])
      const nodes = new Map<string, Node>()
      const held: { readonly snapshot: ReturnType<ZoneNames['snapshot']>; readonly lines: string[] }[] = []
      const release = (): void => {
        const one = held.shift()
        if (one === undefined) return
        expect(Array.from(one.snapshot.entries, lineOf).toSorted()).toEqual(one.lines)
        one.snapshot.release()
        older += 1
      }
      for (const step of steps) {
        if (step === 'hold') held.push({ snapshot: names.snapshot(), lines: model(nodes) })
        else if (step === 'release') release()
        else if (step === 'forget') forgetSignatures(names)
        else if ('sign' in step) sign(names, step.sign, step.type, 64)
        else {
          const made = names.change()
          const put = Object.entries(step.put).map(([i, sets]) => {
            const key = KEYS[Number(i)] ?? ''
            return [key, nodeFrom(key, sets)] as const
          })
          for (const [key, node] of put) made.put(key, node)
          if (step.isUndone) made.undo()
          else made.commit()
          for (const [key, node] of step.isUndone ? [] : put) nodes.set(key, node)
          for (const [key, node] of nodes) if (node === EMPTY_NODE) nodes.delete(key)
        }
        const lines = model(nodes)
        expect(Array.from(names.entries(), lineOf).toSorted()).toEqual(lines)
        expect(names.keys().toSorted()).toEqual(lines.map((line) => line.split('|')[0]).toSorted())
        const all = [...nodes]
        expect(names.tree).toMatchObject({
          size: lines.length,
          cuts: all.filter(([, { delegation }]) => delegation !== undefined).length,
          dnames: all.filter(([, { dname }]) => dname !== undefined).length,
          wildcards: names.keys().filter((key) => key.startsWith('\u0001*')).length,
        })
        for (const key of KEYS)
          expect(names.findKey(key)).toBe(lines.some((line) => line.startsWith(`${key}|`)))
        compared += lines.length
      }
      while (held.length > 0) release()
      expect(names.store.versions.waiting).toBe(0)
      // What remains is what the same names take up when they are made anew, and what an index keeps for its growth.
      const fresh = namesOf([...nodes])
      expect(names.store.usedOctets).toBeLessThan(fresh.store.usedOctets + 20_000)
    }),
    {
      numRuns: 150,
      // Signing again wrote to a page that older versions read.
      examples: [
        [
          [
            { put: { 0: [{ type: TYPE.A, octets: 0, fill: 0 }] }, isUndone: false },
            { sign: APEX, type: TYPE.A },
            'hold',
            { sign: APEX, type: TYPE.A },
            { sign: APEX, type: TYPE.A },
            { sign: APEX, type: TYPE.A },
          ],
        ],
      ],
    },
  )
  expect([compared > 2_000, older > 50]).toEqual([true, true])
})

describe('signatures', () => {
  const names = (): ZoneNames => namesOf([[keyOf('www'), nodeOf(rrsetOf(TYPE.A, 4), rrsetOf(16, 9))]])
  const signedAt = (of: ZoneNames, type: number, seconds: number): string | undefined => {
    expect(of.findKey(keyOf('www'))).toBe(true)
    const signed = of.signed(rrsetOf(type, type === TYPE.A ? 4 : 9), seconds * 1000)
    return signed && textOf(signed)
  }
  const both = `1 60 2 ${[rrsetOf(TYPE.A, 4), rrsetOf(46, 64)].map(({ wire }) => Buffer.from(wire).toString('hex')).join('')}`

  test('are used until they are to be renewed, and can be replaced', () => {
    const of = names()
    expect(signedAt(of, TYPE.A, 1)).toBeUndefined()
    sign(of, keyOf('www'), TYPE.A, 64)
    expect([0, 99, 100].map((seconds) => signedAt(of, TYPE.A, seconds))).toEqual([both, both, undefined])
    expect(signedAt(of, 16, 1)).toBeUndefined()
    sign(of, keyOf('www'), TYPE.A, 64, 200)
    expect(signedAt(of, TYPE.A, 100)).toBe(both)
  })

  test('of many rrsets are one version, without those of rrsets that have changed or are gone', () => {
    const www = keyOf('www')
    const of = namesOf([
      [www, nodeOf(rrsetOf(TYPE.A, 4), rrsetOf(16, 9))],
      [keyOf('other'), A],
    ])
    const made = [TYPE.A, 16].map((type) => {
      of.findKey(www)
      return madeFor(of, www, type, 64, [0, 100])
    })
    const [first] = made
    if (first === undefined) throw new Error('nothing was made')
    const before = of.store.control.version
    const changed = rrsetOf(TYPE.A, 4, 9).wire
    const areStored = of.keepSignatures(
      batchOf(
        { ...first, key: keyOf('missing') },
        ...made,
        { key: keyOf('other'), signed: signedBy(TYPE.A, changed, 64, [0, 100]) },
        { key: keyOf('other'), signed: signedBy(TYPE.AAAA, rrsetOf(TYPE.A, 4).wire, 64, [0, 100]) },
      ),
    )
    expect(areStored).toBe(false)
    expect(of.store.control.version).toBe(before + 1)
    expect(signedAt(of, TYPE.A, 1)).toBe(both)
    expect(signedAt(of, 16, 1)).toBeDefined()
    expect(of.findKey(keyOf('other')) && of.signed(rrsetOf(TYPE.A, 4), 1000)).toBeUndefined()
    of.keepSignatures(batchOf({ ...first, key: keyOf('missing') }))
    expect(of.store.control.version).toBe(before + 1)
    expect(of.keepSignatures(batchOf(...made))).toBe(true)
    expect(of.keepSignatures(batchOf(...made), 1)).toBe(true)
    expect(of.store.control.version).toBe(before + 2)
  })

  test('are not used before they are valid: the clock may be set back', () => {
    const of = names()
    of.findKey(keyOf('www'))
    of.keepSignatures(batchOf(madeFor(of, keyOf('www'), TYPE.A, 64, [10, 100])))
    expect([9, 10].map((seconds) => signedAt(of, TYPE.A, seconds))).toEqual([undefined, both])
  })

  test('stay when other types of the name change, and go with their rrset and when they are forgotten', () => {
    const of = names()
    sign(of, keyOf('www'), TYPE.A, 64)
    change(of, [[keyOf('www'), nodeOf(rrsetOf(TYPE.A, 4), rrsetOf(16, 9, 7))]])
    expect(signedAt(of, TYPE.A, 1)).toBe(both)
    forgetSignatures(of)
    expect(signedAt(of, TYPE.A, 1)).toBeUndefined()
    sign(of, keyOf('www'), TYPE.A, 64)
    change(of, [[keyOf('www'), nodeOf(rrsetOf(TYPE.A, 4, 9))]])
    expect(signedAt(of, TYPE.A, 1)).toBeUndefined()
  })

  test('are not stored while the zone is changed: the change may refer to the octets that they replace', () => {
    const of = names()
    const made = of.change()
    made.put(keyOf('other'), A)
    sign(of, keyOf('www'), TYPE.A, 64)
    expect(signedAt(of, TYPE.A, 1)).toBeUndefined()
    made.commit()
    sign(of, keyOf('www'), TYPE.A, 64)
    expect(signedAt(of, TYPE.A, 1)).toBe(both)
  })
})

describe('memory', () => {
  const many = (count: number, node = A) =>
    Array.from({ length: count }, (_, i) => [keyOf(`host-${i}`), node] as const)

  test('of 20,000 names with an address is less than 90 octets each', () => {
    const names = namesOf(many(20_000))
    expect(names.store.usedOctets / names.tree.size).toBeLessThan(90)
  })

  test('of a zone of three names is less than half a KiB', () => {
    expect(namesOf(many(2)).store.usedOctets).toBeLessThan(512)
  })

  test('does not grow when the same names are added, signed and removed repeatedly', () => {
    const store = storeOf()
    const names = namesOf([], store)
    const churn = (): number => {
      for (const [key, node] of many(2_000)) {
        change(names, [[key, node]])
        sign(names, key, TYPE.A, 64)
      }
      change(names, many(2_000, EMPTY_NODE))
      return store.usedOctets
    }
    churn()
    const before = [churn(), store.touchedOctets]
    for (let i = 0; i < 3; i += 1) expect([churn(), store.touchedOctets]).toEqual(before)
    expect(before[0]).toBeLessThan(1024)
  })

  test('that a reader may still need is kept, and is freed when it ends', () => {
    const names = namesOf(many(100))
    const before = names.store.usedOctets
    const { release } = names.snapshot()
    for (let i = 0; i < 100; i += 1) change(names, [[keyOf('host-1'), A]])
    expect(names.store.usedOctets).toBeGreaterThan(before + 100 * 70)
    release()
    release()
    expect(names.store.usedOctets).toBe(before)
  })

  test('that is full refuses a change without a trace; signatures are then not stored', () => {
    const store = storeOf(1_000_000)
    const names = namesOf(many(100), store)
    const [before, lines] = [store.usedOctets, Array.from(names.entries(), lineOf)]
    for (let i = 0; i < 3; i += 1)
      expect(() => change(names, many(20_000, nodeOf(rrsetOf(16, 200))))).toThrow(StoreFullError)
    expect(store.usedOctets).toBe(before)
    expect(Array.from(names.entries(), lineOf)).toEqual(lines)
    sign(names, keyOf('host-1'), TYPE.A, 900_000)
    expect(Array.from(names.entries(), lineOf)).toEqual(lines)
    change(names, [[keyOf('host-100'), A]])
    expect(names.tree.size).toBe(102)
  })

  test('that a large change has taken is freed when it is undone', () => {
    const store = storeOf()
    const names = namesOf(many(100), store)
    const before = [store.usedOctets, names.tree.size]
    const made = names.change()
    for (const [key, node] of many(20_000)) made.put(key, node)
    for (const [key] of many(300)) made.put(key, EMPTY_NODE)
    expect(store.usedOctets).toBeGreaterThan(1_000_000)
    made.undo()
    expect([store.usedOctets, names.tree.size]).toEqual(before)
  })

  test('of an rrset may be larger than a segment', () => {
    const rdatas = Array.from({ length: 300 }, (_, i) =>
      new Uint8Array(60_000).fill(i & 255).fill(i >> 8, 0, 1),
    )
    const large = synthesiseRrset(16, 60, rdatas)
    const names = namesOf([...many(10), [keyOf('large'), nodeOf(large)], [keyOf('last'), A]])
    names.findKey(keyOf('large'))
    expect(names.node().rrsets.map(textOf)).toEqual([textOf(large)])
    names.findKey(keyOf('last'))
    expect(names.node().rrsets.map(textOf)).toEqual(A.rrsets.map(textOf))
  })

  test('of names that nothing refers to is freed', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void // the flag has just defined it
    const store = storeOf()
    const other = namesOf([], store)
    const before = store.usedOctets
    ;(() => void namesOf(many(5_000), store))()
    expect(store.usedOctets).toBeGreaterThan(before + 300_000)
    for (let i = 0; i < 100 && store.usedOctets > before; i += 1) {
      collect()
      await new Promise((resolve) => setTimeout(resolve, 1))
      change(other, [])
    }
    expect(store.usedOctets).toBe(before)
  })
})

test('names with the same hash are told apart, in any number', () => {
  const names = namesOf([], new ZoneStore({ first: 0, second: 0 }))
  const keys = Array.from({ length: 300 }, (_, i) => keyOf(`n${i}`))
  change(
    names,
    keys.map((key) => [key, A]),
  )
  expect(keys.every((key) => names.findKey(key) && names.found.key === key)).toBe(true)
  change(
    names,
    keys.slice(0, 299).map((key) => [key, EMPTY_NODE]),
  )
  expect(keys.filter((key) => names.findKey(key))).toEqual(keys.slice(299))
})

describe('rrsets that point into the zone', () => {
  const rdata = (labels: readonly string[], before: readonly number[]): Uint8Array => {
    return Uint8Array.from([...before, ...nameOf(...labels).wire()])
  }
  const pointsInside = (type: number, rdatas: readonly Uint8Array[]): boolean => {
    const names = namesOf([['', nodeOf(synthesiseRrset(type, 60, rdatas))]])
    expect(names.findKey('')).toBe(true)
    return names.found.pointsInside(names.found.findSet(type))
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
