import { describe, expect, test } from 'vitest'
import { readEntry, TokenReader } from '../presentation.ts'
import { defineRecordType, readRdata, writeRdata } from './define.ts'
import { u16, u8 } from './fields.ts'

interface Point {
  readonly x: number
  readonly y: number
}

const tokens = (text: string): TokenReader =>
  new TokenReader(readEntry(text) ?? { tokens: [], end: text.length })

describe('a type whose presentation order differs from its wire order', () => {
  const point = defineRecordType<Point>({
    type: 'POINT',
    code: 65_280,
    refs: [],
    fields: { x: u8, y: u16 },
    toText: ({ x, y }) => `${y} ${x}`,
    fromText: (t) => ({ y: t.number(), x: t.number() }),
  })

  test('gets defaults for what it does not define', () => {
    expect(writeRdata(point, { x: 1, y: 2 })).toEqual(Uint8Array.of(1, 0, 2))
    expect(readRdata(point, Uint8Array.of(1, 0, 2))).toEqual({ x: 1, y: 2 })
    expect(point.toText({ x: 1, y: 2 })).toBe('2 1')
    expect(point.fromText(tokens('2 1'))).toEqual({ x: 1, y: 2 })
  })

  test("its own parser's values pass the fields' checks", () => {
    expect(() => point.fromText(tokens(' 2 256'))).toThrow(
      expect.objectContaining({ rule: 'point.x', offset: 1 }),
    )
  })
})

describe('a type with its own presentation format', () => {
  const swapped = defineRecordType<Point>({
    type: 'SWAPPED',
    code: 65_281,
    refs: [],
    fields: { x: u8, y: u8 },
    read: (r) => ({ y: r.u8(), x: r.u8() }),
    write: (w, { x, y }) => {
      w.u8(y)
      w.u8(x)
    },
    rules: [
      {
        rule: 'swapped.x-y',
        field: 'x',
        source: 'RFC 1',
        message: 'x must differ from y',
        broken: (d) => d.x === d.y,
      },
    ],
  })

  test('reads back', () => {
    expect(writeRdata(swapped, { x: 1, y: 2 })).toEqual(Uint8Array.of(2, 1))
    expect(readRdata(swapped, Uint8Array.of(2, 1))).toEqual({ x: 1, y: 2 })
    expect(swapped.fromText(tokens('1 2'))).toEqual({ x: 1, y: 2 })
  })

  test('rules run only after every field is valid', () => {
    const rulesOf = (value: Point): string[] => swapped.check(value).map((issue) => issue.rule)
    expect(rulesOf({ x: 1, y: 2 })).toEqual([])
    expect(rulesOf({ x: 7, y: 7 })).toEqual(['swapped.x-y'])
    expect(rulesOf({ x: 300, y: 300 })).toEqual(['swapped.x', 'swapped.y'])
  })
})
