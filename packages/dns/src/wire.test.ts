import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WireError } from './errors.ts'
import { parseName } from './name.ts'
import type { Name } from './name.ts'
import { hexFromOctets, octetsFromHex } from './octets.ts'
import { MAX_MESSAGE_OCTETS, Reader, Writer } from './wire.ts'

const bytes = (hex: string): Uint8Array => octetsFromHex(hex.replaceAll(' ', '')) ?? new Uint8Array()
const n = parseName

describe('Reader', () => {
  test('reads numbers in network order and tracks its offset', () => {
    const reader = new Reader(bytes('01 0203 fffefdfc aabb'))
    expect([reader.u8(), reader.u16(), reader.u32()]).toEqual([1, 0x0203, 0xfffefdfc])
    expect([reader.offset, reader.remaining]).toEqual([7, 2])
    expect(hexFromOctets(reader.rest())).toBe('aabb')
    expect(() => reader.done()).not.toThrow()
  })

  const short: [name: string, read: (reader: Reader) => unknown][] = [
    ['u8', (r) => [r.u8(), r.u8()]],
    ['u16', (r) => r.u16()],
    ['u32', (r) => r.u32()],
    ['bytes', (r) => r.bytes(2)],
    ['part', (r) => r.part(2)],
    ['name', (r) => r.name()],
  ]
  test('has short', () => expect(short.length).toBeGreaterThan(0))
  test.each(short)('%s does not read past the end', (_, read) => {
    expect(() => read(new Reader(bytes('01')))).toThrow(expect.objectContaining({ rule: 'wire.truncated' }))
    // The octets exist, but after the given end.
    expect(() => read(new Reader(bytes('010203040500'), { end: 1 }))).toThrow(WireError)
  })

  test('a part has its own end, and its names may point outside of it', () => {
    const reader = new Reader(bytes('0161 00 03 0162 c000'), { start: 4 })
    const part = reader.part(4)
    expect(part.name()).toBe('b.a')
    expect([part.remaining, reader.remaining]).toEqual([0, 0])
  })

  test('bytes are copies', () => {
    const message = bytes('aabb')
    const copy = new Reader(message).bytes(2)
    message[0] = 0
    expect(hexFromOctets(copy)).toBe('aabb')
  })

  const names: [name: string, hex: string, start: number, read: string, offset: number][] = [
    ['plain', '0161 0162 00', 0, 'a.b', 5],
    ['upper case', '0141 00', 0, 'a', 3],
    ['the root', '00', 0, '.', 1],
    ['a pointer', '0161 00 c000', 3, 'a', 5],
    ['labels and a pointer', '0161 00 0162 c000', 3, 'b.a', 7],
    ['a pointer into a name', '0161 0162 00 c002', 5, 'b', 7],
    ['pointers to pointers', '0161 00 0162 c000 0163 c003 c007', 11, 'c.b.a', 13],
    ['a pointer to the root', '00 c000', 1, '.', 3],
  ]
  test('has names', () => expect(names.length).toBeGreaterThan(0))
  test.each(names)('reads a name: %s', (_, hex, start, expected, offset) => {
    const reader = new Reader(bytes(hex), { start })
    expect(reader.name()).toBe(expected)
    expect(reader.offset).toBe(offset)
  })

  const badNames: [name: string, hex: string, start: number, rule: string][] = [
    ['a pointer to itself', 'c000', 0, 'wire.pointer'],
    ['a pointer forwards', 'c002 0161 00', 0, 'wire.pointer'],
    ['two pointers at each other', 'c002 c000', 2, 'wire.pointer'],
    ['a pointer into its own labels', '0161 c000', 0, 'wire.pointer'],
    ['a loop through a label', '0161 0162 c002', 0, 'wire.pointer'],
    ['half a pointer', 'c0', 0, 'wire.truncated'],
    ['label type 01', '41 00', 0, 'wire.label-type'],
    ['label type 10', '80 00', 0, 'wire.label-type'],
    ['nothing', '', 0, 'wire.truncated'],
    ['a label cut short', '0261', 0, 'wire.truncated'],
    ['no end', '0161', 0, 'wire.truncated'],
    ['256 octets', `${'0161'.repeat(127)} 0161 00`, 0, 'wire.name-too-long'],
    ['256 octets through a pointer', `${'0161'.repeat(127)} 00 0162 c000`, 255, 'wire.name-too-long'],
  ]
  test('has badNames', () => expect(badNames.length).toBeGreaterThan(0))
  test.each(badNames)('refuses a name: %s', (_, hex, start, rule) => {
    expect(() => new Reader(bytes(hex), { start }).name()).toThrow(expect.objectContaining({ rule }))
  })

  test('the longest name fits, through pointers too', () => {
    const reader = new Reader(bytes(`${'0161'.repeat(126)} 00 0162 c000`), { start: 253 })
    expect(reader.name()).toBe(`b.${Array(126).fill('a').join('.')}`)
  })

  test('arbitrary octets are a name or a WireError, in limited time', () => {
    const octet = fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0xc0, 0xc1))
    fc.assert(
      fc.property(fc.array(octet, { maxLength: 600 }), fc.nat(600), (list, start) => {
        const message = Uint8Array.from(list)
        try {
          const name = new Reader(message, { start: Math.min(start, message.length) }).name()
          expect(parseName(name)).toBe(name)
        } catch (error) {
          expect(error).toBeInstanceOf(WireError)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('Writer', () => {
  test('writes numbers in network order and grows', () => {
    const writer = new Writer()
    writer.u8(1)
    writer.u16(0x0203)
    writer.u32(0xfffefdfc)
    writer.bytes(new Uint8Array(100).fill(7))
    expect(writer.offset).toBe(107)
    expect(hexFromOctets(writer.finish())).toBe(`010203fffefdfc${'07'.repeat(100)}`)
  })

  const unfit: [name: string, write: (w: Writer) => void][] = [
    ['u8 over', (w) => w.u8(256)],
    ['u8 under', (w) => w.u8(-1)],
    ['u16 over', (w) => w.u16(65_536)],
    ['u32 over', (w) => w.u32(2 ** 32)],
    ['a fraction', (w) => w.u16(1.5)],
    ['no number', (w) => w.u32(Number.NaN)],
  ]
  test('has unfit', () => expect(unfit.length).toBeGreaterThan(0))
  test.each(unfit)('refuses %s', (_, write) => {
    expect(() => write(new Writer())).toThrow(expect.objectContaining({ rule: 'wire.value' }))
  })

  test('counts what a body writes, up to 65535 octets', () => {
    const writer = new Writer()
    writer.counted(() => writer.bytes(bytes('aabbcc')))
    expect(hexFromOctets(writer.finish())).toBe('0003aabbcc')
    const counted = (octets: number) => () => {
      const each = new Writer()
      each.counted(() => each.bytes(new Uint8Array(octets)))
    }
    expect(counted(65_535)).not.toThrow()
    expect(counted(65_536)).toThrow(expect.objectContaining({ rule: 'wire.too-long' }))
  })

  test('does not compress unless asked', () => {
    const writer = new Writer()
    writer.name(n('a.b'))
    writer.name(n('a.b'))
    expect(hexFromOctets(writer.finish())).toBe('0161016200'.repeat(2))
  })

  const compressed: [name: string, names: [name: string, compressible: boolean][], hex: string][] = [
    [
      'a whole name',
      [
        ['a.b', true],
        ['a.b', true],
      ],
      '0161016200 c000',
    ],
    [
      'a suffix',
      [
        ['a.b', true],
        ['c.b', true],
      ],
      '0161016200 0163c002',
    ],
    [
      'the root is never a pointer',
      [
        ['.', true],
        ['.', true],
      ],
      '00 00',
    ],
    [
      'not where it is not allowed',
      [
        ['a.b', true],
        ['a.b', false],
      ],
      '0161016200 0161016200',
    ],
    [
      'to a name that was not compressed itself',
      [
        ['a.b', false],
        ['x.a.b', true],
      ],
      '0161016200 0178c000',
    ],
    [
      'a suffix written later',
      [
        ['b', true],
        ['a.b', true],
        ['a.b', true],
      ],
      '016200 0161c000 c003',
    ],
    [
      'an escaped dot is no label end',
      [
        ['b', true],
        ['a\\.b', true],
      ],
      '016200 03612e6200',
    ],
  ]
  test('has compressed', () => expect(compressed.length).toBeGreaterThan(0))
  test.each(compressed)('compresses %s', (_, names, hex) => {
    const writer = new Writer({ compression: true })
    for (const [name, compressible] of names) writer.name(n(name), compressible)
    expect(hexFromOctets(writer.finish())).toBe(hex.replaceAll(' ', ''))
  })

  test('does not point beyond what 14 bits hold', () => {
    const writer = new Writer({ compression: true })
    writer.bytes(new Uint8Array(0x3fff))
    writer.name(n('a')) // at 0x3fff: the last offset that a pointer reaches
    writer.name(n('b')) // one past it
    writer.name(n('a'))
    writer.name(n('b'))
    expect(hexFromOctets(writer.finish().slice(0x3fff))).toBe('016100 016200 ffff 016200'.replaceAll(' ', ''))
  })

  test('refuses to grow without limit', () => {
    const writer = new Writer()
    writer.bytes(new Uint8Array(2 * MAX_MESSAGE_OCTETS))
    expect(() => writer.u8(0)).toThrow(expect.objectContaining({ rule: 'wire.too-long' }))
  })

  test('names round-trip', () => {
    const name = fc
      .array(fc.constantFrom('a', 'b', 'c\\.d', '\\000'), { maxLength: 5 })
      .map((labels): Name => (labels.length === 0 ? n('.') : n(labels.join('.'))))
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.boolean())), (names) => {
        const writer = new Writer({ compression: true })
        for (const [each, compressible] of names) writer.name(each, compressible)
        const reader = new Reader(writer.finish())
        expect(names.map(() => reader.name())).toEqual(names.map(([each]) => each))
        reader.done()
      }),
    )
  })
})
