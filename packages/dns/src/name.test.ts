import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NameError, WireError } from './errors.ts'
import { hexFromOctets } from './octets.ts'
import { nameFromWire, nameToWire, nameWireLength, parseName, ROOT } from './name.ts'

const l63 = 'a'.repeat(63)
const l61 = 'b'.repeat(61)
const longest = `${l63}.${l63}.${l63}.${l61}` // 3 * 64 + 62 + 1 = 255 octets

describe('parseName', () => {
  const valid: [name: string, text: string, canonical: string, wire: string][] = [
    ['the root', '.', '.', '00'],
    ['one label', 'com', 'com', '03636f6d00'],
    ['a trailing dot', 'com.', 'com', '03636f6d00'],
    ['upper case is folded', 'WWW.Example.COM', 'www.example.com', '03777777076578616d706c6503636f6d00'],
    ['digits and hyphens', '1-2.test', '1-2.test', '03312d32047465737400'],
    ['underscores', '_dmarc.test', '_dmarc.test', '065f646d617263047465737400'],
    ['a wildcard', '*.test', '*.test', '012a047465737400'],
    ['an escaped dot', 'a\\.b.test', 'a\\.b.test', '03612e62047465737400'],
    ['a decimal dot', 'a\\046b.test', 'a\\.b.test', '03612e62047465737400'],
    ['an escaped backslash', 'a\\\\.test', 'a\\\\.test', '02615c047465737400'],
    ['a needless escape', '\\w\\w\\w.test', 'www.test', '03777777047465737400'],
    ['a decimal letter is folded', '\\065.test', 'a.test', '0161047465737400'],
    ['a space', 'a\\032b', 'a\\032b', '0361206200'],
    ['octets 0 and 255', '\\000\\255', '\\000\\255', '0200ff00'],
    ['characters special to zone files', '\\@\\;\\(\\)\\"\\$', '\\@\\;\\(\\)\\"\\$', '06403b2829222400'],
    ['the same without escapes', '@;()"$', '\\@\\;\\(\\)\\"\\$', '06403b2829222400'],
    ['the first and last printable characters', '!~', '!~', '02217e00'],
    ['a label of 63 octets', l63, l63, `3f${'61'.repeat(63)}00`],
    ['63 octets in escapes', '\\001'.repeat(63), '\\001'.repeat(63), `3f${'01'.repeat(63)}00`],
  ]
  test('has valid', () => expect(valid.length).toBeGreaterThan(0))
  test.each(valid)('%s', (_, text, canonical, wire) => {
    const name = parseName(text)
    expect(name).toBe(canonical)
    expect(parseName(name)).toBe(name)
    expect(hexFromOctets(nameToWire(name))).toBe(wire)
    expect(nameFromWire(nameToWire(name))).toBe(name)
    expect(nameWireLength(name)).toBe(wire.length / 2)
  })

  test('255 octets are the limit', () => {
    expect(nameToWire(parseName(longest))).toHaveLength(255)
    expect(nameFromWire(nameToWire(parseName(longest)))).toBe(longest)
    expect(parseName(`${longest}.`)).toBe(longest)
    expect(ruleOf(() => parseName(`${longest}b`))).toBe('name.too-long')
    expect(nameToWire(parseName(Array(127).fill('a').join('.')))).toHaveLength(255)
    expect(ruleOf(() => parseName(Array(128).fill('a').join('.')))).toBe('name.too-long')
  })

  const invalid: [name: string, text: string, rule: string, offset: number][] = [
    ['nothing', '', 'name.empty-label', 0],
    ['a leading dot', '.a', 'name.empty-label', 0],
    ['two dots', '..', 'name.empty-label', 0],
    ['an empty label inside', 'a..b', 'name.empty-label', 2],
    ['two trailing dots', 'a..', 'name.empty-label', 2],
    ['a label of 64 octets', `x.${'a'.repeat(64)}`, 'name.label-too-long', 65],
    ['a backslash at the end', 'a\\', 'name.bad-escape', 1],
    ['two digits', 'a\\12', 'name.bad-escape', 1],
    ['two digits and a letter', 'a\\12x', 'name.bad-escape', 1],
    ['an octet over 255', 'a\\256', 'name.bad-escape', 1],
    ['a backslash before a space', 'a\\ b', 'name.bad-escape', 1],
    ['a raw space', 'a b', 'name.bad-character', 1],
    ['a tab', '\ta', 'name.bad-character', 0],
    ['a line end', 'a\n', 'name.bad-character', 1],
    ['a letter outside ASCII', 'bücher', 'name.bad-character', 1],
    ['DEL', '\u007f', 'name.bad-character', 0],
  ]
  test('has invalid', () => expect(invalid.length).toBeGreaterThan(0))
  test.each(invalid)('refuses %s', (_, text, rule, offset) => {
    expect(thrown(() => parseName(text))).toMatchObject({ rule, offset })
    expect(thrown(() => parseName(text))).toBeInstanceOf(NameError)
  })
})

describe('nameFromWire', () => {
  const invalid: [name: string, octets: number[], rule: string, offset: number][] = [
    ['nothing', [], 'wire.truncated', 0],
    ['no end', [1, 0x61], 'wire.truncated', 2],
    ['a label cut short', [3, 0x61, 0x62], 'wire.truncated', 0],
    ['something after the end', [0, 0], 'wire.trailing', 1],
    ['a pointer', [0xc0, 0], 'wire.label-type', 0],
    ['label type 01', [0x41, 0], 'wire.label-type', 0],
    ['label type 10', [0x80, 0], 'wire.label-type', 0],
    [
      '256 octets',
      Array.from({ length: 257 }, (_, i) => (i === 256 ? 0 : i % 2 === 0 ? 1 : 0x61)),
      'wire.name-too-long',
      256,
    ],
  ]
  test('has invalid', () => expect(invalid.length).toBeGreaterThan(0))
  test.each(invalid)('refuses %s', (_, octets, rule, offset) => {
    expect(thrown(() => nameFromWire(Uint8Array.from(octets)))).toMatchObject({ rule, offset })
  })

  test('folds case', () => {
    expect(nameFromWire(Uint8Array.from([2, 0x41, 0x5a, 0]))).toBe('az')
  })
})

describe('properties', () => {
  const label = fc.uint8Array({ minLength: 1, maxLength: 20 })
  const wire = fc
    .array(label, { maxLength: 10 })
    .map((labels) => Uint8Array.from([...labels.flatMap((l) => [l.length, ...l]), 0]))

  test('text of any octets reads back to the same octets, folded', () => {
    fc.assert(
      fc.property(wire, (octets) => {
        const name = nameFromWire(octets)
        expect(parseName(name)).toBe(name)
        expect(nameToWire(name)).toEqual(octets.map((o) => (o >= 0x41 && o <= 0x5a ? o + 32 : o)))
      }),
    )
  })

  test('any text is a name or a NameError', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const error = thrown(() => parseName(text))
        expect(error === undefined || error instanceof NameError).toBe(true)
      }),
    )
  })

  test('any octets are a name or a WireError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (octets) => {
        const error = thrown(() => nameFromWire(octets))
        expect(error === undefined || error instanceof WireError).toBe(true)
      }),
    )
  })

  test('the root is itself', () => expect(parseName('.')).toBe(ROOT))
})

function thrown(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

function ruleOf(run: () => unknown): unknown {
  const error = thrown(run)
  return error instanceof NameError ? error.rule : error
}
