// Successors of names and hashes, and round trips of type bitmaps.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WireError } from '../errors.ts'
import { compareNames } from '../name-tree.ts'
import { nameFromWire, nameToWire, parseName } from '../name.ts'
import { hexFromOctets, octetsFromHex } from '../octets.ts'
import { nextHash, nextName } from './denial.ts'
import { typeBitmaps, typesOfBitmaps } from './type-bitmaps.ts'

const APEX = nameToWire(parseName('example'))
const below = (...labels: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from([...labels.flatMap((label) => [label.length, ...label]), ...APEX])
const label = (octets: number, octet = 0x61) => new Uint8Array(octets).fill(octet)
/** 9 octets of apex, and 64 for each: 201. */
const LONG = [label(63), label(63), label(63)]

describe('the next name', () => {
  test.each([
    ['of the apex', APEX, below(label(1, 0))],
    ['of a name', below(label(3)), below(label(1, 0), label(3))],
    ['where two octets are left', below(label(51), ...LONG), below(label(1, 0), label(51), ...LONG)],
    [
      'where one octet is left',
      below(label(52), ...LONG),
      below(Uint8Array.from([...label(52), 0]), ...LONG),
    ],
    ['with no octet left', below(label(53), ...LONG), below(Uint8Array.from([...label(52), 0x62]), ...LONG)],
    [
      'which has no upper case',
      below(label(53, 0x40), ...LONG),
      below(Uint8Array.from([...label(52, 0x40), 0x5b]), ...LONG),
    ],
    [
      'of the last name with its prefix',
      below(label(53, 0xff), ...LONG),
      below(Uint8Array.from([...label(62), 0x62]), label(63), label(63)),
    ],
    [
      'of the last name of the zone',
      below(label(53, 0xff), label(63, 0xff), label(63, 0xff), label(63, 0xff)),
      APEX,
    ],
  ])('%s', (_, name, next) => {
    expect(name.length).toBeLessThanOrEqual(255)
    expect(nextName(name, APEX)).toEqual(next)
  })

  test('of any name comes after it and is a name of the zone', () => {
    const labels = fc.array(
      fc
        .uint8Array({ minLength: 1, maxLength: 63 })
        .map((octets) => octets.map((octet) => (octet >= 0x41 && octet <= 0x5a ? octet | 0x20 : octet))),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(labels, (some) => {
        const name = below(...some)
        fc.pre(name.length <= 255)
        const next = nextName(name, APEX)
        expect(next.length).toBeLessThanOrEqual(255)
        const text = nameFromWire(next)
        if (hexFromOctets(next) !== hexFromOctets(APEX))
          expect(compareNames(nameFromWire(name), text)).toBeLessThan(0)
        expect(hexFromOctets(next).endsWith(hexFromOctets(APEX))).toBe(true)
      }),
    )
  })
})

test.each([
  ['0000', '0001'],
  ['00ff', '0100'],
  ['ffff', '0000'],
])('after the hash %s comes %s', (hash, next) => {
  expect(hexFromOctets(nextHash(octetsFromHex(hash) ?? new Uint8Array()))).toBe(next)
})

test('the successor of a Buffer is a copy', () => {
  const hash = Buffer.from('0000', 'hex')
  expect([hexFromOctets(nextHash(hash)), hash.toString('hex')]).toEqual(['0001', '0000'])
})

describe('type bitmaps', () => {
  test('read back to the types, each once and in order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff)), (types) => {
        expect(typesOfBitmaps(typeBitmaps(types))).toEqual([...new Set(types)].toSorted((a, b) => a - b))
      }),
    )
  })

  test('arbitrary octets are types that round-trip, or a WireError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (octets) => {
        let types: number[] | undefined
        try {
          types = typesOfBitmaps(octets)
        } catch (error) {
          expect(error).toBeInstanceOf(WireError)
        }
        if (types !== undefined) expect(typesOfBitmaps(typeBitmaps(types))).toEqual(types)
      }),
    )
  })

  test.each([
    ['out of order', '0101800001ff', 'wire.value'],
    ['empty', '0000', 'wire.value'],
    ['too long', `0021${'ff'.repeat(33)}`, 'wire.value'],
    ['cut short', '000280', 'wire.truncated'],
  ])('%s', (_, hex, rule) => {
    const octets = octetsFromHex(hex) ?? new Uint8Array()
    expect(() => typesOfBitmaps(octets)).toThrow(expect.objectContaining({ rule }) as Error)
  })
})
